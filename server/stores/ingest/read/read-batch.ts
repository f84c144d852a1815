/**
 * Reads a body into rows and errors. The field tree of the source grows with it; the caller saves or reloads the tree.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { IngestRequest } from '#contract/events/ingest';
import { type IngestError, MAX_REPORTED_ERRORS } from '#contract/queries/result';
import { type EntryPlace, type EntryVisitor, visitEntries, type VisitedEntry } from './batch-entries';
import type { EventReader } from './event-reader';
import { indexInBody } from '../event/event-identity';
import { EntryRejection, type EventRow, type RejectionCode } from '../event/event-row';

/** Place of a rejected entry in its body. */
export interface RejectedEntry {
  readonly start: number;
  readonly end: number;
  readonly code: RejectionCode;
}

export interface ReadBatch {
  readonly rows: readonly EventRow[];
  readonly rejected: number;
  /** The first errors. */
  readonly errors: readonly IngestError[];
  /** Start and end of each accepted entry in the body, in the order of `rows`. */
  readonly spans: readonly number[];
  readonly rejectedEntries: readonly RejectedEntry[];
}

export type BatchToRead = Pick<IngestRequest, 'form' | 'nowMicros' | 'identity' | 'tenant'> & {
  readonly body: Uint8Array;
};

/** Bytes per turn: some milliseconds, and a few more for entries that take the slow path. */
const TURN_BYTES = 128 * 1024;

/** @throws ServiceError `body_invalid` when the body cannot be split into entries. */
export function readBatch(reader: EventReader, batch: BatchToRead): ReadBatch {
  const reading = new BatchReading(reader, batch);
  reading.readOn(Infinity);
  return reading.result;
}

/** Like `readBatch`, with turns for other work. The reader must not be used for another batch at the same time. */
export async function readBatchInTurns(reader: EventReader, batch: BatchToRead): Promise<ReadBatch> {
  const reading = new BatchReading(reader, batch);
  while (!reading.readOn(TURN_BYTES)) await setImmediate();
  return reading.result;
}

class BatchReading {
  private readonly reader: EventReader;
  private readonly batch: BatchToRead;
  private readonly body: Buffer;
  private readonly isValidText: boolean;
  private readonly rows: EventRow[] = [];
  private readonly spans: number[] = [];
  private readonly errors: IngestError[] = [];
  private readonly rejectedEntries: RejectedEntry[] = [];
  private next: EntryPlace = { offset: 0, index: 0 };

  constructor(reader: EventReader, batch: BatchToRead) {
    this.reader = reader;
    this.batch = batch;
    this.body = Buffer.from(batch.body.buffer, batch.body.byteOffset, batch.body.byteLength);
    this.isValidText = isUtf8(this.body);
    reader.beginBatch(batch);
  }

  get result(): ReadBatch {
    const { rows, errors, spans, rejectedEntries } = this;
    return { rows, rejected: rejectedEntries.length, errors, spans, rejectedEntries };
  }

  /** @returns true when the whole body was read */
  readOn(bytes: number): boolean {
    const { body, batch, reader, next } = this;
    const visit: EntryVisitor = (entry) => this.read(entry);
    const entries = { body, form: batch.form, from: next, until: next.offset + bytes };
    const place = visitEntries(entries, reader.scanner, visit);
    if (place !== null) this.next = place;
    return place === null;
  }

  private read({ index: place, start, end, token, failure }: VisitedEntry): void {
    const { body, reader, errors } = this;
    const index = indexInBody(this.batch.identity, place);
    try {
      if (!this.isValidText && !isUtf8(body.subarray(start, end))) {
        throw new EntryRejection('bad_utf8', 'the entry is not valid UTF-8');
      }
      if (failure !== null) throw failure;
      this.rows.push(reader.read(body, start, end, token, index));
      this.spans.push(start, end);
    } catch (error) {
      if (!(error instanceof EntryRejection)) throw error;
      this.rejectedEntries.push({ start, end, code: error.code });
      if (errors.length < MAX_REPORTED_ERRORS) errors.push({ index, code: error.code, message: error.message });
    }
  }
}
