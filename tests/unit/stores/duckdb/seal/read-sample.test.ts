/** Samples of tables of a real database. */
import { readSample, type SampledRows } from '#server/stores/duckdb/seal/read-sample';
import type { Part } from '#server/stores/duckdb/tables/part';
import { useMemoryDatabase } from '../../../../support/stores/memory-database';

const ROWS = 2_000;
/** Rows of 16 stretches and the rest. */
const SAMPLED_ROWS = 16 * 32;

const database = useMemoryDatabase();

interface Rows {
  /** Column of the row numbers. */
  readonly name?: string;
  readonly rows?: number;
  /** Number of parts with these rows each. */
  readonly parts?: number;
}

/** @param text expression of the row number `n` */
async function sampleOf(text: string, { name = 'n', rows = ROWS, parts = 1 }: Rows = {}): Promise<SampledRows> {
  await database.connection.run(
    `CREATE OR REPLACE TABLE "logs/2026-01-01" AS SELECT n AS "${name}", ${text} AS note FROM (SELECT range AS n FROM range(${rows}))`
  );
  const columns: Part['columns'] = new Map([
    [name, 'INT64'],
    ['note', 'STRING'],
  ]);
  const place = { table: 'logs/2026-01-01', database: null, day: 20_454, version: 0 };
  const part: Part = { ...place, columns, inColumns: null, message: null, newestMicros: null };
  return readSample(database.connection, Array<Part>(parts).fill(part), columns, () => Promise.resolve());
}

test.each(['n', 'rowid'])('whole stretches of short texts, by column, with numbers in the column %s', async (name) => {
  const { sample } = await sampleOf(`CASE WHEN n % 3 > 0 THEN 'note ' || n END`, { name });
  const numbers = sample.get(name)!;
  expect(numbers).toHaveLength(SAMPLED_ROWS);
  expect(numbers.slice(30, 34)).toEqual(['30', '31', '125', '126']);
  expect(sample.get('note')).toEqual(numbers.map((n) => (Number(n) % 3 > 0 ? `note ${n}` : null)));
});

test('many parts have no more stretches together than one, and one each', async () => {
  const parts = 32;
  const { sample, rowBytes } = await sampleOf(`'note ' || n`, { parts });
  expect(sample.get('n')).toHaveLength(32 * parts);
  expect(rowBytes).toBeCloseTo(8.4, 0);
});

test('a stretch of long texts has fewer rows', async () => {
  const { sample, rowBytes } = await sampleOf(`repeat('x', 60000 + n)`, { rows: 64 });
  expect(sample.get('n')).toEqual([...Array(16).keys(), ...Array.from({ length: 16 }, (_, i) => 32 + i)].map(String));
  expect(rowBytes).toBeCloseTo(60_000, -3);
});

test('a text that is longer than a stretch may be is in no sample, but counts for the size of rows', async () => {
  const some = await sampleOf(`CASE WHEN n % 32 >= 10 THEN repeat('x', 1000001) ELSE 'note' END`, { rows: 64 });
  expect(new Set(some.sample.get('note'))).toEqual(new Set(['note']));
  expect(some.rowBytes).toBeCloseTo((22 / 32) * 1_000_001, -2);
  const all = await sampleOf(`repeat('x', 1000001)`, { rows: 4 });
  expect(all.sample.get('note')).toEqual([]);
  expect(all.rowBytes).toBe(1_000_002);
  expect((await sampleOf(`'note'`, { rows: 0 })).rowBytes).toBe(0);
});
