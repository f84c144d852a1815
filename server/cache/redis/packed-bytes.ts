/**
 * Compression of results for the shared cache. Log rows repeat the same words: compressed before encryption, about ten
 * times as many fit. The compression runs outside the event loop.
 */
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

export const PACKINGS = ['none', 'br'] as const;
export type Packing = (typeof PACKINGS)[number];

export interface PackedBytes {
  readonly packing: Packing;
  readonly bytes: Uint8Array;
}

/** Smaller results gain nothing from compression. */
const MIN_BYTES = 16 * 1024;
/**
 * Brotli quality: half the time of gzip's fastest level for about the same size; higher levels cost more than the
 * query.
 */
const QUALITY = 1;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export async function packBytes(bytes: Uint8Array): Promise<PackedBytes> {
  if (bytes.byteLength < MIN_BYTES) return { packing: 'none', bytes };
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  const packed = await compress(bytes, { params });
  return packed.byteLength < bytes.byteLength ? { packing: 'br', bytes: packed } : { packing: 'none', bytes };
}

/** @throws when the unpacked size is not `length` bytes */
export async function unpackBytes({ packing, bytes }: PackedBytes, length: number): Promise<Uint8Array> {
  const unpacked = packing === 'br' ? await decompress(bytes, { maxOutputLength: Math.max(length, 1) }) : bytes;
  if (unpacked.byteLength !== length) throw new Error('Unpacked size does not match the recorded length.');
  return unpacked;
}
