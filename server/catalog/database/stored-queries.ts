/** Repository of saved queries that servers share: one row for each revision, numbered by the order of all changes. */
import type { AuditEntry } from '#contract/changes/audit';
import { type RevisionFacts, revisionFactsSchema } from '#contract/changes/revision';
import { DefinitionsError } from '../definitions/definition-problem';
import {
  NameTakenError,
  type RepositoryChanges,
  RevisionConflictError,
  type SavedQueryRepository,
  type UnreadableRevision,
} from '../saved-queries/repository';
import { factsOf, type StoredRevision } from '../saved-queries/revision-text';
import { type Database, LARGE_STATEMENT_MS, type RunStatement } from './database';
import { storeAuditEntry } from './stored-audit';

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly revision: number;
  readonly facts: unknown;
  readonly body: string | null;
}

/** Tells two revisions apart that have the number of one change, as an expression. */
export const QUERY_MARK = 'hashtextextended(facts::text, 0)';

/** Newest revisions of all saved queries. */
const HEADS = 'SELECT DISTINCT ON (id) id, name, body FROM lqe_saved_queries ORDER BY id, revision DESC';

export class StoredQueries implements SavedQueryRepository {
  constructor(private readonly database: Pick<Database, 'run' | 'transact'>) {}

  placeOf({ id, revision }: Pick<RevisionFacts, 'id' | 'revision'>): string {
    return `revision ${revision} of the saved query ${id} in the catalog`;
  }

  async changesSince(cursor: string | null): Promise<RepositoryChanges> {
    const isWhole = cursor === null || (await this.isSetBack(cursor));
    const since = isWhole ? '0' : cursor;
    const rows = await this.database.run<Row & { change: string; mark: string }>(
      `SELECT DISTINCT ON (id) id::text, revision, facts, body, change::text, ${QUERY_MARK}::text AS mark FROM lqe_saved_queries
       WHERE change > $1::bigint ORDER BY id, revision DESC`,
      [changeOf(since)],
      LARGE_STATEMENT_MS
    );
    const newest = rows.reduce<(typeof rows)[number] | null>(
      (last, row) => (last === null || Number(row.change) > Number(last.change) ? row : last),
      null
    );
    const heads: StoredRevision[] = [];
    const unreadable: UnreadableRevision[] = [];
    for (const row of rows) {
      const head = parseRow(row);
      if (head) heads.push(head);
      else unreadable.push({ id: row.id, revision: row.revision, error: this.unreadable(row) });
    }
    return { heads, unreadable, isWhole, cursor: newest === null ? since : `${newest.change} ${newest.mark}` };
  }

  /**
   * Whether the catalog lacks changes that were read before: of a backup that was restored, or a copy that became the
   * database. It may have others in their place.
   */
  private async isSetBack(cursor: string): Promise<boolean> {
    const [change, mark = null] = cursor.split(' ');
    const [catalog] = await this.database.run<{ is_set_back: boolean }>(
      `SELECT query_change < $1::bigint OR ($2::bigint IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM lqe_saved_queries WHERE change = $1::bigint AND ${QUERY_MARK} = $2::bigint)) AS is_set_back
       FROM lqe_catalog`,
      [change, mark]
    );
    return catalog?.is_set_back ?? false;
  }

  async append(revision: StoredRevision, entry: AuditEntry): Promise<void> {
    await this.database.transact(async (run) => {
      // The row lock serializes changes and pushes.
      const [catalog] = await run<{ query_change: string }>(
        'UPDATE lqe_catalog SET query_change = query_change + 1 RETURNING query_change::text'
      );
      await ensureNext(run, revision);
      if (revision.text !== null) await ensureFreeName(run, revision);
      const { id, name, text } = revision;
      await run(
        'INSERT INTO lqe_saved_queries (id, revision, change, name, facts, body) VALUES ($1, $2, $3, $4, $5, $6)',
        [id, revision.revision, catalog!.query_change, name, factsOf(revision), text]
      );
      await storeAuditEntry(run, entry);
    });
  }

  async read(id: string, revision: number): Promise<StoredRevision | null> {
    const [row] = await this.database.run<Row>(
      'SELECT id::text, revision, facts, body FROM lqe_saved_queries WHERE id = $1 AND revision = $2',
      [id, revision]
    );
    return row ? this.readRow(row) : null;
  }

  async history(id: string, before: number | null, limit: number): Promise<readonly RevisionFacts[]> {
    const rows = await this.database.run<Row>(
      `SELECT id::text, revision, facts, NULL AS body FROM lqe_saved_queries
       WHERE id = $1 AND ($2::integer IS NULL OR revision < $2) ORDER BY revision DESC LIMIT $3`,
      [id, before, limit]
    );
    return rows.map((row) => factsOf(this.readRow(row)));
  }

  private readRow(row: Row): StoredRevision {
    const stored = parseRow(row);
    if (stored) return stored;
    throw this.unreadable(row);
  }

  private unreadable(row: Row): DefinitionsError {
    const reason = 'is not a revision of a saved query of this version';
    return new DefinitionsError([{ file: this.placeOf(row), line: 1, column: 1, reason }]);
  }
}

/** Number of the last change that a cursor knows; its mark follows, if there was one. */
function changeOf(cursor: string): string {
  return cursor.split(' ', 1)[0]!;
}

function parseRow({ id, revision, facts, body }: Row): StoredRevision | null {
  const parsed = revisionFactsSchema.safeParse(facts);
  const isOfRow = parsed.success && parsed.data.id === id && parsed.data.revision === revision;
  return isOfRow ? { ...parsed.data, text: body } : null;
}

async function ensureNext(run: RunStatement, { id, revision }: RevisionFacts): Promise<void> {
  const [newest] = await run<{ revision: number | null }>(
    'SELECT max(revision) AS revision FROM lqe_saved_queries WHERE id = $1',
    [id]
  );
  if ((newest?.revision ?? 0) + 1 !== revision) throw new RevisionConflictError();
}

async function ensureFreeName(run: RunStatement, { id, name }: RevisionFacts): Promise<void> {
  const [taken] = await run(
    `SELECT 1 FROM (${HEADS}) AS heads WHERE body IS NOT NULL AND name = $1 AND id <> $2::uuid
     UNION ALL
     SELECT 1 FROM lqe_revisions JOIN lqe_catalog ON revision = definition_revision
     WHERE identities && ARRAY[$1::text, $2::text]`,
    [name, id]
  );
  if (taken) throw new NameTakenError();
}

/** Which of these names and ids belong to saved queries of the API. */
export async function takenIdentities(run: RunStatement, identities: readonly string[]): Promise<readonly string[]> {
  const rows = await run<{ identity: string }>(
    `SELECT identity FROM (${HEADS}) AS heads, unnest($1::text[]) AS identity
     WHERE body IS NOT NULL AND identity IN (name, id::text)`,
    [identities]
  );
  return rows.map(({ identity }) => identity);
}
