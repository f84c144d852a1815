/** Collects the grams of up to 256 blocks, at most 8 MiB, and arranges them by gram. */
import { GRAM_BITS, gramBitmap } from './grams';
import { rowBytes, STRIPE_BLOCKS } from './filter-layout';

/** At most this share of a block's bits is set, if the size allows: each gram of a text then halves what is left. */
const LARGEST_SHARE = 0.5;

export class StripeBuilder {
  private readonly bitmaps: Uint8Array[] = [];
  private largestCount = 0;

  get isFull(): boolean {
    return this.bitmaps.length === STRIPE_BLOCKS;
  }

  get blocks(): number {
    return this.bitmaps.length;
  }

  /** @param bitmap of the grams of the next block; null: they are not known, so it may have any */
  add(bitmap: Uint8Array | null): void {
    const known = bitmap ?? gramBitmap().fill(0xff);
    this.bitmaps.push(known);
    if (bitmap !== null) this.largestCount = Math.max(this.largestCount, countBits(known));
  }

  /**
   * @param mostBits of a gram, by the size that the filter may have.
   * @param breathe called between short pieces of work
   */
  async finish(mostBits: number, breathe: () => Promise<void>): Promise<FinishedStripe> {
    const wanted = Math.ceil(Math.log2(Math.max(1, this.largestCount / LARGEST_SHARE)));
    const bits = Math.max(1, Math.min(GRAM_BITS, mostBits, wanted));
    const blocks = this.bitmaps.length;
    const bytes = rowBytes({ blocks });
    const rows = new Uint8Array(2 ** bits * bytes);
    for (const [block, bitmap] of this.bitmaps.entries()) {
      setColumn(rows, bitmap, { bits, bytes, block });
      await breathe();
    }
    this.bitmaps.length = 0;
    this.largestCount = 0;
    return { rows, blocks, bits };
  }
}

export interface FinishedStripe {
  /** A row of bits for each gram, one after the other. */
  readonly rows: Uint8Array;
  readonly blocks: number;
  readonly bits: number;
}

function setColumn(
  rows: Uint8Array,
  bitmap: Uint8Array,
  { bits, bytes, block }: { readonly bits: number; readonly bytes: number; readonly block: number }
): void {
  const shift = GRAM_BITS - bits;
  const place = block >>> 3;
  const mask = 1 << (block & 7);
  for (let i = 0; i < bitmap.length; i++) {
    let left = bitmap[i]!;
    while (left !== 0) {
      const bit = 31 - Math.clz32(left & -left);
      rows[((i * 8 + bit) >>> shift) * bytes + place]! |= mask;
      left &= left - 1;
    }
  }
}

function countBits(bitmap: Uint8Array): number {
  let count = 0;
  for (const byte of bitmap) for (let left = byte; left !== 0; left &= left - 1) count += 1;
  return count;
}
