/**
 * Reads the texts of a part in blocks of rows, and finds their grams. The texts of at most 1 MB are in memory at a
 * time.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBBlobValue } from '@duckdb/node-api';
import type { Part } from '../tables/part';
import { quoteName, quotePart } from '../tables/quoting';
import { BLOCK_ROWS } from './filter-layout';
import { addGrams, gramBitmap } from './grams';

/** Blocks whose sizes are read at a time: queries share the processors with each statement. */
const BLOCKS_AT_ONCE = 32;
const MAX_TEXT_BYTES = 1_000_000;
/** A block with more text may have any gram. */
const MAX_BLOCK_TEXT_BYTES = 64_000_000;
/** Text whose grams are found without a break, in about a quarter of a millisecond. */
const STEP_BYTES = 16_000;
/** A query that runs meanwhile waits so long at each of its steps: with 1 ms, five times as long as with this. */
const LONGEST_TURN_MS = 0.2;

export interface Searched {
  readonly part: Part;
  readonly column: string;
  readonly tenantColumn: string | null;
}

export interface Block {
  readonly number: number;
  readonly rows: number;
  readonly textBytes: number;
  /** Key of the tenant of all rows; '': there are several. */
  readonly tenant: string;
}

/** At most `most` blocks of a part that follow each other from `first` on. */
export async function readBlocks(
  connection: DuckDBConnection,
  { part, column, tenantColumn }: Searched,
  { first, most }: { readonly first: number; readonly most: number }
): Promise<readonly Block[]> {
  const tenant = tenantColumn === null ? 'CAST(NULL AS VARCHAR)' : quoteName(tenantColumn);
  const reader = await connection.runAndReadAll(
    `SELECT rowid // ${BLOCK_ROWS} AS block, count(*), coalesce(sum(strlen(${quoteName(column)})), 0),
       CASE WHEN count(${tenant}) = count(*) AND min(${tenant}) = max(${tenant}) THEN min(${tenant}) END
     FROM ${quotePart(part)} WHERE rowid >= ${first * BLOCK_ROWS} AND rowid < ${(first + most) * BLOCK_ROWS}
     GROUP BY block ORDER BY block`
  );
  return reader.getRows().map(([number, rows, textBytes, only], index): Block => {
    if (Number(number) !== first + index) throw new Error(`${part.table} has no rows in block ${first + index}`);
    const key = only === null ? '' : tenantKey(String(only));
    return { number: first + index, rows: Number(rows), textBytes: Number(textBytes), tenant: key };
  });
}

/**
 * The blocks of a whole part, in groups whose texts are read at once.
 * @param pause called before each group
 */
export async function* blockGroupsOf(
  connection: DuckDBConnection,
  searched: Searched,
  rows: number,
  pause: () => Promise<void>
): AsyncGenerator<readonly Block[]> {
  for (let first = 0; first * BLOCK_ROWS < rows; first += BLOCKS_AT_ONCE) {
    const blocks = await readBlocks(connection, searched, { first, most: BLOCKS_AT_ONCE });
    for (const group of blockGroups(blocks, MAX_TEXT_BYTES)) {
      await pause();
      yield group;
    }
  }
}

/** Short, and different for different tenants but for a coincidence, in which a block is read needlessly. */
export function tenantKey(tenant: string): string {
  return createHash('sha256').update(tenant).digest('hex').slice(0, 16);
}

/** Neighboring blocks with at most this much text, or one with more. */
export function* blockGroups(blocks: readonly Block[], maxBytes: number): Generator<readonly Block[]> {
  let group: Block[] = [];
  let bytes = 0;
  for (const block of blocks) {
    if (group.length > 0 && bytes + block.textBytes > maxBytes) {
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
export async function gramsOfGroup(
  connection: DuckDBConnection,
  searched: Searched,
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
    for (const [number, texts] of await readTexts(connection, searched, { from, to }))
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

/** Bytes of three characters: steps overlap, so that no gram is lost between two of them. */
const OVERLAP_BYTES = 16;
/** Used between two breaths only. A new buffer for each step makes V8 collect its whole heap again and again. */
const step = new Uint8Array(OVERLAP_BYTES + STEP_BYTES);

/** Adds the grams of texts. @param texts UTF-8 */
export async function addTexts(texts: Uint8Array, bitmap: Uint8Array, breathe: () => Promise<void>): Promise<void> {
  for (let from = 0; from < texts.length; from += STEP_BYTES) {
    const piece = texts.subarray(Math.max(0, from - OVERLAP_BYTES), from + STEP_BYTES);
    step.set(piece);
    addGrams(step.subarray(0, piece.length), bitmap);
    await breathe();
  }
}

/** Lets other work of the process run when this has taken long enough. */
export function turns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONGEST_TURN_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
