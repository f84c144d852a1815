/**
 * Builds the filter of a sealed part and writes it to its file. The texts of at most 4 MB are in memory at a time, and
 * the grams of 256 blocks.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBBlobValue } from '@duckdb/node-api';
import type { Part } from '../part';
import { partBytes } from '../part-sizes';
import { quoteName, quotePart } from '../quoting';
import { BLOCK_ROWS, encodeDescription, PAGE_BYTES, type Stripe, stripePages } from './filter-layout';
import { addGrams, gramBitmap, GRAM_BITS } from './grams';
import { StripeBuilder } from './stripe-builder';

/** Size of a filter, as a share of that of its part. */
const LARGEST_SHARE = 0.04;
/** Smaller parts are read faster than their filter saves. */
const FEWEST_BLOCKS = 8;
/** With fewer, nearly every block has every gram. */
const FEWEST_BITS = 11;
const MAX_TEXT_BYTES = 4_000_000;
/** A block with more text may have any gram. */
const MAX_BLOCK_TEXT_BYTES = 64_000_000;
/** Text whose grams are found without a break. */
const STEP_BYTES = 250_000;
const LONGEST_TURN_MS = 5;

export interface FilterPlace {
  readonly part: Part;
  readonly column: string;
  readonly tenantColumn: string | null;
  readonly path: string;
}

export interface BuildOptions {
  readonly signal: AbortSignal;
  /** Called after each piece of work. */
  readonly pause: () => Promise<void>;
}

interface Block {
  readonly number: number;
  readonly textBytes: number;
  /** Key of the tenant of all rows; '': there are several. */
  readonly tenant: string;
}

/** @throws errors of the database and of the file system */
export async function buildFilter(
  connection: DuckDBConnection,
  place: FilterPlace,
  options: BuildOptions
): Promise<void> {
  const temporary = `${place.path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await writeFilter(connection, place, file, options);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, place.path);
}

async function writeFilter(
  connection: DuckDBConnection,
  place: Searched,
  file: FileHandle,
  { signal, pause }: BuildOptions
): Promise<void> {
  const { part, column, tenantColumn } = place;
  const { rows, blocks } = await readBlocks(connection, place);
  const mostBits = await bitsOf(connection, part, blocks.length);
  const stripes: Stripe[] = [];
  let pages = 0;
  if (mostBits >= FEWEST_BITS && blocks.length >= FEWEST_BLOCKS) {
    const builder = new StripeBuilder();
    const breathe = turns();
    const writeStripe = async (): Promise<void> => {
      const stripe = await builder.finish(mostBits, breathe);
      const written = stripePages(stripe.rows, Math.ceil(stripe.blocks / 8));
      stripes.push({ blocks: stripe.blocks, bits: stripe.bits, firstPage: pages });
      pages += written.length / PAGE_BYTES;
      await file.write(written);
    };
    for (const group of groups(blocks)) {
      signal.throwIfAborted();
      const bitmaps = await gramsOfGroup(connection, place, group, breathe);
      for (const bitmap of bitmaps) {
        builder.add(bitmap);
        if (builder.isFull) await writeStripe();
      }
      await pause();
    }
    if (builder.blocks > 0) await writeStripe();
  }
  const tenants = blocks.map(({ tenant }) => tenant);
  await file.write(encodeDescription({ table: part.table, rows, column, tenantColumn, tenants, stripes, pages }));
}

type Searched = Pick<FilterPlace, 'part' | 'column' | 'tenantColumn'>;

async function readBlocks(
  connection: DuckDBConnection,
  { part, column, tenantColumn }: Searched
): Promise<{ readonly rows: number; readonly blocks: readonly Block[] }> {
  const tenant = tenantColumn === null ? 'CAST(NULL AS VARCHAR)' : quoteName(tenantColumn);
  const reader = await connection.runAndReadAll(
    `SELECT rowid // ${BLOCK_ROWS} AS block, coalesce(sum(strlen(${quoteName(column)})), 0), count(*),
       CASE WHEN count(${tenant}) = count(*) AND min(${tenant}) = max(${tenant}) THEN min(${tenant}) END
     FROM ${quotePart(part)} GROUP BY block ORDER BY block`
  );
  let rows = 0;
  const blocks = reader.getRows().map(([number, textBytes, count, only], index): Block => {
    if (Number(number) !== index) throw new Error(`${part.table} has no rows in block ${index}`);
    rows += Number(count);
    return { number: index, textBytes: Number(textBytes), tenant: only === null ? '' : tenantKey(String(only)) };
  });
  return { rows, blocks };
}

/** Short, and different for different tenants but for a coincidence, in which a block is read needlessly. */
export function tenantKey(tenant: string): string {
  return createHash('sha256').update(tenant).digest('hex').slice(0, 16);
}

/** The most bits of a gram with which the filter has its share of the size of the part. */
async function bitsOf(connection: DuckDBConnection, part: Part, blocks: number): Promise<number> {
  const bytes = await partBytes(connection, part);
  // Not in the file yet.
  if (bytes === 0) return GRAM_BITS;
  return Math.min(GRAM_BITS, Math.floor(Math.log2((bytes * LARGEST_SHARE * 8) / blocks)));
}

/** Neighboring blocks whose texts fit into memory. */
function* groups(blocks: readonly Block[]): Generator<readonly Block[]> {
  let group: Block[] = [];
  let bytes = 0;
  for (const block of blocks) {
    if (group.length > 0 && bytes + block.textBytes > MAX_TEXT_BYTES) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(block);
    bytes += block.textBytes;
  }
  if (group.length > 0) yield group;
}

/** @returns for each block, its grams; null: it may have any */
async function gramsOfGroup(
  connection: DuckDBConnection,
  place: Searched,
  group: readonly Block[],
  breathe: () => Promise<void>
): Promise<readonly (Uint8Array | null)[]> {
  const [{ number: first, textBytes }] = group as readonly [Block, ...Block[]];
  if (textBytes > MAX_BLOCK_TEXT_BYTES) return group.map(() => null);
  const bitmaps = group.map(() => gramBitmap());
  // A block whose texts do not fit into memory is alone, and read in pieces.
  const pieces = Math.max(1, Math.ceil(textBytes / MAX_TEXT_BYTES));
  const rows = group.length * BLOCK_ROWS;
  for (let piece = 0; piece < pieces; piece++) {
    const from = first * BLOCK_ROWS + Math.floor((piece * rows) / pieces);
    const to = first * BLOCK_ROWS + Math.floor(((piece + 1) * rows) / pieces);
    for (const [number, texts] of await readTexts(connection, place, { from, to }))
      await addTexts(texts, bitmaps[number - first]!, breathe);
  }
  return bitmaps;
}

/** The texts of each block with any, one after the other. */
async function readTexts(
  connection: DuckDBConnection,
  { part, column }: Searched,
  { from, to }: { readonly from: number; readonly to: number }
): Promise<ReadonlyMap<number, Uint8Array>> {
  const reader = await connection.runAndReadAll(
    `SELECT rowid // ${BLOCK_ROWS} AS block, encode(string_agg(${quoteName(column)}, chr(10))) FROM ${quotePart(part)}
     WHERE rowid >= ${from} AND rowid < ${to} GROUP BY block`
  );
  const found = new Map<number, Uint8Array>();
  for (const [number, texts] of reader.getRows())
    if (texts instanceof DuckDBBlobValue) found.set(Number(number), texts.bytes);
  return found;
}

async function addTexts(texts: Uint8Array, bitmap: Uint8Array, breathe: () => Promise<void>): Promise<void> {
  // Steps overlap, so that no gram is lost between two of them.
  for (let from = 0; from < texts.length; from += STEP_BYTES) {
    addGrams(texts.slice(Math.max(0, from - OVERLAP_BYTES), from + STEP_BYTES), bitmap);
    await breathe();
  }
}

/** Bytes of three characters. */
const OVERLAP_BYTES = 16;

/** Lets other work of the process run when this has taken long enough. */
function turns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONGEST_TURN_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
