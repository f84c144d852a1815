/**
 * The bytes of a result on their way into the shared cache. Rows of logs are the same words again and again: compressed before they are
 * sealed, some ten times as many fit. The work is done beside the event loop.
 */
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

export const PACKINGS = ['none', 'br'] as const;
export type Packing = (typeof PACKINGS)[number];

export interface PackedBytes {
  readonly packing: Packing;
  readonly bytes: Uint8Array;
}

/** What is smaller travels as fast as it is. */
const MIN_BYTES = 16 * 1024;
/** Half the time of gzip's fastest level for about the same size; higher ones cost more than the query. */
const QUALITY = 1;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export async function packBytes(bytes: Uint8Array): Promise<PackedBytes> {
  if (bytes.byteLength < MIN_BYTES) return { packing: 'none', bytes };
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  const packed = await compress(bytes, { params });
  return packed.byteLength < bytes.byteLength ? { packing: 'br', bytes: packed } : { packing: 'none', bytes };
}

/** @throws when they are not `length` bytes */
export async function unpackBytes({ packing, bytes }: PackedBytes, length: number): Promise<Uint8Array> {
  const unpacked = packing === 'br' ? await decompress(bytes, { maxOutputLength: Math.max(length, 1) }) : bytes;
  if (unpacked.byteLength !== length) throw new Error('the bytes are not as many as they were');
  return unpacked;
}
