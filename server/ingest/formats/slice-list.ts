/**
 * Collects the entries of a body into consecutive slices, bounded in count and bytes, so that parsing one takes
 * milliseconds.
 */
import { ServiceError } from '#contract/errors';
import type { BodyForm } from '#contract/events/ingest';

export const SLICE_ENTRIES = 1_000;
export const SLICE_BYTES = 1536 * 1024;

/** Consecutive entries of a body that are stored together. */
export interface BodySlice {
  readonly form: Exclude<BodyForm, 'any'>;
  readonly bytes: Buffer;
  /** Index of the first entry in the body. */
  readonly firstIndex: number;
}

export class SliceList {
  private readonly body: Buffer;
  private readonly form: BodySlice['form'];
  private readonly maxEntries: number;
  private readonly slices: BodySlice[] = [];
  private readonly oversized: number[] = [];
  private count = 0;
  private start = 0;
  private end = 0;
  private firstIndex = 0;
  private entries = 0;

  constructor(body: Buffer, form: BodySlice['form'], maxEntries: number) {
    this.body = body;
    this.form = form;
    this.maxEntries = maxEntries;
  }

  /** @returns whether the entry is in a slice */
  add(start: number, end: number, isOversized: boolean): boolean {
    const index = this.count++;
    if (index >= this.maxEntries) return false;
    if (isOversized) {
      this.close();
      this.oversized.push(index);
      return false;
    }
    if (this.entries >= SLICE_ENTRIES || (this.entries > 0 && end - this.start > SLICE_BYTES)) this.close();
    if (this.entries === 0) {
      this.start = start;
      this.firstIndex = index;
    }
    this.entries++;
    this.end = end;
    return true;
  }

  /** @throws ServiceError `body_too_large` */
  finish(): { readonly slices: readonly BodySlice[]; readonly count: number; readonly oversized: readonly number[] } {
    if (this.count > this.maxEntries) throw tooManyEvents(this.maxEntries, this.count);
    this.close();
    return { slices: this.slices, count: this.count, oversized: this.oversized };
  }

  private close(): void {
    if (this.entries === 0) return;
    const { form, firstIndex } = this;
    this.slices.push({ form, bytes: this.body.subarray(this.start, this.end), firstIndex });
    this.entries = 0;
  }
}

/** @param events null: counting stopped at the limit */
export function tooManyEvents(maxEvents: number, events: number | null): ServiceError {
  const found = events === null ? `more than ${maxEvents}` : String(events);
  return new ServiceError(
    'body_too_large',
    `The request holds ${found} events; ${maxEvents} are allowed. Send smaller batches.`,
    { max_events: maxEvents, ...(events === null ? {} : { events }) }
  );
}
