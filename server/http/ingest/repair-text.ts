/**
 * Text of an ingest body. Shippers forward the bytes of log lines as they are, in ISO 8859-1 for example: what is not
 * UTF-8 becomes U+FFFD, so that one such line costs neither itself nor the events that were sent with it.
 */
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '#contract/errors';
import { inTurns } from '../../ingest/in-turns';
import type { BodyReservation } from '../bodies/body-budget';

export interface RepairLimits {
  /** Of a copy of the body, which has up to three bytes for each that is not UTF-8. */
  readonly maxBytes: number;
  readonly memory: Pick<BodyReservation, 'add'>;
}

/**
 * @returns the same buffer when it is UTF-8
 * @throws ServiceError `body_too_large`, and those of the memory
 */
export function repairUtf8(body: Buffer, limits: RepairLimits): Promise<Buffer> {
  return inTurns(repair(body, limits));
}

/** Like `repairUtf8`; a body with NUL is compressed or in UTF-16. @throws ServiceError `encoding_invalid` for one */
export async function repairText(body: Buffer, limits: RepairLimits): Promise<Buffer> {
  await inTurns(ensureNoNul(body));
  return repairUtf8(body, limits);
}

/** Bytes between two turns: those that are copied take the longest. */
const TURN_BYTES = 256 * 1024;

function* ensureNoNul(body: Buffer): Generator<null, void> {
  for (let start = 0; start < body.length; start += TURN_BYTES) {
    if (body.subarray(start, start + TURN_BYTES).includes(0))
      throw new ServiceError('encoding_invalid', 'The request body holds a NUL character.', {
        hint: 'name the compression of a body that has one (Content-Encoding: gzip), and send text as UTF-8',
      });
    yield null;
  }
}

function* repair(body: Buffer, { maxBytes, memory }: RepairLimits): Generator<null, Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  let isIntact = true;
  for (let start = 0; start < body.length;) {
    const end = pieceEnd(body, start + TURN_BYTES);
    const piece = body.subarray(start, end);
    const text = isUtf8(piece) ? piece : Buffer.from(piece.toString('utf8'));
    pieces.push(text);
    length += text.length;
    if (length > maxBytes)
      throw new ServiceError('body_too_large', `The request body has more than ${maxBytes} bytes.`, {
        max_bytes: maxBytes,
      });
    if (text !== piece) {
      memory.add(text.length);
      isIntact = false;
    }
    start = end;
    yield null;
  }
  if (isIntact) return body;
  memory.add(length);
  return yield* joined(pieces, length);
}

function* joined(pieces: readonly Buffer[], length: number): Generator<null, Buffer> {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) {
    at += piece.copy(whole, at);
    yield null;
  }
  return whole;
}

/** @returns the offset, or one of at most four bytes before it, at which no character is cut */
function pieceEnd(body: Buffer, offset: number): number {
  let at = Math.min(offset, body.length);
  while (at < body.length && at > offset - 4 && (body[at]! & 0xc0) === 0x80) at--;
  return at;
}
