/**
 * Builds the filter of a sealed part and writes it to its file. The texts of at most 1 MB are in memory at a time, and
 * the grams of 256 blocks.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Part } from '../tables/part';
import { partBytes } from '../file/part-sizes';
import { countRows } from '../read/stored-rows';
import { blockGroupsOf, gramsOfGroup, type Searched, turns } from './block-texts';
import { BLOCK_ROWS, encodeDescription, PAGE_BYTES, type Stripe, stripePages } from './filter-layout';
import { GRAM_BITS } from './grams';
import { StripeBuilder } from './stripe-builder';

/** Size of a filter, as a share of that of its part. */
const LARGEST_SHARE = 0.05;
/** Smaller parts are read faster than their filter saves. */
export const FEWEST_BLOCKS = 8;
/** With fewer, nearly every block has every gram. */
export const FEWEST_BITS = 11;

export interface FilterPlace extends Searched {
  readonly path: string;
}

export interface BuildOptions {
  readonly signal: AbortSignal;
  /** Called after each piece of work. */
  readonly pause: () => Promise<void>;
}

/** @throws errors of the database and of the file system */
export function buildFilter(connection: DuckDBConnection, place: FilterPlace, options: BuildOptions): Promise<void> {
  return writeWhole(place.path, (file) => writeFilter(connection, place, file, options));
}

/** Writes a file under another name first. @throws errors of `write` and of the file system */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await write(file);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
}

async function writeFilter(
  connection: DuckDBConnection,
  place: Searched,
  file: FileHandle,
  { signal, pause }: BuildOptions
): Promise<void> {
  const { part, column, tenantColumn } = place;
  const rows = await countRows(connection, part);
  const count = Math.ceil(rows / BLOCK_ROWS);
  const mostBits = await bitsOf(connection, part, count);
  const stripes: Stripe[] = [];
  const tenants: string[] = [];
  let pages = 0;
  if (mostBits >= FEWEST_BITS && count >= FEWEST_BLOCKS) {
    const builder = new StripeBuilder();
    const breathe = turns();
    const writeStripe = async (): Promise<void> => {
      const stripe = await builder.finish(mostBits, breathe);
      const written = stripePages(stripe.rows, Math.ceil(stripe.blocks / 8));
      stripes.push({ blocks: stripe.blocks, bits: stripe.bits, firstPage: pages });
      pages += written.length / PAGE_BYTES;
      await file.write(written);
    };
    for await (const group of blockGroupsOf(connection, place, rows, pause)) {
      signal.throwIfAborted();
      tenants.push(...group.map(({ tenant }) => tenant));
      const bitmaps = await gramsOfGroup(connection, place, group, breathe);
      for (const bitmap of bitmaps) {
        builder.add(bitmap);
        if (builder.isFull) await writeStripe();
      }
    }
    if (builder.blocks > 0) await writeStripe();
  }
  await file.write(encodeDescription({ table: part.table, rows, column, tenantColumn, tenants, stripes, pages }));
}

/** The most bits of a gram with which the filter has its share of the size of the part. */
export async function bitsOf(connection: DuckDBConnection, part: Part, blocks: number): Promise<number> {
  const bytes = await partBytes(connection, part);
  // Not in the file yet.
  if (bytes === 0) return GRAM_BITS;
  return Math.min(GRAM_BITS, Math.floor(Math.log2((bytes * LARGEST_SHARE * 8) / blocks)));
}
