/**
 * Events of one source that are acknowledged and not yet committed: no statement finds them, and they must not be
 * stored twice.
 */
import type { EventRow } from '../ingest/event-row';
import { type EventMark, KnownEvents } from '../ingest/known-events';

export class PendingEvents {
  private readonly known = new KnownEvents();

  /** @returns marks for `remove`, which do not keep the rows in memory. */
  add(rows: readonly EventRow[]): readonly EventMark[] {
    const marks = rows.map(({ id, tenant, micros }) => ({ id, tenant, micros }));
    for (const mark of marks) this.known.add(mark);
    return marks;
  }

  remove(events: readonly EventMark[]): void {
    for (const event of events) this.known.remove(event);
  }

  clear(): void {
    this.known.clear();
  }

  has(row: EventRow): boolean {
    return this.known.has(row);
  }
}
