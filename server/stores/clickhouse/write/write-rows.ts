/** Writes the events of a batch in the form of an insert, all into one buffer: millions of small ones cost more. */
import type { EventRow } from '../../ingest/event/event-row';
import { ByteOutput } from '../rows/byte-output';
import { markOf } from '../schema/insert-mark';
import type { SourceState } from './source-state';
import type { WaitingRow } from './waiting-batches';

/** Rows of metadata whose fields have columns are longer than their JSON; a buffer that is too small is copied. */
const BYTES_PER_BODY_BYTE = 1.5;
/** Many small writes cost more than a copy. */
const MAX_PIECES = 64;

/** @param mark of the insert; null: the table has no column for it */
export function writeRows(
  { binary, writer }: SourceState,
  events: readonly EventRow[],
  mark: bigint | null,
  bodyBytes: number
): WaitingRow[] {
  const output = new ByteOutput(Math.ceil(bodyBytes * BYTES_PER_BODY_BYTE));
  binary?.prepare();
  return events.map((event) => {
    const { index, id, tenant, micros, hasOwnTime } = event;
    const rowMark = mark === null ? null : markOf(mark, hasOwnTime);
    const start = output.length;
    if (binary !== null) binary.write(event, rowMark, output);
    else output.all(writer.write(event, rowMark));
    const text = (): string => writer.write(event, rowMark).toString('utf8');
    const columns = binary?.columns ?? null;
    return { index, id, tenant, micros, hasOwnTime, output, start, end: output.length, columns, text };
  });
}

/** The bytes of rows, without a copy where they follow one another. */
export function bytesOf(rows: readonly WaitingRow[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let first = rows[0];
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    if (next?.output === row.output && next.start === row.end) continue;
    if (first !== undefined) pieces.push(row.output.buffer.subarray(first.start, row.end));
    first = next;
  }
  return pieces.length > MAX_PIECES ? [Buffer.concat(pieces)] : pieces;
}
