/** Repository that servers share: one row for each revision, numbered by the order of all changes of its kind. */
import type { AuditEntry } from '#contract/changes/audit';
import { type RevisionFacts, revisionFactsSchema } from '#contract/changes/revision';
import { DefinitionsError } from '../definitions/definition-problem';
import type { RevisionKind } from '../revisions/kind';
import {
  type RepositoryChanges,
  RevisionConflictError,
  type RevisionRepository,
  type UnreadableRevision,
} from '../revisions/repository';
import { factsOf, type StoredRevision } from '../revisions/revision-text';
import { type Database, LARGE_STATEMENT_MS, type RunStatement } from './database';
import { storeAuditEntry } from './stored-audit';

export interface RevisionTable {
  readonly kind: RevisionKind;
  readonly table: 'lqe_saved_queries' | 'lqe_sources';
  /** Column of `lqe_catalog` with the number of the last change. */
  readonly counter: 'query_change' | 'source_change';
  /**
   * Called for a revision that is not a deletion, while no other one is stored.
   * @throws NameTakenError
   */
  readonly ensureFree: (run: RunStatement, revision: StoredRevision) => Promise<void>;
}

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly revision: number;
  readonly facts: unknown;
  readonly body: string | null;
}

/** Tells two revisions apart that have the number of one change, as an expression. */
const MARK = 'hashtextextended(facts::text, 0)';

/** Expression over `lqe_catalog`; its value changes with each change of the kind. */
export function stateOf({ table, counter }: RevisionTable): string {
  return `concat(${counter}, ' ', (SELECT ${MARK} FROM ${table} WHERE change = ${counter} LIMIT 1))`;
}

/** Query of the newest revisions, deletions included. */
export function headsOf({ table }: Pick<RevisionTable, 'table'>): string {
  return `SELECT DISTINCT ON (id) id, name, body FROM ${table} ORDER BY id, revision DESC`;
}

export class StoredRevisions implements RevisionRepository {
  readonly kind: RevisionKind;

  constructor(
    private readonly database: Pick<Database, 'run' | 'transact'>,
    private readonly place: RevisionTable
  ) {
    this.kind = place.kind;
  }

  placeOf({ id, revision }: Pick<RevisionFacts, 'id' | 'revision'>): string {
    return `revision ${revision} of the ${this.kind.noun} ${id} in the catalog`;
  }

  async changesSince(cursor: string | null): Promise<RepositoryChanges> {
    const isWhole = cursor === null || (await this.isSetBack(cursor));
    const since = isWhole ? '0' : cursor;
    const rows = await this.database.run<Row & { change: string; mark: string }>(
      `SELECT DISTINCT ON (id) id::text, revision, facts, body, change::text, ${MARK}::text AS mark
       FROM ${this.place.table} WHERE change > $1::bigint ORDER BY id, revision DESC`,
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
    const { table, counter } = this.place;
    const [change, mark = null] = cursor.split(' ');
    const [catalog] = await this.database.run<{ is_set_back: boolean }>(
      `SELECT ${counter} < $1::bigint OR ($2::bigint IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM ${table} WHERE change = $1::bigint AND ${MARK} = $2::bigint)) AS is_set_back
       FROM lqe_catalog`,
      [change, mark]
    );
    return catalog?.is_set_back ?? false;
  }

  async append(revision: StoredRevision, entry: AuditEntry): Promise<void> {
    const { table, counter, ensureFree } = this.place;
    await this.database.transact(async (run) => {
      // The row lock serializes changes and pushes.
      const [catalog] = await run<{ change: string }>(
        `UPDATE lqe_catalog SET ${counter} = ${counter} + 1 RETURNING ${counter}::text AS change`
      );
      await this.ensureNext(run, revision);
      if (revision.text !== null) await ensureFree(run, revision);
      const { id, name, text } = revision;
      await run(`INSERT INTO ${table} (id, revision, change, name, facts, body) VALUES ($1, $2, $3, $4, $5, $6)`, [
        id,
        revision.revision,
        catalog!.change,
        name,
        factsOf(revision),
        text,
      ]);
      await storeAuditEntry(run, entry);
    });
  }

  private async ensureNext(run: RunStatement, { id, revision }: RevisionFacts): Promise<void> {
    const [newest] = await run<{ revision: number | null }>(
      `SELECT max(revision) AS revision FROM ${this.place.table} WHERE id = $1`,
      [id]
    );
    if ((newest?.revision ?? 0) + 1 !== revision) throw new RevisionConflictError();
  }

  async read(id: string, revision: number): Promise<StoredRevision | null> {
    const [row] = await this.database.run<Row>(
      `SELECT id::text, revision, facts, body FROM ${this.place.table} WHERE id = $1 AND revision = $2`,
      [id, revision]
    );
    return row ? this.readRow(row) : null;
  }

  async history(id: string, before: number | null, limit: number): Promise<readonly RevisionFacts[]> {
    const rows = await this.database.run<Row>(
      `SELECT id::text, revision, facts, NULL AS body FROM ${this.place.table}
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
    const reason = `is not a revision of a ${this.kind.noun} of this version`;
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
