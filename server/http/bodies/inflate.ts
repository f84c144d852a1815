/** Inflates request bodies chunk by chunk. Each chunk is counted before the next one is produced. */
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { ServiceError } from '#contract/errors';
import { ByteParts } from './byte-parts';

interface InflaterOptions {
  readonly chunkSize: number;
  readonly params?: Readonly<Record<number, number>>;
}

interface Inflater extends Transform {
  /** Bytes of the input that were used. */
  readonly bytesWritten: number;
}

type CreateInflater = (options: InflaterOptions) => Inflater;

interface ZstdZlib {
  readonly createZstdDecompress?: CreateInflater;
}

const { createZstdDecompress } = zlib as ZstdZlib;

/** The largest window of zstd as a content coding [RFC 9659 section 3]: 8 MiB. A window is memory of its own. */
const ZSTD_WINDOW_LOG = 23;
const WINDOW_TOO_LARGE = 'ZSTD_error_frameParameter_windowTooLarge';

/** @param create the inflater of Node */
function boundedZstd(create: CreateInflater): CreateInflater {
  const { ZSTD_d_windowLogMax: windowLogMax } = zlib.constants as { readonly ZSTD_d_windowLogMax?: number };
  return (options) => create({ ...options, params: { [windowLogMax!]: ZSTD_WINDOW_LOG } });
}

/** zstd is available when Node's zlib supports it (22.15, 23.8 and later). */
const INFLATERS: ReadonlyMap<string, CreateInflater> = new Map<string, CreateInflater>([
  ['gzip', zlib.createGunzip],
  ['x-gzip', zlib.createGunzip],
  ...(createZstdDecompress ? [['zstd', boundedZstd(createZstdDecompress)] as const] : []),
]);

/** Content codings that request bodies may use. */
export const BODY_CODINGS: readonly string[] = [...INFLATERS.keys(), 'identity'].filter(
  (coding) => coding !== 'x-gzip'
);

export function isInflatable(coding: string): boolean {
  return INFLATERS.has(coding);
}

const CHUNK_BYTES = 65_536;
/** Each frame needs an inflater of its own, so that a body of a great number of empty frames is an attack. */
const MAX_FRAMES = 1024;

/**
 * @param coding one that `isInflatable` accepts
 * @param count receives the byte length of each chunk; an error that it throws stops inflating
 * @throws ServiceError `body_invalid`
 */
export async function inflate(coding: string, bytes: Buffer, count: (bytes: number) => void): Promise<Buffer> {
  const parts = new ByteParts();
  const add = (part: Buffer): void => {
    count(part.length);
    parts.add(part);
  };
  const used = await inflateFrame(coding, bytes, add);
  const rest = bytes.subarray(used);
  if (coding === 'zstd') await inflateFrames(coding, rest, add);
  else ensurePadding(rest);
  return parts.join();
}

const ZEROS = Buffer.alloc(CHUNK_BYTES);

/** The inflater of gzip passes over its members up to a zero and ignores what follows. Zeros at the end are padding. */
function ensurePadding(rest: Buffer): void {
  for (let at = 0; at < rest.length; at += CHUNK_BYTES) {
    const part = rest.subarray(at, at + CHUNK_BYTES);
    if (!part.equals(ZEROS.subarray(0, part.length))) throw notInCoding();
  }
}

/** Frames after the first [RFC 8878 section 3]. Unlike the inflater of gzip, that of zstd ends after one. */
async function inflateFrames(coding: string, bytes: Buffer, add: (part: Buffer) => void): Promise<void> {
  let rest = bytes;
  for (let frames = 1; rest.length > 0; frames++) {
    if (frames === MAX_FRAMES)
      throw new ServiceError('body_invalid', `The request body has more than ${MAX_FRAMES} frames of ${coding}.`);
    rest = rest.subarray(await inflateFrame(coding, rest, add));
  }
}

/** @returns the number of bytes that were used */
function inflateFrame(coding: string, bytes: Buffer, add: (part: Buffer) => void): Promise<number> {
  const inflater = INFLATERS.get(coding)!({ chunkSize: CHUNK_BYTES });
  return new Promise((resolve, reject) => {
    inflater.on('data', (part: Buffer) => {
      try {
        add(part);
      } catch (error) {
        inflater.destroy();
        reject(error);
      }
    });
    inflater.on('end', () => resolve(inflater.bytesWritten));
    inflater.on('error', (error: NodeJS.ErrnoException) => reject(describe(error)));
    inflater.end(bytes);
  });
}

function describe({ code }: NodeJS.ErrnoException): ServiceError {
  if (code !== WINDOW_TOO_LARGE) return notInCoding();
  return new ServiceError('body_invalid', 'The request body needs a window of zstd of more than 8 MiB.', {
    reason: 'window_too_large',
    hint: 'compress without long distance matching, at level 19 or lower',
  });
}

function notInCoding(): ServiceError {
  return new ServiceError('body_invalid', 'The request body is not valid in its content coding.');
}
