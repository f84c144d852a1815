/** Request bodies, bounded as sent and as inflated. Nothing is read before the route asks, so a refusal costs no upload. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { ServiceError } from '#contract/errors';
import { singleHeader } from './header-values';

export interface BodyLimits {
  readonly maxBytes: number;
  /** After inflating. */
  readonly maxInflatedBytes: number;
}

interface InflateOptions {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
}

type Inflate = (bytes: Uint8Array, options: InflateOptions) => Promise<Buffer>;

interface ZstdZlib {
  zstdDecompress?(
    bytes: Uint8Array,
    options: InflateOptions,
    callback: (error: Error | null, result: Buffer) => void
  ): void;
}

const { zstdDecompress } = zlib as ZstdZlib;
const gunzip: Inflate = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip);

/** zstd is there when Node's own zlib has it (from 22.15 and 23.8 on). */
const INFLATERS: ReadonlyMap<string, Inflate> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ...(zstdDecompress ? [['zstd', promisify<Uint8Array, InflateOptions, Buffer>(zstdDecompress)] as const] : []),
]);

/** Content codings that a body may have. */
export const BODY_CODINGS: readonly string[] = [...INFLATERS.keys(), 'identity'].filter(
  (coding) => coding !== 'x-gzip'
);

/** @throws ServiceError `body_too_large`, `body_invalid`, `media_type_unsupported` */
export async function readBody(req: IncomingMessage, res: ServerResponse, limits: BodyLimits): Promise<Buffer> {
  const coding = (singleHeader(req, 'Content-Encoding') ?? 'identity').trim().toLowerCase();
  const inflater = INFLATERS.get(coding);
  if (!inflater && coding !== 'identity')
    throw new ServiceError('media_type_unsupported', 'The content coding of the body is not supported.', {
      available: BODY_CODINGS,
      hint: `available are ${BODY_CODINGS.join(', ')}`,
    });
  if (Number(req.headers['content-length'] ?? 0) > limits.maxBytes) {
    if (!expectsContinue(req)) await discardRest(req);
    throw tooLarge(limits.maxBytes);
  }
  if (expectsContinue(req)) res.writeContinue();
  const bytes = await collect(req, limits.maxBytes);
  return !inflater || bytes.length === 0 ? bytes : inflate(inflater, bytes, limits.maxInflatedBytes);
}

function expectsContinue(req: IncomingMessage): boolean {
  return req.headers.expect?.toLowerCase() === '100-continue';
}

function collect(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (action: () => void): void => {
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      action();
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else settle(() => void discardRest(req).then(() => reject(tooLarge(maxBytes))));
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, length)));
    const onClose = (): void =>
      settle(() => reject(new ServiceError('body_invalid', 'The request body ended before it was complete.')));
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** A client that is cut off while it sends often never sees the answer: give it a moment to finish. */
const DISCARD_MS = 1000;

function discardRest(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, DISCARD_MS);
    function done(): void {
      clearTimeout(timer);
      req.off('end', done).off('close', done);
      resolve();
    }
    req.on('end', done).on('close', done).on('error', done);
    req.resume();
  });
}

async function inflate(inflater: Inflate, bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await inflater(bytes, { maxOutputLength: maxBytes, chunkSize: 64 * 1024 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new ServiceError('body_invalid', 'The request body is not valid in its content coding.');
  }
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('body_too_large', `The request body has more than ${maxBytes} bytes.`, {
    max_bytes: maxBytes,
  });
}
