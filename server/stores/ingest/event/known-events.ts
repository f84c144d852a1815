/**
 * Equality of events. Events with the same tenant, id and timestamp are the same; an event without its own timestamp
 * equals any event of its tenant and id from a day before its arrival to a day after, since its retry arrives at
 * another time, and the clock may have been set back.
 */
import type { EventRow } from './event-row';
import { dayOf } from './timestamp';

/** Identity of an event. */
export type EventMark = Pick<EventRow, 'id' | 'tenant' | 'micros'>;

/** Set of events. A look-up takes constant time, even when many events share an id. */
export class KnownEvents {
  /** Events by id. Most ids have one event. */
  private readonly byId = new Map<string, EventMark | SharedId>();

  get size(): number {
    return this.byId.size;
  }

  add(event: EventMark): void {
    const found = this.byId.get(event.id);
    if (found === undefined) this.byId.set(event.id, event);
    else if (found instanceof SharedId) found.change(event, 1);
    else this.byId.set(event.id, new SharedId([found, event]));
  }

  remove(event: EventMark): void {
    const found = this.byId.get(event.id);
    if (found === undefined) return;
    if (found instanceof SharedId) found.change(event, -1);
    if (!(found instanceof SharedId) || found.isEmpty) this.byId.delete(event.id);
  }

  clear(): void {
    this.byId.clear();
  }

  has(event: EventMark & Pick<EventRow, 'hasOwnTime'>): boolean {
    const found = this.byId.get(event.id);
    if (found === undefined) return false;
    if (found instanceof SharedId) return found.has(event);
    if (found.tenant !== event.tenant) return false;
    return event.hasOwnTime ? found.micros === event.micros : daysOfRetry(event.micros).includes(dayOf(found.micros));
  }
}

/** Events with the same id, counted by time and by day. */
class SharedId {
  private readonly byTime = new Map<string, number>();
  private readonly byDay = new Map<string, number>();

  constructor(events: readonly EventMark[]) {
    for (const event of events) this.change(event, 1);
  }

  get isEmpty(): boolean {
    return this.byTime.size === 0;
  }

  change(event: EventMark, by: 1 | -1): void {
    count(this.byTime, keyOf(event.micros, event.tenant), by);
    count(this.byDay, keyOf(dayOf(event.micros), event.tenant), by);
  }

  has({ tenant, micros, hasOwnTime }: EventMark & Pick<EventRow, 'hasOwnTime'>): boolean {
    if (hasOwnTime) return this.byTime.has(keyOf(micros, tenant));
    return daysOfRetry(micros).some((day) => this.byDay.has(keyOf(day, tenant)));
  }
}

/** No tenant and the tenant with an empty name are two. */
function keyOf(time: number, tenant: string | null): string {
  return tenant === null ? String(time) : `${time} ${tenant}`;
}

/** Days on which an event without its own timestamp may have arrived before: a clock that goes back passes midnight. */
export function daysOfRetry(micros: number): readonly [before: number, day: number, after: number] {
  const day = dayOf(micros);
  return [day - 1, day, day + 1];
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + by;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

/** @returns the rows that do not equal an earlier one of the batch. */
export function dropRepeated<R extends EventMark & Pick<EventRow, 'hasOwnTime'>>(rows: readonly R[]): R[] {
  if (new Set(rows.map(({ id }) => id)).size === rows.length) return [...rows];
  const known = new KnownEvents();
  return rows.filter((row) => {
    if (known.has(row)) return false;
    known.add(row);
    return true;
  });
}
