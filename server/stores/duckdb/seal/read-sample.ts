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

export interface SampledRows {
  readonly sample: Sample;
  /** Bytes of the texts of an average row, those of rows that are too long for the sample, too. */
  readonly rowBytes: number;
}

/** Texts and integers of rows from all over the day, as texts, by column. @param pause called before each stretch */
export async function readSample(
  connection: DuckDBConnection,
  parts: readonly Part[],
  columns: ReadonlyMap<string, PhysicalType>,
  pause: Pause
): Promise<SampledRows> {
  const names = [...columns].filter(([, type]) => type === 'STRING' || type === 'INT64');
  const texts = `concat(${names.map(([name]) => quoteName(name)).join(', ')})`;
  const bytes = `sum(strlen(${texts}))`;
  const counted: (readonly [Part, number])[] = [];
  for (const part of parts) counted.push([part, await countRows(connection, part)]);
  const total = counted.reduce((sum, [, rows]) => sum + rows, 0);
  const step = Math.max(ROWS_PER_STRETCH, Math.floor(total / STRETCHES));
  const stretches: string[] = [];
  for (const [part, rows] of counted) {
    for (let from = 0; from < rows; from += step) {
      stretches.push(`(${printPartRows(part, names)} ${printRowRange(part, from, from + ROWS_PER_STRETCH)})`);
    }
  }
  const found = names.map((): (string | null)[] => []);
  let [rowsRead, bytesRead] = [0, 0];
  for (const stretch of stretches) {
    await pause();
    const counts = await connection.runAndReadAll(`SELECT count(*), ${bytes} FROM ${stretch}`);
    const [rowCount, byteCount] = counts.getRows()[0]!.map(Number);
    rowsRead += rowCount!;
    bytesRead += byteCount!;
    const fitting = `${bytes} OVER (ROWS UNBOUNDED PRECEDING) <= ${BYTES_PER_STRETCH}`;
    const reader = await connection.runAndReadAll(`SELECT * FROM ${stretch} QUALIFY ${fitting}`);
    for (const row of reader.getRows())
      row.forEach((value, i) => found[i]!.push(value === null ? null : String(value)));
  }
  const sample = new Map(names.map(([name], i) => [name, found[i]!]));
  return { sample, rowBytes: rowsRead === 0 ? 0 : bytesRead / rowsRead };
}
