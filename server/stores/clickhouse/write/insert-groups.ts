/** Divides rows into inserts. */
import { dayOf } from '../../ingest/event/timestamp';
import type { WaitingRow } from './waiting-batches';

/**
 * ClickHouse refuses inserts with more days (`max_partitions_per_insert_block`). Each day is a part to be synced to
 * disk: with thousands, an insert would take longer than the connection waits.
 */
export const MAX_DAYS = 100;

/** Rows of a group list the same columns, and have few days. */
export function insertGroups(rows: readonly WaitingRow[]): readonly (readonly WaitingRow[])[] {
  return alike(rows).flatMap(withFewDays);
}

/** All rows are in one group, unless a field has just got known. */
function alike(rows: readonly WaitingRow[]): readonly (readonly WaitingRow[])[] {
  const groups: WaitingRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]!.columns === row.columns) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

function withFewDays(rows: readonly WaitingRow[]): readonly (readonly WaitingRow[])[] {
  const days = [...new Set(rows.map(({ micros }) => dayOf(micros)))];
  if (days.length <= MAX_DAYS) return [rows];
  const groups = Array.from({ length: Math.ceil(days.length / MAX_DAYS) }, (): WaitingRow[] => []);
  const groupOf = new Map(days.map((day, index) => [day, groups[Math.floor(index / MAX_DAYS)]!]));
  for (const row of rows) groupOf.get(dayOf(row.micros))!.push(row);
  return groups;
}
