/**
 * When two events are the same. Same id and timestamp is the same event; an event without a time of its own is the same as any of its id
 * from today or yesterday, since a retry of it arrives at another time.
 */
import type { EventRow } from './event-row';
import { dayOf } from './timestamp';

/** Times by id. */
export type KnownEvents = Map<string, number[]>;

export function noteEvent(known: KnownEvents, id: string, micros: number): void {
  const times = known.get(id);
  if (times === undefined) known.set(id, [micros]);
  else times.push(micros);
}

/** @returns the rows that are not the same as an earlier one of the batch. */
export function dropRepeated<R extends Pick<EventRow, 'id' | 'micros' | 'hasOwnTime'>>(rows: readonly R[]): R[] {
  const known: KnownEvents = new Map();
  return rows.filter((row) => {
    if (isKnown(row, known)) return false;
    noteEvent(known, row.id, row.micros);
    return true;
  });
}

export function isKnown(
  { id, micros, hasOwnTime }: Pick<EventRow, 'id' | 'micros' | 'hasOwnTime'>,
  known: ReadonlyMap<string, readonly number[]>
): boolean {
  const times = known.get(id);
  if (times === undefined) return false;
  if (hasOwnTime) return times.includes(micros);
  const today = dayOf(micros);
  return times.some((time) => dayOf(time) === today || dayOf(time) === today - 1);
}
