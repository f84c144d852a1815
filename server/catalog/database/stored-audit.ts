/** Audit trail that servers share: one row for each entry. */
import { type AuditEntry, auditEntrySchema } from '#contract/audit';
import type { AuditLog, AuditPage } from '../audit/audit-log';
import type { Database, RunStatement } from './database';

const CURSOR = /^\d{1,18}$/;

/** Adds the entry in the transaction of the change. */
export async function storeAuditEntry(run: RunStatement, entry: AuditEntry): Promise<void> {
  await run('INSERT INTO lqe_audit (changed_at, entry) VALUES ($1, $2)', [entry.time, entry]);
}

export function createStoredAudit({ run }: Pick<Database, 'run'>): AuditLog {
  return {
    append: (entry) => storeAuditEntry(run, entry),
    read: async (before, limit) => (before === null || CURSOR.test(before) ? readPage(run, before, limit) : null),
    expire: async (before) => void (await run('DELETE FROM lqe_audit WHERE changed_at < $1', [before])),
  };
}

async function readPage(run: RunStatement, before: string | null, limit: number): Promise<AuditPage> {
  const rows = await run<{ position: string; entry: unknown }>(
    `SELECT position::text, entry FROM lqe_audit
     WHERE $1::bigint IS NULL OR position < $1::bigint ORDER BY position DESC LIMIT $2`,
    [before, limit + 1]
  );
  const page = rows.slice(0, limit);
  // Entries of a newer version are skipped.
  const entries = page.flatMap(({ entry }) => auditEntrySchema.safeParse(entry).data ?? []);
  return { entries, next: rows.length > limit ? page[page.length - 1]!.position : null };
}
