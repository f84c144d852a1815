/** Audit trail that servers share: one row for each entry. */
import { type AuditEntry, auditEntrySchema } from '#contract/changes/audit';
import type { AuditFilter, AuditLog, AuditPage } from '../audit/audit-log';
import type { Database, RunStatement } from './database';

/** Few enough for the time of a statement on a slow disk. */
const ROWS_PER_DELETE = 5000;
const EXPIRE = `DELETE FROM lqe_audit WHERE position IN
  (SELECT position FROM lqe_audit WHERE changed_at < $1 LIMIT ${ROWS_PER_DELETE}) RETURNING position`;
const CURSOR = /^\d{1,18}$/;

/** Adds the entry in the transaction of the change. */
export async function storeAuditEntry(run: RunStatement, entry: AuditEntry): Promise<void> {
  await run('INSERT INTO lqe_audit (changed_at, entry) VALUES ($1, $2)', [entry.time, entry]);
}

export function createStoredAudit({ run }: Pick<Database, 'run'>): AuditLog {
  return {
    append: (entry) => storeAuditEntry(run, entry),
    read: async (before, limit, filter) =>
      before === null || CURSOR.test(before) ? readPage(run, before, limit, filter) : null,
    expire: async (before) => {
      while ((await run(EXPIRE, [before])).length === ROWS_PER_DELETE);
    },
  };
}

async function readPage(
  run: RunStatement,
  before: string | null,
  limit: number,
  filter?: AuditFilter
): Promise<AuditPage> {
  const rows = await run<{ position: string; entry: unknown }>(
    `SELECT position::text, entry FROM lqe_audit
     WHERE ($1::bigint IS NULL OR position < $1::bigint)
       AND ($3::text IS NULL OR entry->>'action' = $3)
       AND ($4::text IS NULL OR entry->'object'->>'id' = $4 OR entry->'object'->>'name' = $4)
       AND ($5::timestamptz IS NULL OR changed_at >= $5)
       AND ($6::timestamptz IS NULL OR changed_at < $6)
     -- The output column of the same name is a text.
     ORDER BY lqe_audit.position DESC LIMIT $2`,
    [before, limit + 1, filter?.action ?? null, filter?.object ?? null, filter?.since ?? null, filter?.until ?? null]
  );
  const page = rows.slice(0, limit);
  // Entries of a newer version are skipped.
  const entries = page.flatMap(({ entry }) => auditEntrySchema.safeParse(entry).data ?? []);
  return { entries, next: rows.length > limit ? page[page.length - 1]!.position : null };
}
