/**
 * Finds days with events that a damaged file has lost, and replaces each by a sealed part with its other events. The
 * store must be closed: rows get other numbers. A crash before the replacement leaves the day as it was.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '#contract/events/source';
import { ServiceError } from '#contract/errors';
import { type DatabaseOptions, openDatabase } from '../file/database';
import { dropSealed, forgetSealed, missingSealedTables, replaceParts } from '../file/sealed-tables';
import { countRows } from '../read/stored-rows';
import { createTarget } from '../seal/copy-rows';
import { commonColumns, type DayUnderSeal, newSealedPart } from '../seal/day-under-seal';
import { printPartRows } from '../seal/part-rows';
import { printLayoutInsert } from '../sealed-layout/sealed-layout';
import { createFieldRegistry } from '../sources/field-registry';
import { loadParts } from '../sources/load-parts';
import { SourceState } from '../sources/source-state';
import { isDamaged, openFailure } from '../statements/store-errors';
import { dayName, type Part, parsePartTable, SEALED_DATABASE } from '../tables/part';
import { quoteName } from '../tables/quoting';
import { printRowRange } from '../tables/row-range';
import { partsOf, storedDays } from '../tables/stored-parts';
import { readableRows } from './readable-rows';

export interface DamagedEvents {
  /** E.g. `edge_requests/2026-11-02`. */
  readonly name: string;
  /** Events that can be read. */
  readonly readable: number;
  /** Events that cannot be read; null: their number cannot be read either. */
  readonly lost: number | null;
}

export interface DropDamagedOptions extends DatabaseOptions {
  readonly sources: readonly Source[];
  /** False: days are only found. */
  readonly isDropping: boolean;
  readonly signal: AbortSignal;
  /** Called for each day with damage, after it was found or replaced. */
  readonly onDay: (day: DamagedEvents) => void;
}

/** A day of a source with its parts. */
type Day = Pick<DayUnderSeal, 'state' | 'day' | 'from'>;

/** @returns the number of days that were read. @throws ServiceError when the store cannot be opened */
export async function dropDamaged(options: DropDamagedOptions): Promise<number> {
  const { sources, isDropping, signal, onDay } = options;
  const database = await openDatabase(options);
  try {
    const connection = await database.connect();
    const missing = await missingSealedTables(connection);
    const states = await loadStates(connection, sources, missing).catch((error: unknown) => {
      throw openFailure(error);
    });
    const withoutSealed = new Set([...missing].map(dayOfTable));
    let days = 0;
    for (const state of states) {
      for (const day of storedDays(state)) {
        const found = { state, day, from: partsOf(state, day) };
        const counts = await readDay(connection, found, signal);
        const isMissing = withoutSealed.delete(nameOf(found));
        days++;
        if (counts.lost === 0 && !isMissing) continue;
        const { readable, lost } =
          isDropping && counts.lost !== 0 ? await replaceDay(connection, found, signal) : counts;
        onDay({ name: nameOf(found), readable, lost: isMissing ? null : lost });
      }
    }
    for (const name of withoutSealed) onDay({ name, readable: 0, lost: null });
    if (isDropping) {
      await forgetSealed(connection, missing);
      await connection.run(`CHECKPOINT ${SEALED_DATABASE}`);
    }
    connection.closeSync();
    return days + withoutSealed.size;
  } finally {
    database.close();
  }
}

async function loadStates(
  connection: DuckDBConnection,
  sources: readonly Source[],
  missing: ReadonlySet<string>
): Promise<readonly SourceState[]> {
  await createFieldRegistry(connection);
  const stored = await loadParts(connection, sources, missing);
  const states: SourceState[] = [];
  for (const source of sources) states.push(await SourceState.load(connection, source, stored.get(source.name)));
  return states;
}

type Counts = Pick<DamagedEvents, 'readable' | 'lost'>;

async function readDay(connection: DuckDBConnection, day: Day, signal: AbortSignal): Promise<Counts> {
  const read = async (part: Part, from: number, to: number): Promise<void> => {
    const names = [...part.columns.keys()].map(quoteName).join(', ');
    const rows = `${printPartRows(part, part.columns)} ${printRowRange(part, from, to)}`;
    await connection.runAndReadAll(`SELECT CAST(sum(hash(${names})) AS VARCHAR) FROM (${rows})`);
  };
  return readParts(connection, day, read, signal);
}

async function replaceDay(connection: DuckDBConnection, day: Day, signal: AbortSignal): Promise<Counts> {
  const columns = commonColumns(day.from, day.state);
  if (columns === null) {
    const message = `The parts of ${nameOf(day)} have columns of different types: restore a backup.`;
    throw new ServiceError('backend_error', message);
  }
  // Layouts that save space are chosen by a sample of the rows, which may not be readable.
  const layout = { columns, templates: [], derived: [], message: null, hasUuids: false };
  const { target, order } = newSealedPart({ ...day, layout, nowMs: Date.now() });
  await createTarget(connection, { target, layout });
  try {
    const copy = async (part: Part, from: number, to: number): Promise<void> => {
      const rows = `${printPartRows(part, columns)} ${printRowRange(part, from, to)}`;
      await connection.run(printLayoutInsert(target, layout, rows, order));
    };
    const counts = await readParts(connection, day, copy, signal);
    if ((await countRows(connection, target)) !== counts.readable) {
      throw new Error(`The copied events of ${nameOf(day)} are not as many as were read.`);
    }
    await replaceParts(connection, day.from, counts.readable === 0 ? null : target);
    return counts;
  } finally {
    await dropSealed(connection, [...day.from, target]);
  }
}

/** @param use called for rows of a part; rejects when they cannot be read */
async function readParts(
  connection: DuckDBConnection,
  { from }: Day,
  use: (part: Part, from: number, to: number) => Promise<void>,
  signal: AbortSignal
): Promise<Counts> {
  let readable = 0;
  let lost: number | null = 0;
  for (const part of from) {
    const rows = await countRows(connection, part).catch((error: unknown) => {
      if (!isDamaged(error)) throw error;
      return null;
    });
    if (rows === null) {
      lost = null;
      continue;
    }
    const read = await readableRows(rows, (first, end) => use(part, first, end), signal);
    readable += read;
    if (lost !== null) lost += rows - read;
  }
  return { readable, lost };
}

function nameOf({ state, day }: Day): string {
  return dayName(state.source.name, day);
}

function dayOfTable(table: string): string {
  const name = parsePartTable(table);
  return name === null ? table : dayName(name.source, name.day);
}
