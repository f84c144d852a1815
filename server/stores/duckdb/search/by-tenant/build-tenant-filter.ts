/**
 * Builds the filter of a column of a sealed part by tenant: the grams of all texts that a tenant has in the part, and
 * what they all begin with.
 */
import type { FileHandle } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBBlobValue } from '@duckdb/node-api';
import { countRows } from '../../read/stored-rows';
import { quoteName, quotePart } from '../../tables/quoting';
import { addTexts, type Block, blockGroupsOf, tenantKey, turns } from '../block-texts';
import { bitsOf, type BuildOptions, FEWEST_BITS, FEWEST_BLOCKS, type FilterPlace, writeWhole } from '../build-filter';
import { BLOCK_ROWS, encodeDescription, PAGE_BYTES, type Stripe, STRIPE_BLOCKS, stripePages } from '../filter-layout';
import { gramBitmap } from '../grams';
import { StripeBuilder } from '../stripe-builder';

/** Bitmaps of all tenants are in memory, 32 KiB for each. */
const MOST_TENANTS = STRIPE_BLOCKS;
/** Characters of a prefix. */
const LONGEST_PREFIX = 256;
/** Texts of a single block that are in memory at a time. A part with more of them has no filter. */
const MOST_BYTES_AT_ONCE = 16_000_000;

export interface TenantFilterPlace extends FilterPlace {
  readonly tenantColumn: string;
}

/** @throws errors of the database and of the file system */
export function buildTenantFilter(
  connection: DuckDBConnection,
  place: TenantFilterPlace,
  options: BuildOptions
): Promise<void> {
  return writeWhole(place.path, (file) => writeFilter(connection, place, file, options));
}

async function writeFilter(
  connection: DuckDBConnection,
  place: TenantFilterPlace,
  file: FileHandle,
  options: BuildOptions
): Promise<void> {
  const { part, column, tenantColumn } = place;
  const rows = await countRows(connection, part);
  const gathered = rows > (FEWEST_BLOCKS - 1) * BLOCK_ROWS ? await gather(connection, place, rows, options) : null;
  const mostBits = await bitsOf(connection, part, gathered?.length ?? 0);
  const stripes: Stripe[] = [];
  let pages = 0;
  if (gathered !== null && mostBits >= FEWEST_BITS) {
    const builder = new StripeBuilder();
    for (const { bitmap } of gathered) builder.add(bitmap);
    const stripe = await builder.finish(mostBits, turns());
    const written = stripePages(stripe.rows, Math.ceil(stripe.blocks / 8));
    stripes.push({ blocks: stripe.blocks, bits: stripe.bits, firstPage: 0 });
    pages = written.length / PAGE_BYTES;
    await file.write(written);
  }
  const known = stripes.length > 0 && gathered !== null ? gathered : [];
  const tenants = known.map(({ tenant }) => (tenant === null ? '' : tenantKey(tenant)));
  const ofTenants = known.map(({ tenant, rows: own, prefix }) => ({ tenant, rows: own, prefix }));
  const description = { table: part.table, rows, column, tenantColumn, tenants, ofTenants, stripes, pages };
  await file.write(encodeDescription(description));
}

/** What a tenant has in the blocks that were read. */
interface Gathered {
  readonly tenant: string | null;
  readonly bitmap: Uint8Array;
  rows: number;
  /** What all texts begin with. Rows without a text begin with nothing. */
  prefix: string;
}

/** @returns null when a filter of the part would have too many tenants, or its texts are too large */
async function gather(
  connection: DuckDBConnection,
  place: TenantFilterPlace,
  rows: number,
  { signal, pause }: BuildOptions
): Promise<readonly Gathered[] | null> {
  const found = new Map<string | null, Gathered>();
  const breathe = turns();
  for await (const group of blockGroupsOf(connection, place, rows, pause)) {
    signal.throwIfAborted();
    if (group.some(({ textBytes }) => textBytes > MOST_BYTES_AT_ONCE)) return null;
    for (const { tenant, rows: more, prefix, texts } of await readTexts(connection, place, group)) {
      const own = found.get(tenant) ?? { tenant, bitmap: gramBitmap(), rows: 0, prefix };
      found.set(tenant, own);
      if (found.size > MOST_TENANTS) return null;
      own.rows += more;
      own.prefix = commonPrefix(own.prefix, prefix);
      if (texts !== null) await addTexts(texts, own.bitmap, breathe);
    }
  }
  return [...found.values()];
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  // Not half of a character: DuckDB compares texts as UTF-8.
  return one.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

interface ReadTexts {
  readonly tenant: string | null;
  readonly rows: number;
  readonly prefix: string;
  /** The different texts, one after the other, as UTF-8; null: the tenant has none. */
  readonly texts: Uint8Array | null;
}

/** The texts of each tenant in some blocks. */
async function readTexts(
  connection: DuckDBConnection,
  { part, column, tenantColumn }: TenantFilterPlace,
  group: readonly Block[]
): Promise<readonly ReadTexts[]> {
  const from = (group[0]?.number ?? 0) * BLOCK_ROWS;
  const to = from + group.length * BLOCK_ROWS;
  const [text, tenant] = [quoteName(column), quoteName(tenantColumn)];
  const reader = await connection.runAndReadAll(
    `SELECT ${tenant}, count(*), count(${text}), left(min(${text}), ${LONGEST_PREFIX}), left(max(${text}), ${LONGEST_PREFIX}),
       encode(string_agg(DISTINCT ${text}, chr(10)))
     FROM ${quotePart(part)} WHERE rowid >= ${from} AND rowid < ${to} GROUP BY 1`
  );
  return reader.getRows().map(([value, rows, count, first, last, texts]) => ({
    tenant: tenantOf(value),
    rows: Number(rows),
    // Texts are ordered by their bytes, so what the first and the last begin with is what all begin with.
    prefix: rows === count ? commonPrefix(String(first), String(last)) : '',
    texts: texts instanceof DuckDBBlobValue ? texts.bytes : null,
  }));
}

function tenantOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
