/** Body in, rows and refusals out. The field tree of the source grows on the way; the caller saves or reloads it. */
import { isUtf8 } from 'node:buffer';
import type { IngestRequest } from '#contract/ingest';
import { type IngestError, MAX_REPORTED_ERRORS } from '#contract/result';
import { visitEntries } from './batch-entries';
import type { EventReader } from './event-reader';
import { indexInBody } from './event-identity';
import { EntryRejection, type EventRow } from './event-row';

export interface ReadBatch {
  readonly rows: readonly EventRow[];
  readonly rejected: number;
  /** The first of the rejected. */
  readonly errors: readonly IngestError[];
  /** Start and end of each good entry in the body, in the order of `rows`. */
  readonly spans: readonly number[];
}

export type BatchToRead = Pick<IngestRequest, 'form' | 'nowMicros' | 'identity' | 'tenant'> & {
  readonly body: Uint8Array;
};

/** @throws ServiceError `body_invalid` when the body cannot be split into entries. */
export function readBatch(reader: EventReader, batch: BatchToRead): ReadBatch {
  const { body, form, identity } = batch;
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const isValidText = isUtf8(buffer);
  const rows: EventRow[] = [];
  const spans: number[] = [];
  const errors: IngestError[] = [];
  let rejected = 0;
  reader.beginBatch(batch);
  visitEntries(buffer, form, reader.scanner, ({ index: place, start, end, token, failure }) => {
    const index = indexInBody(identity, place);
    try {
      if (!isValidText && !isUtf8(buffer.subarray(start, end))) {
        throw new EntryRejection('bad_utf8', 'the entry is not valid UTF-8');
      }
      if (failure !== null) throw failure;
      rows.push(reader.read(buffer, start, end, token, index));
      spans.push(start, end);
    } catch (error) {
      if (!(error instanceof EntryRejection)) throw error;
      rejected++;
      if (errors.length < MAX_REPORTED_ERRORS) errors.push({ index, code: error.code, message: error.message });
    }
  });
  return { rows, rejected, errors, spans };
}
