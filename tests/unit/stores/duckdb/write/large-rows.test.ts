/**
 * Which rows and tables count as large, with 64 MiB: rows of more than 4 KiB, and tables with more than 4 MiB of them.
 */
import type { EventRow } from '#server/stores/ingest/event/event-row';
import type { Part } from '#server/stores/duckdb/tables/part';
import { LargeRows } from '#server/stores/duckdb/write/large-rows';
import { OpenParts } from '#server/stores/duckdb/write/open-parts';
import { useMemoryDatabase } from '../../../../support/stores/memory-database';

const MEMORY_LIMIT_MB = 64;
const MIB = 1024 * 1024;

let large: LargeRows;
beforeEach(() => (large = new LargeRows(MEMORY_LIMIT_MB)));

const row = (metadata: number, message: string | null = null, own: readonly (string | null)[] = []): EventRow =>
  ({ metadataStart: 10, metadataEnd: 10 + metadata, message, own }) as unknown as EventRow;

test.each([
  { rows: [row(300), row(4_096), row(4_000, 'x'.repeat(90), [null])], largeBytes: 0 },
  { rows: [row(300), row(5_000), row(100_000)], largeBytes: 105_000 },
  { rows: [row(10, 'x'.repeat(5_000)), row(10, null, ['y'.repeat(6_000), null])], largeBytes: 11_020 },
])('$largeBytes bytes of large rows', ({ rows, largeBytes }) => {
  expect(large.take(rows, 0, 10)).toEqual({ end: rows.length, largeBytes });
  expect(large.take(rows, 1, 10)).toMatchObject({ end: rows.length });
});

test('an insert has a limited number of rows, and a megabyte of them', () => {
  const rows = Array.from({ length: 100 }, () => row(300_000));
  expect(large.take(rows, 0, 2)).toEqual({ end: 2, largeBytes: 600_000 });
  expect(large.take(rows, 2, 50)).toEqual({ end: 6, largeBytes: 1_200_000 });
});

test('many large rows since the last checkpoint need one, and small ones do not', () => {
  const parts = new OpenParts(MEMORY_LIMIT_MB, large);
  parts.addRows(30_000, 10, 0);
  parts.addRows(10, 10, 4 * MIB);
  expect(parts.hasManyValues).toBe(false);
  parts.addRows(1, 10, 5_000);
  expect(parts.hasManyValues).toBe(true);
  parts.clear();
  expect(parts.hasManyValues).toBe(false);
});

test('a table is heavy for good with the bytes of all transactions', () => {
  large.add('events/2026-11-20', 3 * MIB);
  large.add('events/2026-11-21', 3 * MIB);
  expect(large.isHeavy('events/2026-11-20')).toBe(false);
  large.add('events/2026-11-20', 2 * MIB);
  expect(['events/2026-11-20', 'events/2026-11-21', 'other/2026-11-20'].map((name) => large.isHeavy(name))).toEqual([
    true,
    false,
    false,
  ]);
});

describe('rows of an earlier process', () => {
  const database = useMemoryDatabase();

  test.each([
    { what: 'short texts', column: 'metadata_json', length: 4_000, rows: 5_000, isHeavy: false },
    { what: 'few long texts', column: 'metadata_json', length: 100_000, rows: 30, isHeavy: false },
    { what: 'long texts', column: 'metadata_json', length: 100_000, rows: 60, isHeavy: true },
    { what: 'long messages', column: 'event_message', length: 5_000, rows: 3_000, isHeavy: true },
    { what: 'no rows', column: 'event_message', length: 0, rows: 0, isHeavy: false },
  ])('$what', async ({ column, length, rows, isHeavy }) => {
    await database.connection.run(
      `CREATE OR REPLACE TABLE "events/2026-11-20" AS SELECT range AS n, repeat('x', ${length}) AS ${column} FROM range(${rows})`
    );
    const columns = new Map([
      ['n', 'INT64'],
      [column, 'STRING'],
    ]);
    const part = { table: 'events/2026-11-20', database: null, columns } as unknown as Part;
    await large.find(database.connection, [part], () => rows);
    expect(large.isHeavy(part.table)).toBe(isHeavy);
  });
});
