/** Content codings of responses. zstd is available when Node's zlib supports it (22.15, 23.8 and later). */
import { promisify } from 'node:util';
import zlib from 'node:zlib';

export type ContentCoding = 'zstd' | 'br' | 'gzip';

type Compress = (bytes: Uint8Array) => Promise<Buffer>;

interface ZstdZlib {
  readonly zstdCompress?: (bytes: Uint8Array, callback: (error: Error | null, result: Buffer) => void) => void;
}

const zstdCompress = (zlib as ZstdZlib).zstdCompress;
const gzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gzip);
const brotli = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);

/**
 * brotli quality 4 and gzip level 5 take about the same time: smaller output than the fastest level, far faster than
 * the slowest.
 */
const COMPRESSORS: { readonly [C in ContentCoding]: Compress | null } = {
  zstd: zstdCompress ? promisify<Uint8Array, Buffer>(zstdCompress) : null,
  br: (bytes) =>
    brotli(bytes, {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => gzip(bytes, { level: 5 }),
};

/** Available codings in order of preference, which breaks ties between equal weights. */
export const AVAILABLE_CODINGS: readonly ContentCoding[] = (['zstd', 'br', 'gzip'] as const).filter(
  (coding) => COMPRESSORS[coding] !== null
);

/** Runs in zlib's thread pool, not on the event loop. */
export function compress(bytes: Uint8Array, coding: ContentCoding): Promise<Buffer> {
  return COMPRESSORS[coding]!(bytes);
}
