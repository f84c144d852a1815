/** Events of one source that are acknowledged and not yet committed, by id: no statement finds them, and they must not be stored twice. */
import type { EventRow } from '../ingest/event-row';
import { isKnown, type KnownEvents, noteEvent } from '../ingest/known-events';

/** What is left of a row once its bytes are in the tables: enough to forget it. */
export interface PendingEvent {
  readonly id: string;
  readonly micros: number;
}

export class PendingEvents {
  private readonly timesById: KnownEvents = new Map();

  /** @returns what to pass to `remove`. */
  add(rows: readonly EventRow[]): readonly PendingEvent[] {
    for (const { id, micros } of rows) noteEvent(this.timesById, id, micros);
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

  has(row: EventRow): boolean {
    return isKnown(row, this.timesById);
  }
}
