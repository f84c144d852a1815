/** Reads the filter of a sealed part. What is damaged excludes nothing. */
import { close, open, read } from 'node:fs';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { LRUCache } from 'lru-cache';
import {
  decodeDescription,
  type FilterDescription,
  isIntact,
  PAGE_BYTES,
  rowBytes,
  rowPlace,
  STRIPE_BLOCKS,
} from './filter-layout';

/** Pages of all filters that were read, by path, filter and number. */
export type Pages = LRUCache<string, Buffer>;

/** For each block of a part, whether it may have all of some grams. */
export type Blocks = Uint8Array;

/** @returns null for a file that is missing or damaged */
export async function readDescription(path: string): Promise<FilterDescription | null> {
  try {
    const { size } = await stat(path);
    return await withFile(path, (file) =>
      decodeDescription(size, (position, length) => readAt(file, position, length))
    );
  } catch {
    return null;
  }
}

/** Number of filters that were opened. */
let opened = 0;

export class FilterFile {
  /** In the keys of pages: another file may take the place of this one. */
  private readonly number = ++opened;

  constructor(
    private readonly path: string,
    readonly description: FilterDescription,
    private readonly pages: Pages,
    private readonly onDamage: () => void
  ) {}

  get blocks(): number {
    return this.description.tenants.length;
  }

  /** Reads the pages of grams, all at once. @returns a look-up of these grams */
  async prepare(grams: ReadonlySet<number>): Promise<(grams: readonly number[]) => Blocks> {
    const { stripes } = this.description;
    const wanted = new Set<number>();
    for (const stripe of stripes) for (const gram of grams) wanted.add(rowPlace(stripe, gram).page);
    const found = new Map<number, Buffer>();
    const missing: number[] = [];
    for (const page of wanted) {
      const known = this.pages.get(this.key(page));
      if (known === undefined) missing.push(page);
      else found.set(page, known);
    }
    for (const [page, bytes] of await this.read(missing)) found.set(page, bytes);
    return (some) => this.blocksWith(some, found);
  }

  private blocksWith(grams: readonly number[], pages: ReadonlyMap<number, Buffer>): Blocks {
    const blocks = new Uint8Array(this.blocks).fill(1);
    for (const [index, stripe] of this.description.stripes.entries()) {
      const first = index * STRIPE_BLOCKS;
      const row = new Uint8Array(rowBytes(stripe)).fill(0xff);
      for (const gram of grams) {
        const { page, offset } = rowPlace(stripe, gram);
        const bytes = pages.get(page);
        if (bytes === undefined) continue;
        for (let i = 0; i < row.length; i++) row[i]! &= bytes[offset + i]!;
      }
      for (let i = 0; i < stripe.blocks; i++) blocks[first + i] = (row[i >>> 3]! >>> (i & 7)) & 1;
    }
    return blocks;
  }

  /** Intact pages only. */
  private async read(numbers: readonly number[]): Promise<ReadonlyMap<number, Buffer>> {
    const found = new Map<number, Buffer>();
    if (numbers.length === 0) return found;
    try {
      const pages = await withFile(this.path, (file) =>
        Promise.all(numbers.map((page) => readAt(file, page * PAGE_BYTES, PAGE_BYTES)))
      );
      numbers.forEach((page, i) => {
        const bytes = pages[i]!;
        if (!isIntact(bytes)) return this.onDamage();
        found.set(page, bytes);
        this.pages.set(this.key(page), bytes);
      });
    } catch {
      this.onDamage();
    }
    return found;
  }

  private key(page: number): string {
    return `${this.path} ${this.number} ${page}`;
  }
}

const openFile = promisify(open);
const closeFile = promisify(close);

/** Descriptors, since each read of a `FileHandle` costs several times as much. */
async function withFile<T>(path: string, work: (file: number) => Promise<T>): Promise<T> {
  const file = await openFile(path, 'r');
  try {
    return await work(file);
  } finally {
    await closeFile(file);
  }
}

/** @returns fewer bytes at the end of the file */
function readAt(file: number, position: number, length: number): Promise<Buffer> {
  // Not from Node's pool, which would stay in memory as a whole.
  const bytes = Buffer.allocUnsafeSlow(length);
  return new Promise((resolve, reject) => {
    read(file, bytes, 0, length, position, (error, bytesRead) => {
      if (error === null) resolve(bytes.subarray(0, bytesRead));
      else reject(error);
    });
  });
}
