/** Rows of tables of a real database with the columns of a sealed one. */
import { printPartRows } from '#server/stores/duckdb/seal/part-rows';
import type { Part } from '#server/stores/duckdb/tables/part';
import { useMemoryDatabase } from '../../../../support/stores/memory-database';

const database = useMemoryDatabase();

beforeAll(async () => {
  await database.connection.run(
    `CREATE TABLE "logs/2026-01-01" (text VARCHAR, number BIGINT, list BIGINT[]);
     INSERT INTO "logs/2026-01-01" VALUES ('7', 8, [9]), ('x', NULL, [])`
  );
});

const PART: Pick<Part, 'table' | 'database' | 'columns'> = {
  table: 'logs/2026-01-01',
  database: null,
  columns: new Map([
    ['text', 'STRING'],
    ['number', 'INT64'],
    ['list', 'ARRAY<INT64>'],
  ]),
};

it.each([
  { column: 'text', type: 'STRING', values: ['7', 'x'] },
  { column: 'number', type: 'FLOAT64', values: ['8.0', null] },
  { column: 'number', type: 'STRING', values: ['8', null] },
  { column: 'list', type: 'ARRAY<STRING>', values: ['[9]', '[]'] },
  { column: 'missing', type: 'INT64', values: [null, null] },
  // As a query reads it.
  { column: 'text', type: 'INT64', values: ['7', null] },
] as const)('column $column as $type', async ({ column, type, values }) => {
  const rows = printPartRows(PART as Part, [[column, type]]);
  const reader = await database.connection.runAndReadAll(`SELECT CAST("${column}" AS VARCHAR) FROM (${rows})`);
  expect(reader.getRows().flat()).toEqual(values);
});
