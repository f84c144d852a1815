/**
 * Builds the filter of a column of a sealed part by tenant: the grams of all texts that a tenant has in the part, and
 * what they all begin with.
 */
import type { FileHandle } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBBlobValue } from '@duckdb/node-api';
import { quoteName, quotePart } from '../../tables/quoting';
import { addTexts, type Block, blockGroups, MAX_TEXT_BYTES, readBlocks, tenantKey, turns } from '../block-texts';
import { bitsOf, type BuildOptions, FEWEST_BITS, FEWEST_BLOCKS, type FilterPlace, writeWhole } from '../build-filter';
import {
  BLOCK_ROWS,
  encodeDescription,
  PAGE_BYTES,
  type Stripe,
  STRIPE_BLOCKS,
  stripePages,
  type TenantTexts,
} from '../filter-layout';
import { gramBitmap } from '../grams';
import { StripeBuilder } from '../stripe-builder';

/** Bitmaps of all tenants are in memory, 32 KiB for each. */
const MOST_TENANTS = STRIPE_BLOCKS;
/** Characters of a prefix. */
const LONGEST_PREFIX = 256;
/** Texts that are in memory at a time, where a single block has more than `MAX_TEXT_BYTES`. */
const MOST_BYTES_AT_ONCE = 4 * MAX_TEXT_BYTES;

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
  { signal, pause }: BuildOptions
): Promise<void> {
  const { part, column, tenantColumn } = place;
  const blocks = await readBlocks(connection, place, { first: 0, most: null });
  await pause();
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
  const isReadInPieces = blocks.every(({ textBytes }) => textBytes <= MOST_BYTES_AT_ONCE);
  const isWorthwhile = isReadInPieces && blocks.length >= FEWEST_BLOCKS;
  const ofTenants = isWorthwhile ? await readTenants(connection, place) : [];
  const mostBits = await bitsOf(connection, part, ofTenants.length);
  const stripes: Stripe[] = [];
  let pages = 0;
  if (ofTenants.length > 0 && ofTenants.length <= MOST_TENANTS && mostBits >= FEWEST_BITS) {
    const breathe = turns();
    const bitmaps = new Map(ofTenants.map(({ tenant }) => [tenant, gramBitmap()]));
    for (const group of blockGroups(blocks, MAX_TEXT_BYTES)) {
      signal.throwIfAborted();
      await pause();
      for (const [tenant, texts] of await readTexts(connection, place, group)) {
        const bitmap = bitmaps.get(tenant);
        if (bitmap === undefined) throw new Error(`${part.table} has events of a tenant that it did not have`);
        await addTexts(texts, bitmap, breathe);
      }
    }
    const builder = new StripeBuilder();
    for (const bitmap of bitmaps.values()) builder.add(bitmap);
    const stripe = await builder.finish(mostBits, breathe);
    const written = stripePages(stripe.rows, Math.ceil(stripe.blocks / 8));
    stripes.push({ blocks: stripe.blocks, bits: stripe.bits, firstPage: 0 });
    pages = written.length / PAGE_BYTES;
    await file.write(written);
  }
  const known = stripes.length > 0 ? ofTenants : [];
  const tenants = known.map(({ tenant }) => (tenant === null ? '' : tenantKey(tenant)));
  const description = { table: part.table, rows, column, tenantColumn, tenants, ofTenants: known, stripes, pages };
  await file.write(encodeDescription(description));
}

/** At most one more than a filter may have. */
async function readTenants(
  connection: DuckDBConnection,
  { part, column, tenantColumn }: TenantFilterPlace
): Promise<readonly TenantTexts[]> {
  const [text, tenant] = [quoteName(column), quoteName(tenantColumn)];
  const reader = await connection.runAndReadAll(
    `SELECT ${tenant}, count(*), count(${text}), left(min(${text}), ${LONGEST_PREFIX}), left(max(${text}), ${LONGEST_PREFIX})
     FROM ${quotePart(part)} GROUP BY 1 LIMIT ${MOST_TENANTS + 1}`
  );
  return reader.getRows().map(([value, rows, texts, first, last]) => ({
    tenant: tenantOf(value),
    rows: Number(rows),
    // Texts are ordered by their bytes, so what the first and the last begin with is what all begin with.
    prefix: rows === texts ? commonPrefix(String(first), String(last)) : '',
  }));
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  // Not half of a character: DuckDB compares texts as UTF-8.
  return one.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** The different texts of each tenant in some blocks, one after the other. */
async function readTexts(
  connection: DuckDBConnection,
  { part, column, tenantColumn }: TenantFilterPlace,
  group: readonly Block[]
): Promise<ReadonlyMap<string | null, Uint8Array>> {
  const from = (group[0]?.number ?? 0) * BLOCK_ROWS;
  const to = from + group.length * BLOCK_ROWS;
  const reader = await connection.runAndReadAll(
    `SELECT ${quoteName(tenantColumn)}, encode(string_agg(DISTINCT ${quoteName(column)}, chr(10)))
     FROM ${quotePart(part)} WHERE rowid >= ${from} AND rowid < ${to} GROUP BY 1`
  );
  const found = new Map<string | null, Uint8Array>();
  for (const [tenant, texts] of reader.getRows())
    if (texts instanceof DuckDBBlobValue) found.set(tenantOf(tenant), texts.bytes);
  return found;
}

function tenantOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
