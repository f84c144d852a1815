/**
 * Copies all events of a DuckDB file to ClickHouse, day by day, through the normal ingestion: events that are stored
 * already are not duplicated.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '#contract/events/source';
import { asFolderOwner } from '../../common/files/folder-owner';
import { openClickHouseStore, type ClickHouseStoreOptions } from '../../stores/clickhouse/clickhouse-store';
import { openCopyTarget } from '../../stores/clickhouse/write/copy-target';
import { openDatabase, type DatabaseOptions } from '../../stores/duckdb/file/database';
import { openDuckDbStore } from '../../stores/duckdb/duckdb-store';
import { type Part, partTable } from '../../stores/duckdb/tables/part';
import { averageRowBytes, fittingRows } from '../../stores/duckdb/read/row-bytes';
import {
  countRows,
  digestDay,
  readEvents,
  type StoredDay,
  storedDays,
  storedFields,
  storedTexts,
} from '../../stores/duckdb/read/stored-rows';
import { MICROS_PER_DAY } from '../../stores/ingest/event/timestamp';
import type { LogStore } from '../../stores/store';
import { printProblem } from '../output/print-problem';
import { ensureStoreExists, storeFile } from '../store/existing-store';
import type { CopyState } from './copy-state';

/** A batch is a text in memory, and so is the next one. */
const MOST_BATCH_BYTES = 16 * 1024 * 1024;

export interface CopyOptions {
  readonly from: DatabaseOptions;
  readonly to: ClickHouseStoreOptions;
  readonly sources: readonly Source[];
  readonly state: CopyState;
  readonly batchSize: number;
  /** Aborts between two batches. */
  readonly signal: AbortSignal;
  readonly onTotal: (rows: number) => void;
  readonly onProgress: (rows: number) => void;
}

export interface CopySummary {
  readonly rows: number;
  /** Messages about days that differ. */
  readonly differences: readonly string[];
  readonly isInterrupted: boolean;
}

interface Day extends StoredDay {
  readonly source: Source;
  /** In the order of `parts`. */
  readonly rows: readonly number[];
}

/** @throws BackupError when there is no store; ServiceError of either store, e.g. when a server has the file open */
export async function copyEvents(options: CopyOptions): Promise<CopySummary> {
  ensureStoreExists(options.from.dataDir);
  await settleJournal(options);
  const database = await openDatabase(options.from);
  try {
    const connection = await database.connect();
    const days = await listDays(connection, options.sources);
    const total = days.reduce((sum, { rows }) => sum + sumOf(rows), 0);
    options.onTotal(total);
    await copyFields(connection, options);
    const store = await openClickHouseStore(options.to);
    try {
      await copyDays(connection, store, days, options);
    } finally {
      await store.close();
    }
    if (options.signal.aborted) return { rows: total, differences: [], isInterrupted: true };
    return { rows: total, differences: await compareDays(connection, days, options), isInterrupted: false };
  } finally {
    database.close();
  }
}

async function copyDays(
  connection: DuckDBConnection,
  store: LogStore,
  days: readonly Day[],
  options: CopyOptions
): Promise<void> {
  let before = 0;
  for (const { source, parts, rows } of days) {
    if (options.signal.aborted) return;
    for (const [i, part] of parts.entries()) {
      await copyPart(connection, store, { source, part, rows: rows[i]! }, options, before);
      before += rows[i]!;
    }
  }
}

/** Moves acknowledged events from the journal to the tables. */
async function settleJournal({ from, sources }: CopyOptions): Promise<void> {
  await asFolderOwner(storeFile(from.dataDir), async () => {
    const store = await openDuckDbStore({ ...from, sources, onProblem: printProblem });
    await store.close();
  });
}

async function listDays(connection: DuckDBConnection, sources: readonly Source[]): Promise<readonly Day[]> {
  const days: Day[] = [];
  for (const source of sources) {
    for (const { day, parts } of await storedDays(connection, source)) {
      const rows: number[] = [];
      for (const part of parts) rows.push(await countRows(connection, part));
      days.push({ source, day, parts, rows });
    }
  }
  return days;
}

async function copyFields(connection: DuckDBConnection, { to, sources }: CopyOptions): Promise<void> {
  const target = openCopyTarget(to);
  try {
    for (const source of sources) {
      await target.addFields(source, await storedFields(connection, source), Date.now() * 1000);
    }
  } finally {
    await target.close();
  }
}

async function copyPart(
  connection: DuckDBConnection,
  store: LogStore,
  { source, part, rows }: { readonly source: Source; readonly part: Part; readonly rows: number },
  { state, batchSize, signal, onProgress }: CopyOptions,
  before: number
): Promise<void> {
  // The end of that day, so that events near the end of their retention are copied, too.
  const nowMicros = (part.day + 1) * MICROS_PER_DAY - 1;
  const rowBytes = await averageRowBytes(connection, source, [part], { from: 0, to: rows });
  const batchRows = fittingRows(MOST_BATCH_BYTES, rowBytes, batchSize);
  const read = (from: number): Promise<Buffer> => readEvents(connection, source, part, from, batchRows);
  let from = state.rowsDone(part.table);
  if (signal.aborted) return;
  let next = from < rows ? read(from) : null;
  while (next !== null && !signal.aborted) {
    const body = await next;
    const following = from + batchRows;
    const stored = store.ingest({
      source: source.name,
      body,
      form: 'lines',
      nowMicros,
      // Every stored event has an id. Events stored before the source had tenants may have no tenant.
      identity: { base: part.table, firstIndex: from },
      tenant: null,
    });
    // Read while the previous batch is being stored.
    next = following < rows ? read(following) : null;
    const [result] = await Promise.all([stored, next]);
    if (result.rejected > 0) {
      throw new Error(`${source.name}: ${result.rejected} events were refused, first: ${result.errors[0]?.message}`);
    }
    from = Math.min(following, rows);
    state.save(part.table, from);
    onProgress(before + from);
  }
}

async function compareDays(
  connection: DuckDBConnection,
  days: readonly Day[],
  { to }: CopyOptions
): Promise<readonly string[]> {
  const target = openCopyTarget(to);
  const differences: string[] = [];
  try {
    for (const stored of days) {
      const { source, day, parts } = stored;
      const [here, there] = await Promise.all([
        digestDay(connection, source, stored),
        target.digestDay(source, day, storedTexts(source, parts)),
      ]);
      const name = partTable(source.name, day, 0);
      if (here.rows !== there.rows) {
        differences.push(`${name}: ${here.rows} events in DuckDB, ${there.rows} in ClickHouse`);
      } else if (here.sums[0] !== there.sums[0] || here.sums[1] !== there.sums[1]) {
        differences.push(`${name}: ${here.rows} events each, but their checksums differ`);
      }
    }
    return differences;
  } finally {
    await target.close();
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
