/** Events of one source that are acknowledged and not yet committed, by id: no statement finds them, and they must not be stored twice. */
import type { EventRow } from '../ingest/event-row';
import { dayOf } from '../ingest/timestamp';

/** What is left of a row once its bytes are in the tables: enough to forget it. */
export interface PendingEvent {
  readonly id: string;
  readonly micros: number;
}

export class PendingEvents {
  private readonly timesById = new Map<string, number[]>();

  /** @returns what to pass to `remove`. */
  add(rows: readonly EventRow[]): readonly PendingEvent[] {
    for (const { id, micros } of rows) {
      const times = this.timesById.get(id);
      if (times === undefined) this.timesById.set(id, [micros]);
      else times.push(micros);
    }
    return rows.map(({ id, micros }) => ({ id, micros }));
  }

  remove(events: readonly PendingEvent[]): void {
    for (const { id, micros } of events) {
      const times = this.timesById.get(id);
      if (times === undefined) continue;
      if (times.length === 1) this.timesById.delete(id);
      else times.splice(times.indexOf(micros), 1);
    }
  }

  clear(): void {
    this.timesById.clear();
  }

  /** Same rule as for stored events: an event without a time of its own is the same as any of its id from today or yesterday. */
  has({ id, micros, hasOwnTime }: EventRow): boolean {
    const times = this.timesById.get(id);
    if (times === undefined) return false;
    if (hasOwnTime) return times.includes(micros);
    const today = dayOf(micros);
    return times.some((time) => dayOf(time) === today || dayOf(time) === today - 1);
  }
}
