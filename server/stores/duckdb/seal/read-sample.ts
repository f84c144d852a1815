/** Reads a sample of the rows of a day, by which the layout of its sealed table is chosen. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { PhysicalType } from '#compiler/store';
import type { Pause } from '../file/work-pauses';
import { countRows } from '../read/stored-rows';
import type { SampledTexts } from '../sealed-layout/sampled-texts';
import type { Part } from '../tables/part';
import { quoteName } from '../tables/quoting';
import { printRowRange } from '../tables/row-range';
import { printPartRows } from './part-rows';

/** Of all parts of a day. Each has at least one. */
const STRETCHES = 16;
const ROWS_PER_STRETCH = 32;
/** The sample is in the memory of the engine: of longer texts, a stretch has fewer rows. */
const BYTES_PER_STRETCH = 1_000_000;

/** By column. */
export type Sample = ReadonlyMap<string, SampledTexts>;

/** Texts and integers of rows from all over the day, as texts, by column. @param pause called before each stretch */
export async function readSample(
  connection: DuckDBConnection,
  parts: readonly Part[],
  columns: ReadonlyMap<string, PhysicalType>,
  pause: Pause
): Promise<Sample> {
  const names = [...columns].filter(([, type]) => type === 'STRING' || type === 'INT64');
  const texts = `concat(${names.map(([name]) => quoteName(name)).join(', ')})`;
  const bytes = `sum(strlen(${texts})) OVER (ROWS UNBOUNDED PRECEDING)`;
  const counted: (readonly [Part, number])[] = [];
  for (const part of parts) counted.push([part, await countRows(connection, part)]);
  const total = counted.reduce((sum, [, rows]) => sum + rows, 0);
  const step = Math.max(ROWS_PER_STRETCH, Math.floor(total / STRETCHES));
  const selects: string[] = [];
  for (const [part, rows] of counted) {
    for (let from = 0; from < rows; from += step) {
      const rowsOfStretch = `${printPartRows(part, names)} ${printRowRange(part, from, from + ROWS_PER_STRETCH)}`;
      selects.push(`SELECT * FROM (${rowsOfStretch}) QUALIFY ${bytes} <= ${BYTES_PER_STRETCH}`);
    }
  }
  const found = names.map((): (string | null)[] => []);
  for (const select of selects) {
    await pause();
    const reader = await connection.runAndReadAll(select);
    for (const row of reader.getRows())
      row.forEach((value, i) => found[i]!.push(value === null ? null : String(value)));
  }
  return new Map(names.map(([name], i) => [name, found[i]!]));
}

/** Characters of an average row of a sample. */
export function rowBytes(sample: Sample): number {
  let rows = 0;
  let bytes = 0;
  for (const texts of sample.values()) {
    rows = texts.length;
    for (const text of texts) bytes += text?.length ?? 0;
  }
  // Each row is longer than a stretch may be.
  return rows === 0 ? BYTES_PER_STRETCH : bytes / rows;
}
