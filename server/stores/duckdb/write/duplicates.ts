/** Finds events that are stored already. */
import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Source } from '#contract/events/source';
import type { EventRow } from '../../ingest/event/event-row';
import { daysOfRetry, KnownEvents } from '../../ingest/event/known-events';
import { dayOf, MICROS_PER_DAY } from '../../ingest/event/timestamp';
import { SEPARATOR } from './insert-statement';
import type { Part } from '../tables/part';
import { quotePart } from '../tables/quoting';
import type { SourceState } from '../sources/source-state';
import type { StatementCache } from '../statements/statement-cache';
import { partsOf, type StoredParts } from '../tables/stored-parts';
import { printTenant, tenantOf } from './stored-tenant';

/** @returns the rows that are in no part yet. */
export async function dropStored(
  statements: StatementCache,
  { source, ...stored }: Pick<SourceState, 'source' | keyof StoredParts>,
  rows: readonly EventRow[]
): Promise<EventRow[]> {
  const known = new KnownEvents();
  for (const [day, sought] of rowsByDay(rows)) {
    for (const part of partsOf(stored, day)) {
      const newest = part.newestMicros ?? Infinity;
      const older = sought.filter((row) => !row.hasOwnTime || row.micros <= newest);
      if (older.length > 0) await collectStored(statements, source, part, older, known);
    }
  }
  return known.size === 0 ? [...rows] : rows.filter((row) => !known.has(row));
}

/** Rows by the days in which they may be stored already. */
function rowsByDay(rows: readonly EventRow[]): Map<number, EventRow[]> {
  const byDay = new Map<number, EventRow[]>();
  const add = (day: number, row: EventRow): void => {
    const list = byDay.get(day);
    if (list === undefined) byDay.set(day, [row]);
    else list.push(row);
  };
  for (const row of rows) {
    for (const day of row.hasOwnTime ? [dayOf(row.micros)] : daysOfRetry(row.micros)) add(day, row);
  }
  return byDay;
}

async function collectStored(
  statements: StatementCache,
  source: Source,
  part: Part,
  rows: readonly EventRow[],
  known: KnownEvents
): Promise<void> {
  const statement = await statements.prepare(`stored ${part.table}`, () => printLookup(source, part));
  bindLookup(statement, part, rows);
  const reader = await statement.runAndReadAll().finally(() => statement.clearBindings());
  for (const [id, micros, ...tenant] of reader.getRows()) {
    known.add({ id: String(id), micros: Number(micros), tenant: tenantOf(source, tenant[0], tenant[1]) });
  }
}

/** The time bounds let DuckDB skip row groups by their smallest and largest values. */
function printLookup(source: Source, part: Part): string {
  return `SELECT id, epoch_us("timestamp"), ${printTenant(source, part)} FROM ${quotePart(part)}
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
