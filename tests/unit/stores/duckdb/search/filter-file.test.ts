import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { FilterFile, type Pages, readDescription } from '#server/stores/duckdb/search/filter-file';
import { encodeDescription, PAGE_BYTES, rowPlace, stripePages } from '#server/stores/duckdb/search/filter-layout';
import { GRAM_BITS } from '#server/stores/duckdb/search/grams';

const BLOCKS = 8;

let folder: string;
let path: string;
let pages: Pages;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-filter-file-'));
  path = join(folder, 'day.grams');
  pages = new LRUCache<string, Buffer>({ maxSize: 100 * PAGE_BYTES, sizeCalculation: () => PAGE_BYTES });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a filter whose blocks all have every gram, or none. */
async function writeFilter(bits: number, has: boolean, onDamage = (): void => undefined): Promise<FilterFile> {
  const written = stripePages(new Uint8Array(2 ** bits).fill(has ? 0xff : 0), BLOCKS / 8);
  const description = encodeDescription({
    table: 'day',
    rows: BLOCKS * 2048,
    column: 'event_message',
    tenantColumn: null,
    tenants: Array.from({ length: BLOCKS }, () => ''),
    stripes: [{ blocks: BLOCKS, bits, firstPage: 0 }],
    pages: written.length / PAGE_BYTES,
  });
  writeFileSync(path, Buffer.concat([written, description]));
  return new FilterFile(path, (await readDescription(path))!, pages, onDamage);
}

/** A gram whose row is in a page. */
function gramIn(page: number, bits: number): number {
  const stripe = { blocks: BLOCKS, bits, firstPage: 0 };
  for (let gram = 0; gram < 2 ** GRAM_BITS; gram++) if (rowPlace(stripe, gram).page === page) return gram;
  throw new Error('no gram');
}

test('pages of a damaged file are not taken for those of the file that replaces it', async () => {
  let damages = 0;
  const former = await writeFilter(13, false, () => {
    damages += 1;
    pages.clear();
  });
  const description = former.description;
  writeFileSync(
    path,
    Buffer.concat([Buffer.alloc(PAGE_BYTES, 7), stripePages(new Uint8Array(2 ** 13), 1).subarray(PAGE_BYTES)])
  );
  const grams = [gramIn(0, 13), gramIn(1, 13)];
  const blocks = (await former.prepare(new Set(grams)))([grams[0]!]);
  expect([damages, [...blocks], description.pages]).toEqual([1, Array.from({ length: BLOCKS }, () => 1), 3]);
  const next = await writeFilter(14, true);
  const gram = gramIn(1, 14);
  expect([...(await next.prepare(new Set([gram])))([gram])]).toEqual(Array.from({ length: BLOCKS }, () => 1));
});
