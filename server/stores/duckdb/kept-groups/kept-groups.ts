/**
 * Groups of parts that were computed for a query, in tables in memory, for later queries that need the same. A table is
 * used as long as the parts have the version that it was computed of. Over the limit of bytes, the least recently used
 * are dropped.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api';
import type { GroupColumn, SplitQuery, SplitUnit } from '#compiler/store';
import { bindValues } from '../statements/bind-values';
import { interruptible } from '../statements/interruptible';
import { MEMORY_DATABASE } from '../file/database';
import type { PartVersions } from '../tables/part-versions';
import type { ReadThreads } from '../file/read-threads';
import type { WriteActivity } from '../file/write-activity';

export interface KeptGroupsOptions {
  /** 0: nothing is kept. */
  readonly maxBytes: number;
  /** How long a part must be unchanged before its groups are kept. */
  readonly settledMs: number;
  readonly versions: PartVersions;
  readonly connect: () => Promise<DuckDBConnection>;
  readonly threads: ReadThreads;
  readonly writes: WriteActivity;
}

interface Entry {
  readonly version: string;
  /** As SQL names it; null: the groups are not kept, since they are too many or cannot be computed. */
  readonly table: string | null;
  readonly bytes: number;
}

interface Creation {
  readonly split: SplitQuery;
  readonly unit: SplitUnit;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** More groups take longer to keep than they save. */
const MAX_GROUPS = 50_000;
/** Share of the limit that one table may take. */
const LARGEST_SHARE = 8;
/** Bytes of an entry without its table, with its key. */
const ENTRY_BYTES = 512;
/** DuckDB reserves vectors of 2,048 rows: 32 KiB for a column of texts, beside those longer than 12 bytes (1.5.6). */
const VECTOR_ROWS = 2_048;
const VECTOR_BYTES = 32_768;

export class KeptGroups {
  private readonly entries: LRUCache<string, Entry>;
  /** Units whose groups are being computed. */
  private readonly running = new Map<string, Promise<void>>();
  private tables = 0;
  private dropping: Promise<void> = Promise.resolve();

  constructor(private readonly options: KeptGroupsOptions) {
    this.entries = new LRUCache<string, Entry>({
      maxSize: Math.max(1, options.maxBytes),
      sizeCalculation: ({ bytes }) => bytes,
      dispose: ({ table }) => this.drop(table),
    });
  }

  get isOn(): boolean {
    return this.options.maxBytes > 0;
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }

  /** The table with the groups of the unit as it is now; null if they are not kept. */
  find(unit: SplitUnit): string | null {
    return this.entryOf(unit)?.table ?? null;
  }

  /** Whether the groups of the unit are kept, or are to be. */
  isOrCanBe(unit: SplitUnit): boolean {
    return unit.isWhole && (this.find(unit) !== null || this.isWanted(unit));
  }

  /** Whether the groups of the unit are to be computed and kept. */
  isWanted(unit: SplitUnit): boolean {
    const { versions, settledMs } = this.options;
    if (!unit.isWhole || unit.tables.some((table) => versions.ageMs(table) < settledMs)) return false;
    return this.versionOf(unit) !== null && this.entryOf(unit) === undefined;
  }

  /** Versions of the tables of the unit; null while one is being changed. */
  versionOf({ tables }: SplitUnit): string | null {
    const numbers = tables.map((table) => this.options.versions.of(table));
    return numbers.includes(null) ? null : numbers.join(' ');
  }

  /**
   * Computes and keeps the groups of a unit, once for all queries that want them at a time.
   * @throws errors of the database
   */
  async keep(split: SplitQuery, unit: SplitUnit, signal: AbortSignal): Promise<void> {
    const key = hashOf(unit);
    const running = this.running.get(key);
    if (running !== undefined) return settledOrAborted(running, signal);
    const made = this.options.writes
      .during(() => this.create(split, unit, key, signal))
      .finally(() => this.running.delete(key));
    this.running.set(key, made);
    return made;
  }

  /** Resolves when no statement of this object runs any more. */
  async close(): Promise<void> {
    await Promise.allSettled(this.running.values());
    await this.dropping;
  }

  private entryOf(unit: SplitUnit): Entry | undefined {
    const entry = this.entries.get(hashOf(unit));
    return entry?.version === this.versionOf(unit) ? entry : undefined;
  }

  private async create(split: SplitQuery, unit: SplitUnit, key: string, signal: AbortSignal): Promise<void> {
    const connection = await this.options.connect();
    try {
      await interruptible(connection, signal, () => this.createOn(connection, { split, unit, key, signal }));
    } finally {
      // Ends a transaction that is still open.
      connection.closeSync();
    }
  }

  private async createOn(connection: DuckDBConnection, { split, unit, key, signal }: Creation): Promise<void> {
    await connection.run('BEGIN TRANSACTION');
    const version = this.versionOf(unit);
    if (version === null) return;
    const table = `${MEMORY_DATABASE}.main.g${++this.tables}`;
    const { sql, values, reads } = split.createGroups(unit, table, MAX_GROUPS);
    const statement = await connection.prepare(sql);
    try {
      // The transaction reads the parts as they were when the statement was prepared.
      if (this.versionOf(unit) !== version) return;
      bindValues(statement, values);
      const created = await this.options.threads.run(reads, () => statement.run());
      const bytes = await tableBytes(connection, { table, rows: rowsOf(created), columns: split.groupColumns });
      const isKept = bytes * LARGEST_SHARE <= this.options.maxBytes;
      if (isKept) await connection.run('COMMIT');
      this.entries.set(key, { version, table: isKept ? table : null, bytes: isKept ? bytes : ENTRY_BYTES });
    } catch (error) {
      if (!signal.aborted) this.entries.set(key, { version, table: null, bytes: ENTRY_BYTES });
      throw error;
    } finally {
      statement.destroySync();
    }
  }

  private drop(table: string | null): void {
    if (table === null) return;
    const { connect, writes } = this.options;
    const dropTable = async (): Promise<void> => {
      const connection = await connect();
      await connection.run(`DROP TABLE IF EXISTS ${table}`).finally(() => connection.closeSync());
    };
    this.dropping = this.dropping.then(() => writes.during(dropTable)).catch(() => undefined);
  }
}

/** Waits for the work of another query, at most as long as this one runs. */
function settledOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', end);
    void work.catch(() => undefined).then(end);
  });
}

function hashOf({ key }: SplitUnit): string {
  return createHash('sha256').update(key).digest('base64');
}

/** Number of rows of a table that a statement has created. */
function rowsOf(created: DuckDBMaterializedResult): number {
  return Number(created.getChunk(0).getColumnVector(0).getItem(0));
}

interface GroupTable {
  readonly table: string;
  readonly rows: number;
  readonly columns: readonly GroupColumn[];
}

/** Estimated memory of a table; infinite if it has too many rows. */
async function tableBytes(connection: DuckDBConnection, { table, rows, columns }: GroupTable): Promise<number> {
  if (rows > MAX_GROUPS) return Number.POSITIVE_INFINITY;
  const vectorBytes = Math.ceil(rows / VECTOR_ROWS) * VECTOR_BYTES * columns.length;
  const texts = columns.filter(({ isText }) => isText).map(({ name }) => `coalesce(sum(strlen(${name})), 0)`);
  if (texts.length === 0 || rows === 0) return ENTRY_BYTES + vectorBytes;
  const reader = await connection.runAndReadAll(`SELECT ${texts.join(' + ')} FROM ${table}`);
  return ENTRY_BYTES + vectorBytes + 2 * Number(reader.getRows()[0]?.[0]);
}
