/**
 * When two events are the same. Same tenant, id and timestamp is the same event; an event without a time of its own is the same as any of
 * its tenant and id from today or yesterday, since a retry of it arrives at another time.
 */
import type { EventRow } from './event-row';
import { dayOf } from './timestamp';

/** What tells one event from another. */
export type EventMark = Pick<EventRow, 'id' | 'tenant' | 'micros'>;

/** Counts events by what makes them the same. Look-ups take the same time however many events share an id. */
export class KnownEvents {
  private readonly byTime = new Map<string, number>();
  private readonly byDay = new Map<string, number>();

  get size(): number {
    return this.byTime.size;
  }

  add(event: EventMark): void {
    change(this.byTime, timeKey(event), 1);
    change(this.byDay, dayKey(event, dayOf(event.micros)), 1);
  }

  remove(event: EventMark): void {
    change(this.byTime, timeKey(event), -1);
    change(this.byDay, dayKey(event, dayOf(event.micros)), -1);
  }

  clear(): void {
    this.byTime.clear();
    this.byDay.clear();
  }

  has(event: EventMark & Pick<EventRow, 'hasOwnTime'>): boolean {
    if (this.byTime.size === 0) return false;
    if (event.hasOwnTime) return this.byTime.has(timeKey(event));
    const today = dayOf(event.micros);
    return this.byDay.has(dayKey(event, today)) || this.byDay.has(dayKey(event, today - 1));
  }
}

/** @returns the rows that are not the same as an earlier one of the batch. */
export function dropRepeated<R extends EventMark & Pick<EventRow, 'hasOwnTime'>>(rows: readonly R[]): R[] {
  const known = new KnownEvents();
  return rows.filter((row) => {
    if (known.has(row)) return false;
    known.add(row);
    return true;
  });
}

/** Ids and tenants hold no NUL. */
function timeKey({ id, tenant, micros }: EventMark): string {
  return `${id}\0${micros}\0${tenant ?? ''}`;
}

function dayKey({ id, tenant }: EventMark, day: number): string {
  return `${id}\0${day}\0${tenant ?? ''}`;
}

function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
