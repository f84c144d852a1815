/** Inflates request bodies chunk by chunk. Each chunk is counted before the next one is produced. */
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { ServiceError } from '#contract/errors';
import { ByteParts } from './byte-parts';

interface InflaterOptions {
  readonly chunkSize: number;
}

type CreateInflater = (options: InflaterOptions) => Transform;

interface ZstdZlib {
  readonly createZstdDecompress?: CreateInflater;
}

const { createZstdDecompress } = zlib as ZstdZlib;

/** zstd is available when Node's zlib supports it (22.15, 23.8 and later). */
const INFLATERS: ReadonlyMap<string, CreateInflater> = new Map<string, CreateInflater>([
  ['gzip', zlib.createGunzip],
  ['x-gzip', zlib.createGunzip],
  ...(createZstdDecompress ? [['zstd', createZstdDecompress] as const] : []),
]);

/** Content codings that request bodies may use. */
export const BODY_CODINGS: readonly string[] = [...INFLATERS.keys(), 'identity'].filter(
  (coding) => coding !== 'x-gzip'
);

export function isInflatable(coding: string): boolean {
  return INFLATERS.has(coding);
}

const CHUNK_BYTES = 65_536;

/**
 * @param coding one that `isInflatable` accepts
 * @param count receives the byte length of each chunk; an error that it throws stops inflating
 * @throws ServiceError `body_invalid`
 */
export async function inflate(coding: string, bytes: Buffer, count: (bytes: number) => void): Promise<Buffer> {
  const inflater = INFLATERS.get(coding)!({ chunkSize: CHUNK_BYTES });
  const parts = new ByteParts();
  await new Promise<void>((resolve, reject) => {
    inflater.on('data', (part: Buffer) => {
      try {
        count(part.length);
        parts.add(part);
      } catch (error) {
        inflater.destroy();
        reject(error);
      }
    });
    inflater.on('end', resolve);
    inflater.on('error', () =>
      reject(new ServiceError('body_invalid', 'The request body is not valid in its content coding.'))
    );
    inflater.end(bytes);
  });
  return parts.join();
}
