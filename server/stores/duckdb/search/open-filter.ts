/**
 * Filter of an open part, in memory: the grams of each of its first blocks whose rows are all committed. The rows
 * behind them are always read. A block that is full never changes, so the filter holds for every later state of the
 * part.
 */
import type { Blocks } from './filter-file';
import { BLOCK_ROWS } from './filter-layout';
import { GRAM_BITS } from './grams';

/** At most this share of a block's bits is set, if the size allows. */
const WANTED_SHARE = 0.5;
/** A block with more of its bits set has nearly any text, so its bits are not kept. */
const LARGEST_SHARE = 0.8;
/** Bits of a gram: four bytes for each row. */
const MOST_BITS = 16;
const FEWEST_BITS = 8;
/** Bytes of a block without bits. */
const ENTRY_BYTES = 64;

interface Bitmap {
  readonly bits: number;
  readonly bytes: Uint8Array;
}

export class OpenFilter {
  private readonly tenants: string[] = [];
  private readonly bitmaps: (Bitmap | null)[] = [];
  private size = 0;

  /** @param tenantColumn column with the tenant of an event; null: the part has no such column */
  constructor(
    readonly column: string,
    readonly tenantColumn: string | null
  ) {}

  get blocks(): number {
    return this.bitmaps.length;
  }

  /** Memory that it takes. */
  get bytes(): number {
    return this.size;
  }

  get coveredRows(): number {
    return this.blocks * BLOCK_ROWS;
  }

  get description(): { readonly column: string; readonly tenantColumn: string | null; readonly tenants: string[] } {
    return { column: this.column, tenantColumn: this.tenantColumn, tenants: this.tenants };
  }

  /** Adds the next block. @param grams a bitmap for all grams; null: it may have any */
  add(grams: Uint8Array | null, tenant: string): void {
    const bitmap = grams === null ? null : smaller(grams);
    this.bitmaps.push(bitmap);
    this.tenants.push(tenant);
    this.size += ENTRY_BYTES + (bitmap?.bytes.length ?? 0);
  }

  /** @returns a look-up of grams */
  prepare(): Promise<(grams: readonly number[]) => Blocks> {
    return Promise.resolve((grams) => Uint8Array.from(this.bitmaps, (bitmap) => (hasAll(bitmap, grams) ? 1 : 0)));
  }
}

function hasAll(bitmap: Bitmap | null, grams: readonly number[]): boolean {
  if (bitmap === null) return true;
  const { bits, bytes } = bitmap;
  return grams.every((gram) => {
    const number = gram >>> (GRAM_BITS - bits);
    return ((bytes[number >>> 3]! >>> (number & 7)) & 1) === 1;
  });
}

/** The same grams by fewer of their bits. @returns null where too many bits would be set */
function smaller(grams: Uint8Array): Bitmap | null {
  const wanted = Math.ceil(Math.log2(Math.max(1, countBits(grams) / WANTED_SHARE)));
  const bits = Math.max(FEWEST_BITS, Math.min(MOST_BITS, wanted));
  let bytes = grams;
  for (let left = GRAM_BITS; left > bits; left--) bytes = halved(bytes);
  return countBits(bytes) > LARGEST_SHARE * 2 ** bits ? null : { bits, bytes };
}

/** Neighboring bits as one, which is set if either is. */
function halved(bytes: Uint8Array): Uint8Array {
  const half = new Uint8Array(bytes.length / 2);
  for (let i = 0; i < half.length; i++) half[i] = PAIRS[bytes[2 * i]!]! | (PAIRS[bytes[2 * i + 1]!]! << 4);
  return half;
}

/** For each byte, the four bits that say which of its pairs of bits have one. */
const PAIRS = Uint8Array.from({ length: 256 }, (_, byte) => {
  let pairs = 0;
  for (let pair = 0; pair < 4; pair++) if (((byte >>> (2 * pair)) & 3) !== 0) pairs |= 1 << pair;
  return pairs;
});

const BIT_COUNTS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

function countBits(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) count += BIT_COUNTS[byte]!;
  return count;
}
