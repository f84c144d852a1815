/**
 * Reads request bodies, limited in size as sent and as inflated, in memory and in time. Reading starts when a route
 * requests it, so a refusal costs no upload.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { BodyReservation } from './body-budget';
import { ByteParts } from './byte-parts';
import { passedOnOf } from '../connections/chunked-body';
import { BODY_CODINGS, inflate, isInflatable } from './inflate';
import { watchRate } from './rate-watch';
import { inTurns } from '../../ingest/in-turns';
import { singleHeader } from '../parsing/header-values';
import { decodeSnappy, readSnappyHead } from './snappy';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Maximum size after inflating. */
  readonly maxInflatedBytes: number;
  readonly minBytesPerSecond: number;
  /** The media type implies snappy; the content coding is ignored. */
  readonly isSnappy?: boolean;
  /** Counts the buffered bytes; absent for bodies that are too small to count. */
  readonly memory?: Pick<BodyReservation, 'start' | 'add' | 'subtract'>;
}

/**
 * @throws ServiceError `body_too_large`, `body_too_slow`, `body_invalid`, `media_type_unsupported`; those of
 * `limits.memory`
 */
export async function readBody(req: IncomingMessage, res: ServerResponse, limits: BodyLimits): Promise<Buffer> {
  const coding = readCoding(req, limits);
  ensureFits(req, limits);
  if (expectsContinue(req)) res.writeContinue();
  const bytes = await collect(req, limits);
  const inflated = coding === 'identity' || bytes.length === 0 ? bytes : await inflateWithin(coding, bytes, limits);
  return limits.isSnappy ? unsnap(inflated, limits) : inflated;
}

function readCoding(req: IncomingMessage, { isSnappy }: BodyLimits): string {
  const coding = codingOf(singleHeader(req, 'Content-Encoding') ?? '');
  // Some senders say it twice: by the media type, and here.
  if (isSnappy && coding === 'snappy') return 'identity';
  if (coding === 'identity' || isInflatable(coding)) return coding;
  throw new ServiceError('media_type_unsupported', 'The content coding of the body is not supported.', {
    available: BODY_CODINGS,
    hint: `available are ${BODY_CODINGS.join(', ')}`,
  });
}

/** A list of codings may have empty items [RFC 9110 section 5.6.1], and `identity` in it changes nothing. */
function codingOf(header: string): string {
  const names = header.split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'identity').join() || 'identity';
}

async function inflateWithin(coding: string, bytes: Buffer, { maxInflatedBytes, memory }: BodyLimits): Promise<Buffer> {
  let inflatedBytes = 0;
  const inflated = await inflate(coding, bytes, (more) => {
    inflatedBytes += more;
    if (inflatedBytes > maxInflatedBytes) throw tooLarge(maxInflatedBytes);
    memory?.add(more);
  });
  memory?.subtract(bytes.length);
  return inflated;
}

async function unsnap(bytes: Buffer, { maxInflatedBytes, memory }: BodyLimits): Promise<Buffer> {
  const head = readSnappyHead(bytes);
  if (head.length > maxInflatedBytes) throw tooLarge(maxInflatedBytes);
  memory?.add(head.length);
  const inflated = await inTurns(decodeSnappy(bytes, head));
  memory?.subtract(bytes.length);
  return inflated;
}

function ensureFits(req: IncomingMessage, { maxBytes, memory }: BodyLimits): void {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  memory?.start(announced);
}

/** Clients of HTTP/1.0 take an interim response for the final one. */
function expectsContinue(req: IncomingMessage): boolean {
  return req.httpVersion === '1.1' && req.headers.expect?.toLowerCase() === '100-continue';
}

/** Each chunk costs microseconds regardless of its size, therefore a great number of tiny chunks is an attack. */
const MIN_PART_BYTES = 16;
const MAX_TINY_PARTS = 4096;

function collect(req: IncomingMessage, { maxBytes, minBytesPerSecond, memory }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts = new ByteParts();
    let count = 0;
    const rate = watchRate(minBytesPerSecond, () => settle(() => reject(tooSlow(minBytesPerSecond))));
    const settle = (action: () => void): void => {
      rate.stop();
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      action();
    };
    const onData = (part: Buffer): void => {
      rate.note(part.length);
      count += 1;
      const { chunks, bytes } = passedOnOf(req) ?? { chunks: count, bytes: parts.length };
      if (chunks > MAX_TINY_PARTS && bytes < chunks * MIN_PART_BYTES) {
        settle(() => reject(new ServiceError('body_invalid', 'The request body has too many tiny chunks.')));
        return;
      }
      try {
        if (parts.length + part.length > maxBytes) throw tooLarge(maxBytes);
        memory?.add(part.length);
        parts.add(part);
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const onEnd = (): void => settle(() => resolve(parts.join()));
    const onClose = (): void =>
      settle(() => reject(new ServiceError('body_invalid', 'The request body ended before it was complete.')));
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('body_too_large', `The request body has more than ${maxBytes} bytes.`, {
    max_bytes: maxBytes,
  });
}

function tooSlow(minBytesPerSecond: number): ServiceError {
  return new ServiceError(
    'body_too_slow',
    `The request body arrives at less than ${minBytesPerSecond} bytes a second.`,
    {
      min_bytes_per_second: minBytesPerSecond,
    }
  );
}
