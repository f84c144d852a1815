/**
 * Exports days as Parquet files. Each statement has its own connection and a short read-only transaction: after a column
 * was added, a checkpoint has to wait for the end of every older transaction.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ExportedRows, RowRange, StoredDay, StoredField, StoredList } from '#contract/control';
import { ServiceError } from '#contract/errors';
import { sourceNotFound } from '#contract/failures';
import type { Source } from '#contract/source';
import type { DayExports } from '../day-exports';
import { duckDbType } from './column-types';
import { METADATA_COLUMN } from './insert-statement';
import { type Part, parsePartTable } from './part';
import { quoteName, quoteText } from './quoting';
import type { SourceState } from './source-state';
import { translateError } from './store-errors';
import { type StoredField as DuckDbField, storedFields } from './stored-rows';

/** Rows of a row group. Events are up to kilobytes long, and the writer keeps a whole group in memory. */
const ROW_GROUP_ROWS = 20_480;

export interface DayExportsParts {
  readonly connect: () => Promise<DuckDBConnection>;
  readonly states: ReadonlyMap<string, SourceState>;
  readonly catchUp: () => Promise<void>;
  /** Folder that statements may write to. */
  readonly staging: string;
}

export class DuckDbDayExports implements DayExports {
  private readonly running = new Map<DuckDBConnection, Promise<unknown>>();

  constructor(private readonly parts: DayExportsParts) {}

  async list(signal: AbortSignal): Promise<StoredList> {
    const { states, catchUp } = this.parts;
    await catchUp();
    return this.readOnly(signal, async (connection) => {
      const days: StoredDay[] = [];
      const fields: Record<string, StoredField[]> = {};
      for (const { source, parts } of states.values()) {
        for (const part of [...parts.values()].sort((a, b) => a.day - b.day)) {
          signal.throwIfAborted();
          const found = await describeDay(connection, source, part);
          if (found !== null) days.push(found);
        }
        fields[source.name] = (await storedFields(connection, source)).sort(byNumberedName).map(withoutColumn);
      }
      return { days, fields, undeclared: await undeclaredSources(connection, states) };
    });
  }

  async write({ source, day, from, to }: RowRange, signal: AbortSignal): Promise<ExportedRows> {
    const state = this.parts.states.get(source);
    if (state === undefined) throw sourceNotFound(source, this.parts.states.keys());
    const part = state.parts.get(day);
    if (part === undefined) throw dayDropped();
    const file = `${randomUUID()}.parquet`;
    const path = join(this.parts.staging, file);
    try {
      return await this.readOnly(signal, async (connection) => {
        const rows = `SELECT ${selectList(state.source, part)} FROM ${quoteName(part.table)} WHERE rowid >= ${from} AND rowid < ${to}`;
        const reader = await connection.runAndReadAll(
          `COPY (${rows}) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`
        );
        return { file, rows: Number(reader.getRows()[0]?.[0] ?? 0) };
      });
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Interrupts running exports, and waits for their end. */
  async close(): Promise<void> {
    for (const connection of this.running.keys()) connection.interrupt();
    await Promise.allSettled(this.running.values());
  }

  private async readOnly<T>(signal: AbortSignal, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.parts.connect();
    const interrupt = (): void => connection.interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    const done = (async () => {
      signal.throwIfAborted();
      await connection.run('BEGIN TRANSACTION READ ONLY');
      return work(connection);
    })();
    this.running.set(connection, done);
    try {
      return await done;
    } catch (error) {
      throw exportError(error, signal.aborted);
    } finally {
      signal.removeEventListener('abort', interrupt);
      this.running.delete(connection);
      connection.closeSync();
    }
  }
}

/** A restored store numbers equal column names in this order. */
function byNumberedName(a: DuckDbField, b: DuckDbField): number {
  return a.path.length - b.path.length || (a.column ?? '').localeCompare(b.column ?? '', 'en', { numeric: true });
}

function withoutColumn({ path, kind, type, column }: DuckDbField): StoredField {
  return { path: [...path], kind, type, has_column: column !== null };
}

/** @returns null when the day was dropped since then */
async function describeDay(connection: DuckDBConnection, source: Source, part: Part): Promise<StoredDay | null> {
  const reader = await connection
    .runAndReadAll(`SELECT count(*), CAST(sum(hash(id, "timestamp")) AS VARCHAR) FROM ${quoteName(part.table)}`)
    .catch((error: unknown) => {
      if (isMissingTable(error)) return null;
      throw error;
    });
  if (reader === null) return null;
  const [rows, sum] = reader.getRows()[0]!;
  return {
    source: source.name,
    day: part.day,
    rows: Number(rows),
    fingerprint: `d${String(rows)}-${String(sum ?? 0)}`,
  };
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
  return [...new Set(names)].filter((name) => name !== undefined && !states.has(name)) as string[];
}

function exportError(error: unknown, isAborted: boolean): unknown {
  if (error instanceof ServiceError || isAborted) return translateError(error, isAborted);
  if (isMissingTable(error)) return dayDropped();
  if (isNativeError(error) && /No space left on device|disk is full/i.test(error.message)) {
    return new ServiceError(
      'backend_unavailable',
      'The disk of the data folder is full.',
      { reason: 'disk_full' },
      { cause: error }
    );
  }
  return translateError(error, false);
}

function isMissingTable(error: unknown): boolean {
  return isNativeError(error) && /^Catalog Error: Table with name/.test(error.message);
}

function dayDropped(): ServiceError {
  return new ServiceError('backend_unavailable', 'The day was dropped, because its retention has passed.', {
    reason: 'day_dropped',
  });
}
