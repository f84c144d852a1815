/** Size of stored rows, by a sample: what reads or writes many of them at once takes fewer where they are large. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { RowRange } from '#contract/control';
import type { Source } from '#contract/events/source';
import type { Part } from '../tables/part';
import { isOutOfMemory } from '../statements/store-errors';
import { quoteName, quotePart } from '../tables/quoting';
import { printRowRange } from '../tables/row-range';
import { MESSAGE_COLUMN, METADATA_COLUMN } from '../tables/stored-columns';
import { countRows, storedTexts } from './stored-rows';

/** Of all parts of a day. Each has at least one. */
const STRETCHES = 16;
const ROWS_PER_STRETCH = 8;

/** @param range of the rows of all parts @returns bytes of the texts of an average row; 0: there are no rows */
export async function averageRowBytes(
  connection: DuckDBConnection,
  source: Source,
  parts: readonly Part[],
  { from, to }: Pick<RowRange, 'from' | 'to'>
): Promise<number> {
  const step = Math.max(ROWS_PER_STRETCH, Math.floor((to - from) / STRETCHES));
  let [before, rows, bytes] = [0, 0, 0];
  for (const part of parts) {
    const count = await countRows(connection, part);
    for (let at = Math.max(from - before, 0); at < Math.min(to - before, count); at += step) {
      const range = printRowRange(part, at, at + ROWS_PER_STRETCH);
      const sql = `SELECT count(*), sum(bytes) FROM (SELECT ${printBytes(source, part)} AS bytes FROM ${quotePart(part)} ${range})`;
      const [rowCount, byteCount] = (await connection.runAndReadAll(sql)).getRows()[0]!.map(Number);
      rows += rowCount!;
      bytes += byteCount!;
    }
    before += count;
  }
  return rows === 0 ? 0 : bytes / rows;
}

/** @returns bytes of the longest text in a row of the part, by DuckDB's statistics */
export async function longestText(connection: DuckDBConnection, part: Part): Promise<number> {
  const texts = [...part.columns].filter(([name, type]) => type === 'STRING' && !name.startsWith('metadata.'));
  const items = texts.map(([name]) => `stats(${quoteName(name)})`);
  try {
    const reader = await connection.runAndReadAll(`SELECT ${items.join(', ')} FROM ${quotePart(part)} LIMIT 1`);
    const lengths = (reader.getRows()[0] ?? []).map((stats) => /Max String Length: (\d+)/.exec(String(stats))?.[1]);
    return Math.max(0, ...lengths.map((length) => Number(length ?? 0)));
  } catch (error) {
    // The first rows do not fit into memory.
    if (isOutOfMemory(error)) return Infinity;
    throw error;
  }
}

/** Rows that take this number of bytes, from 1 to `most`. */
export function fittingRows(bytes: number, rowBytes: number, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(bytes / Math.max(1, rowBytes))));
}

function printBytes(source: Source, part: Part): string {
  const texts = [METADATA_COLUMN, MESSAGE_COLUMN, ...storedTexts(source, [part])];
  return texts.map((name) => `coalesce(strlen(${quoteName(name)}), 0)`).join(' + ');
}
