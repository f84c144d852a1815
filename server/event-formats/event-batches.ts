/** Collects the entries of one request by source, within the bounds of a batch, and remembers what was refused. */
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_BYTES, type Source } from '#contract/source';
import type { SourceChooser } from './choose-source';
import { RecordRefusal, tooLarge } from './record-refusal';
import type { ReadEvent } from './sent-event';
import { writeEntry } from './write-entry';

/** Each costs a few bytes to send and hundreds to keep. */
export const MAX_EVENTS = 1_000_000;

export interface EntryBatch {
  readonly source: string;
  readonly lines: Buffer[];
  /** Places of the entries in the request, from zero. */
  readonly places: number[];
}

export interface RefusedEvent {
  readonly place: number;
  readonly code: string;
  readonly message: string;
}

export class EventBatches {
  private readonly bySource = new Map<string, EntryBatch>();
  private readonly chooser: SourceChooser;
  private readonly maxBytes: number;
  private bytes = 0;
  private place = 0;
  /** By source; those that have none under the empty name. */
  readonly refusedCounts = new Map<string, number>();
  /** The first of the refused. */
  readonly refused: RefusedEvent[] = [];

  /** @param maxBytes of all entries together: what a group shares is written out with each of its events */
  constructor(chooser: SourceChooser, maxBytes: number) {
    this.chooser = chooser;
    this.maxBytes = maxBytes;
  }

  get batches(): readonly EntryBatch[] {
    return [...this.bySource.values()];
  }

  /** Events so far, refused ones among them. */
  get count(): number {
    return this.place;
  }

  /** @throws ServiceError `body_too_large` */
  add(read: ReadEvent): void {
    const place = this.place++;
    if (place >= MAX_EVENTS) throw new ServiceError('body_too_large', `A request may hold ${MAX_EVENTS} events.`);
    let source: Source | null = null;
    try {
      const { shared, event } = read;
      if (shared instanceof RecordRefusal) throw shared;
      if (event instanceof RecordRefusal) throw event;
      source = this.chooser.choose(event, shared);
      this.keep(source.name, place, Buffer.from(`${writeEntry(source, event, shared)}\n`));
    } catch (error) {
      if (!(error instanceof RecordRefusal)) throw error;
      this.refuse(source?.name ?? '', place, error);
    }
  }

  private keep(source: string, place: number, line: Buffer): void {
    this.bytes += line.length;
    if (this.bytes > this.maxBytes) {
      throw new ServiceError(
        'body_too_large',
        `The events have more than ${this.maxBytes} bytes when what they share is written out with each.`,
        { max_bytes: this.maxBytes, hint: 'send smaller batches' }
      );
    }
    if (line.length > MAX_ENTRY_BYTES) throw tooLarge();
    const found = this.bySource.get(source);
    const batch = found ?? { source, lines: [], places: [] };
    if (!found) this.bySource.set(source, batch);
    batch.lines.push(line);
    batch.places.push(place);
  }

  private refuse(source: string, place: number, { code, message }: RecordRefusal): void {
    this.refusedCounts.set(source, (this.refusedCounts.get(source) ?? 0) + 1);
    if (this.refused.length < MAX_SHOWN) this.refused.push({ place, code, message });
  }
}

const MAX_SHOWN = 100;
