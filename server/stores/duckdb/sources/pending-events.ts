/**
 * Events of one source that are acknowledged and not yet committed: no statement finds them, and they must not be
 * stored twice.
 */
import type { EventRow } from '../../ingest/event/event-row';
import { type EventMark, KnownEvents } from '../../ingest/event/known-events';

interface Span {
  readonly fromMicros: number;
  readonly toMicros: number;
}

export class PendingEvents {
  private readonly known = new KnownEvents();
  /**
   * Batches whose events are not in `known` yet. Most senders send in the order of time: then no later batch has events
   * within the time of an earlier one, and nothing ever gets there.
   */
  private readonly apart = new Map<readonly EventMark[], Span>();

  /** @returns marks for `remove`, which do not keep the rows in memory. */
  add(rows: readonly EventRow[]): readonly EventMark[] {
    const marks = rows.map(({ id, tenant, micros }) => ({ id, tenant, micros }));
    this.apart.set(marks, spanOf(marks));
    return marks;
  }

  /** @param events as `add` has returned them */
  remove(events: readonly EventMark[]): void {
    if (this.apart.delete(events)) return;
    for (const event of events) this.known.remove(event);
  }

  clear(): void {
    this.known.clear();
    this.apart.clear();
  }

  /** @returns the rows that are not pending */
  without(rows: readonly EventRow[]): readonly EventRow[] {
    // The arrival of an event is no time by which its retry is found.
    const span = rows.every(({ hasOwnTime }) => hasOwnTime) ? spanOf(rows) : null;
    for (const [events, { fromMicros, toMicros }] of this.apart) {
      if (span !== null && (span.toMicros < fromMicros || span.fromMicros > toMicros)) continue;
      for (const event of events) this.known.add(event);
      this.apart.delete(events);
    }
    return this.known.size === 0 ? rows : rows.filter((row) => !this.known.has(row));
  }
}

function spanOf(events: readonly { readonly micros: number }[]): Span {
  let [fromMicros, toMicros] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { micros } of events) {
    if (micros < fromMicros) fromMicros = micros;
    if (micros > toMicros) toMicros = micros;
  }
  return { fromMicros, toMicros };
}
