/** Groups the entries of one request by source, within the limits of a request, and collects the refused ones. */
import { createHash, type Hash } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_BYTES, type Source } from '#contract/events/source';
import type { SourceChooser } from './choose-source';
import { RecordRefusal, tooLarge } from '../record-refusal';
import { isFineTime } from './fine-time';
import type { ReadEvent, SentEvent } from './sent-event';
import { SLICE_BYTES, SLICE_ENTRIES, tooManyEvents } from '../slice-list';
import type { BodySlice } from '../slice-list';
import { writeEntry } from './write-entry';

/** The entries of one source. */
export interface EntryBatch {
  readonly source: string;
  readonly slices: readonly BodySlice[];
  /** Indexes of the entries in the request, from 0. */
  readonly places: readonly number[];
  /** SHA-256 of the entries, behind the digest of the body where that was changed. */
  readonly digest: Buffer;
  /** True when an entry has its own timestamp, finer than a second. */
  readonly hasFineTime: boolean;
}

export interface RefusedEvent {
  readonly place: number;
  readonly code: string;
  readonly message: string;
}

export interface EventLimits {
  readonly maxEvents: number;
  /** Maximum bytes of all entries together: each has the shared fields of its group, and JSON has escapes. */
  readonly maxBytes: number;
  /** Maximum refused events that are reported one by one. */
  readonly maxRefused: number;
}

export class EventBatches {
  private readonly bySource = new Map<string, Collector>();
  private readonly chooser: SourceChooser;
  private readonly limits: EventLimits;
  private readonly sentDigest: Buffer | null;
  private bytes = 0;
  private place = 0;
  /** Refused events by source; those without a source under the empty name. */
  readonly refusedCounts = new Map<string, number>();
  /** The first refused events. */
  readonly refused: RefusedEvent[] = [];

  /**
   * @param sentDigest of a body in which bytes were replaced: bodies that differ in those alone are different requests.
   * @default null, for one that is read as it was sent
   */
  constructor(chooser: SourceChooser, limits: EventLimits, sentDigest: Buffer | null = null) {
    this.chooser = chooser;
    this.limits = limits;
    this.sentDigest = sentDigest;
  }

  /** Called once, after the last event. */
  finish(): readonly EntryBatch[] {
    return [...this.bySource.values()].map((collector) => collector.finish());
  }

  /** Number of events so far, including refused ones. */
  get count(): number {
    return this.place;
  }

  /** @throws ServiceError `body_too_large` */
  add({ shared, event }: ReadEvent): void {
    const place = this.place++;
    if (place >= this.limits.maxEvents) throw tooManyEvents(this.limits.maxEvents, null);
    let source: Source | null = null;
    try {
      if (shared instanceof RecordRefusal) throw shared;
      if (event instanceof RecordRefusal) throw event;
      source = this.chooser.choose(event, shared);
      const line = Buffer.from(`${writeEntry(source, event, shared)}\n`);
      this.ensureRoom(line.length);
      if (line.length > MAX_ENTRY_BYTES) throw tooLarge();
      this.collectorOf(source).add(line, place, hasFineTime(event));
    } catch (error) {
      if (!(error instanceof RecordRefusal)) throw error;
      if (error.code !== 'no_source') source ??= this.chooser.sourceOfGroup(shared);
      this.refuse(source?.name ?? '', place, error);
    }
  }

  private ensureRoom(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes <= this.limits.maxBytes) return;
    throw new ServiceError(
      'body_too_large',
      `The events have more than ${this.limits.maxBytes} bytes as JSON, each with what it shares with others.`,
      { max_bytes: this.limits.maxBytes, hint: 'send smaller batches' }
    );
  }

  private collectorOf({ name }: Source): Collector {
    const found = this.bySource.get(name) ?? new Collector(name, this.sentDigest);
    this.bySource.set(name, found);
    return found;
  }

  private refuse(source: string, place: number, { code, message }: RecordRefusal): void {
    this.refusedCounts.set(source, (this.refusedCounts.get(source) ?? 0) + 1);
    if (this.refused.length < this.limits.maxRefused) this.refused.push({ place, code, message });
  }
}

const NANOS_PER_SECOND = 1_000_000_000n;

function hasFineTime({ nanos, time }: SentEvent): boolean {
  if (nanos !== null) return nanos % NANOS_PER_SECOND !== 0n;
  return time !== undefined && 'text' in time && isFineTime(time.text);
}

class Collector {
  private readonly source: string;
  private readonly slices: BodySlice[] = [];
  private readonly places: number[] = [];
  private readonly hash: Hash = createHash('sha256');
  private hasFineTime = false;
  private lines: Buffer[] = [];
  private bytes = 0;

  constructor(source: string, sentDigest: Buffer | null) {
    this.source = source;
    if (sentDigest !== null) this.hash.update(sentDigest);
  }

  add(line: Buffer, place: number, isFine: boolean): void {
    if (this.lines.length >= SLICE_ENTRIES || (this.lines.length > 0 && this.bytes + line.length > SLICE_BYTES))
      this.close();
    this.lines.push(line);
    this.bytes += line.length;
    this.places.push(place);
    this.hasFineTime ||= isFine;
    this.hash.update(line);
  }

  finish(): EntryBatch {
    this.close();
    const { source, slices, places, hasFineTime } = this;
    return { source, slices, places, digest: this.hash.digest(), hasFineTime };
  }

  private close(): void {
    if (this.lines.length === 0) return;
    const firstIndex = this.places.length - this.lines.length;
    this.slices.push({ form: 'lines', bytes: Buffer.concat(this.lines), firstIndex });
    this.lines = [];
    this.bytes = 0;
  }
}
