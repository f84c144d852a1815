/** Finds events that are stored already. */
import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { EventRow } from '../ingest/event-row';
import { isKnown, type KnownEvents, noteEvent } from '../ingest/known-events';
import { dayOf, MICROS_PER_DAY } from '../ingest/timestamp';
import { SEPARATOR } from './insert-statement';
import type { Part } from './part';
import { quoteName } from './quoting';
import type { StatementCache } from './statement-cache';

/** @returns the rows that no part has yet. */
export async function dropStored(
  statements: StatementCache,
  parts: ReadonlyMap<number, Part>,
  rows: readonly EventRow[]
): Promise<EventRow[]> {
  const known: KnownEvents = new Map();
  for (const [day, sought] of rowsByDay(rows)) {
    const part = parts.get(day);
    if (part === undefined) continue;
    const newest = part.newestMicros ?? Infinity;
    const older = sought.filter((row) => !row.hasOwnTime || row.micros <= newest);
    if (older.length > 0) await collectStored(statements, part, older, known);
  }
  return known.size === 0 ? [...rows] : rows.filter((row) => !isKnown(row, known));
}

/** The days in which each row may be stored already. */
function rowsByDay(rows: readonly EventRow[]): Map<number, EventRow[]> {
  const byDay = new Map<number, EventRow[]>();
  const add = (day: number, row: EventRow): void => {
    const list = byDay.get(day);
    if (list === undefined) byDay.set(day, [row]);
    else list.push(row);
  };
  for (const row of rows) {
    const day = dayOf(row.micros);
    add(day, row);
    if (!row.hasOwnTime) add(day - 1, row);
  }
  return byDay;
}

async function collectStored(
  statements: StatementCache,
  part: Part,
  rows: readonly EventRow[],
  known: KnownEvents
): Promise<void> {
  const statement = await statements.prepare(`stored ${part.table}`, () => printLookup(part.table));
  bindLookup(statement, part, rows);
  const reader = await statement.runAndReadAll();
  for (const [id, micros] of reader.getRows()) {
    noteEvent(known, String(id), Number(micros));
  }
}

/** The bounds on time let the store leave out row groups by their smallest and largest values. */
function printLookup(table: string): string {
  return `SELECT id, epoch_us("timestamp") FROM ${quoteName(table)}
    WHERE "timestamp" BETWEEN make_timestamp($1) AND make_timestamp($2)
      AND id IN (SELECT unnest(string_split($3, chr(0))))`;
}

function bindLookup(statement: DuckDBPreparedStatement, part: Part, rows: readonly EventRow[]): void {
  let from = Infinity;
  let to = -Infinity;
  for (const row of rows) {
    from = Math.min(from, row.hasOwnTime ? row.micros : part.day * MICROS_PER_DAY);
    to = Math.max(to, row.hasOwnTime ? row.micros : (part.day + 1) * MICROS_PER_DAY);
  }
  statement.bindBigInt(1, BigInt(from));
  statement.bindBigInt(2, BigInt(to));
  statement.bindVarchar(3, rows.map((row) => row.id).join(SEPARATOR));
}
