/**
 * Exports days as Parquet files. Each statement has its own connection and a short read-only transaction: after a
 * column was added, a checkpoint has to wait for the end of every older transaction.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBResultReader } from '@duckdb/node-api';
import {
  type DamagedDay,
  type ExportedRows,
  PEER_IDLE_MS,
  type RowRange,
  type StoredDay,
  type StoredField,
  type StoredList,
} from '#contract/control';
import { ServiceError } from '#contract/errors';
import { sourceNotFound } from '#contract/failures';
import type { Source } from '#contract/events/source';
import type { DayExports } from '../../day-exports';
import type { FieldFact } from '../../ingest/fields/field-fact';
import { duckDbType } from '../tables/column-types';
import { METADATA_COLUMN } from '../tables/stored-columns';
import { dayName, type Part, parsePartTable } from '../tables/part';
import { quoteName, quotePart, quoteText } from '../tables/quoting';
import { printRowRange } from '../tables/row-range';
import type { ReadThreads } from '../file/read-threads';
import type { SourceState } from '../sources/source-state';
import { interruptible } from '../statements/interruptible';
import {
  diskFull,
  isDamaged,
  isDiskFull,
  isMissingTable,
  isOutOfMemory,
  translateError,
} from '../statements/store-errors';
import { partsOf, storedDays } from '../tables/stored-parts';
import { averageRowBytes, fittingRows } from './row-bytes';
import { countRows, storedFields } from './stored-rows';

/** Rows of a row group, which the writer has in memory as a whole. */
const MOST_GROUP_ROWS = 20_480;
/** Limits a row group to a sixteenth of the memory. */
const GROUP_BYTES_PER_MIB = 65_536;
/** Where a row group does not fit into memory, one with a share of its rows is tried. */
const SMALLER_GROUP_DIVISOR = 8;
/** Groups of fewer rows are those of large events, and each thread has one of its own. */
const LEAST_SHARED_ROWS = 2_048;

/** Longer than a peer of the control socket may be silent. */
const HOLD_MS = PEER_IDLE_MS + 30_000;

const BEGIN = 'BEGIN TRANSACTION READ ONLY';

export interface DayExportsParts {
  readonly connect: () => Promise<DuckDBConnection>;
  readonly threads: ReadThreads;
  readonly states: ReadonlyMap<string, SourceState>;
  readonly catchUp: () => Promise<void>;
  /** Folder that statements may write to. */
  readonly staging: string;
  readonly memoryLimitMb: number;
  /** Notified before and after each statement. */
  readonly memory: { begin(): void; end(): void };
  readonly onFailure: (error: unknown) => void;
}

export class DuckDbDayExports implements DayExports {
  private readonly running = new Map<DuckDBConnection, Promise<unknown>>();
  private usedAtMs = -Infinity;
  /** Settles when no part is being replaced. */
  private replaced: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: DayExportsParts) {}

  /** True while a peer may still read rows of the last list, by the numbers that they had then. */
  get isInUse(): boolean {
    return this.running.size > 0 || performance.now() - this.usedAtMs < HOLD_MS;
  }

  /** Runs a task that gives rows other numbers; readers wait for its end. @returns false when exports are in use */
  async whileUnused(task: () => Promise<void>): Promise<boolean> {
    if (this.isInUse) return false;
    const done = task();
    this.replaced = done.catch(() => undefined);
    await done;
    return true;
  }

  async list(signal: AbortSignal): Promise<StoredList> {
    const { states, catchUp } = this.parts;
    await this.beginUse();
    await catchUp();
    return this.readOnly(signal, async (connection) => {
      const days: StoredDay[] = [];
      const damaged: DamagedDay[] = [];
      const fields: Record<string, StoredField[]> = {};
      for (const state of states.values()) {
        const { source } = state;
        for (const day of storedDays(state)) {
          signal.throwIfAborted();
          const found = await describeDay(connection, source, day, partsOf(state, day)).catch(
            async (error: unknown) => {
              if (!isDamaged(error)) throw error;
              this.parts.onFailure(error);
              damaged.push({ source: source.name, day });
              // A failure ends the transaction.
              await connection.run('ROLLBACK');
              await connection.run(BEGIN);
              return null;
            }
          );
          if (found !== null) days.push(found);
        }
        fields[source.name] = (await storedFields(connection, source)).sort(byNumberedName).map(withoutColumn);
      }
      const undeclared = await undeclaredSources(connection, states);
      return { days, fields, undeclared, ...(damaged.length > 0 && { damaged }) };
    });
  }

  async write({ source, day, from, to }: RowRange, signal: AbortSignal): Promise<ExportedRows> {
    await this.beginUse();
    const state = this.parts.states.get(source);
    if (state === undefined) throw sourceNotFound(source, this.parts.states.keys());
    const parts = partsOf(state, day);
    if (parts.length === 0) throw dayDropped();
    const file = `${randomUUID()}.parquet`;
    const path = join(this.parts.staging, file);
    const range = { from, to };
    for (let mostRows = MOST_GROUP_ROWS; ; mostRows = Math.floor(mostRows / SMALLER_GROUP_DIVISOR)) {
      try {
        return await this.readOnly(signal, async (connection) => {
          const rowBytes = await averageRowBytes(connection, state.source, parts, range);
          mostRows = fittingRows(this.parts.memoryLimitMb * GROUP_BYTES_PER_MIB, rowBytes, mostRows);
          const rows = await printRows(connection, state.source, parts, range);
          return { file, rows: await this.copy(connection, rows, path, mostRows) };
        });
      } catch (error) {
        await rm(path, { force: true });
        if (!(error instanceof ServiceError) || !isOutOfMemory(error.cause) || mostRows < SMALLER_GROUP_DIVISOR)
          throw withDay(error, source, day);
      }
    }
  }

  /** Copies rows to a file. @returns their number */
  private async copy(connection: DuckDBConnection, rows: string, path: string, rowsOfGroup: number): Promise<number> {
    const sql = `COPY (${rows}) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowsOfGroup})`;
    const run = (): Promise<DuckDBResultReader> => connection.runAndReadAll(sql);
    const reader = await (rowsOfGroup < LEAST_SHARED_ROWS ? run() : this.parts.threads.withAll(run));
    return Number(reader.getRows()[0]?.[0] ?? 0);
  }

  /** Interrupts running exports, and waits for their end. */
  async close(): Promise<void> {
    for (const connection of this.running.keys()) connection.interrupt();
    await Promise.allSettled(this.running.values());
  }

  private beginUse(): Promise<unknown> {
    this.usedAtMs = performance.now();
    return this.replaced;
  }

  private async readOnly<T>(signal: AbortSignal, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.parts.connect();
    this.parts.memory.begin();
    const done = interruptible(connection, signal, async () => {
      await connection.run(BEGIN);
      return work(connection);
    });
    this.running.set(connection, done);
    try {
      return await done;
    } catch (error) {
      this.parts.onFailure(error);
      throw exportError(error, signal.aborted);
    } finally {
      this.running.delete(connection);
      this.parts.memory.end();
      this.usedAtMs = performance.now();
      connection.closeSync();
    }
  }
}

/** A restored store numbers equal column names in this order. */
function byNumberedName(a: FieldFact, b: FieldFact): number {
  return a.path.length - b.path.length || (a.column ?? '').localeCompare(b.column ?? '', 'en', { numeric: true });
}

function withoutColumn({ path, kind, type, column, tenant }: FieldFact): StoredField {
  return { path: [...path], kind, type, has_column: column !== null, ...(tenant !== null && { tenant }) };
}

/** @returns null when the day was dropped since then */
async function describeDay(
  connection: DuckDBConnection,
  source: Source,
  day: number,
  parts: readonly Part[]
): Promise<StoredDay | null> {
  const rows = parts.map((part) => `SELECT hash(id, "timestamp") AS digest FROM ${quotePart(part)}`);
  const reader = await connection
    .runAndReadAll(`SELECT count(*), CAST(sum(digest) AS VARCHAR) FROM (${rows.join(' UNION ALL ')})`)
    .catch((error: unknown) => {
      if (isMissingTable(error)) return null;
      throw error;
    });
  if (reader === null) return null;
  const [count, sum] = reader.getRows()[0]!;
  return {
    source: source.name,
    day,
    rows: Number(count),
    fingerprint: `d${String(count)}-${String(sum ?? 0)}`,
  };
}

/** Rows of a day by their numbers: those of its second part follow those of its first. */
async function printRows(
  connection: DuckDBConnection,
  source: Source,
  parts: readonly Part[],
  { from, to }: Pick<RowRange, 'from' | 'to'>
): Promise<string> {
  const selects: string[] = [];
  let before = 0;
  for (const part of parts) {
    const range = printRowRange(part, from - before, to - before);
    selects.push(`(SELECT ${selectList(source, part)} FROM ${quotePart(part)} ${range})`);
    before += await countRows(connection, part);
  }
  return selects.join(' UNION ALL ');
}

/** The columns that every store has; the typed columns of nested fields are made from `metadata_json`. */
function selectList(source: Source, part: Part): string {
  const own = Object.entries(source.columns).map(([name, type]) =>
    part.columns.has(name) ? quoteName(name) : `CAST(NULL AS ${duckDbType(type)}) AS ${quoteName(name)}`
  );
  return ['id', 'CAST("timestamp" AS TIMESTAMPTZ) AS "timestamp"', 'event_message', ...own, METADATA_COLUMN].join(', ');
}

async function undeclaredSources(
  connection: DuckDBConnection,
  states: ReadonlyMap<string, SourceState>
): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND NOT internal`
  );
  const names = reader.getRows().map(([table]) => parsePartTable(String(table))?.source);
  return [...new Set(names)].filter((name) => name !== undefined).filter((name) => !states.has(name));
}

function exportError(error: unknown, isAborted: boolean): unknown {
  if (error instanceof ServiceError || isAborted) return translateError(error, isAborted);
  if (isMissingTable(error)) return dayDropped();
  if (isDiskFull(error)) return diskFull(error);
  return translateError(error, false);
}

/** Names the day whose events a damaged file has lost. */
function withDay(error: unknown, source: string, day: number): unknown {
  if (!isDamaged(error)) return error;
  const message = `The events of ${dayName(source, day)} cannot be read: a file of the store is damaged.`;
  const cause = error instanceof ServiceError ? error.cause : error;
  return new ServiceError('backend_error', message, { reason: 'store_damaged' }, { cause });
}

function dayDropped(): ServiceError {
  return new ServiceError('backend_unavailable', 'The day was dropped, because its retention has passed.', {
    reason: 'day_dropped',
  });
}
