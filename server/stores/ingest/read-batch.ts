/** Body in, rows and refusals out. The field tree of the source grows on the way; the caller saves or reloads it. */
import { isUtf8 } from 'node:buffer';
import type { IngestError } from '#contract/result';
import { visitEntries } from './batch-entries';
import type { EventReader } from './event-reader';
import { EntryRejection, type EventRow } from './event-row';
import { MAX_REPORTED_ERRORS } from './limits';

export interface ReadBatch {
  readonly rows: readonly EventRow[];
  readonly rejected: number;
  /** The first of the rejected. */
  readonly errors: readonly IngestError[];
}

/** @throws ServiceError `body_invalid` when the body cannot be split into entries. */
export function readBatch(reader: EventReader, body: Uint8Array, nowMicros: number): ReadBatch {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const isValidText = isUtf8(buffer);
  const rows: EventRow[] = [];
  const errors: IngestError[] = [];
  let rejected = 0;
  reader.beginBatch(nowMicros);
  visitEntries(buffer, reader.scanner, ({ index, start, end, token, failure }) => {
    try {
      if (!isValidText && !isUtf8(buffer.subarray(start, end))) {
        throw new EntryRejection('bad_utf8', 'the entry is not valid UTF-8');
      }
      if (failure !== null) throw failure;
      rows.push(reader.read(buffer, start, end, token, index));
    } catch (error) {
      if (!(error instanceof EntryRejection)) throw error;
      rejected++;
      if (errors.length < MAX_REPORTED_ERRORS) errors.push({ index, code: error.code, message: error.message });
    }
  });
  return { rows, rejected, errors };
}
