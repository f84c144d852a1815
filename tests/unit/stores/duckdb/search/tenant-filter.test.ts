/** Filters by tenant of tables of a real database: what they know, and which tables have no filter. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '#server/stores/duckdb/tables/part';
import { buildTenantFilter } from '#server/stores/duckdb/search/by-tenant/build-tenant-filter';
import { readDescription } from '#server/stores/duckdb/search/filter-file';
import type { FilterDescription } from '#server/stores/duckdb/search/filter-layout';
import { useMemoryDatabase } from '../../../../support/stores/memory-database';

const BLOCKS = 70;
const ROWS = BLOCKS * 2048;

let folder: string;
const database = useMemoryDatabase();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-tenant-filter-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** @param tenant, text expressions of the row number `n` */
async function filterOf(tenant: string, text: string): Promise<{ filter: FilterDescription; pauses: number }> {
  await database.connection.run(
    `CREATE OR REPLACE TABLE "logs/2026-01-01" AS
     SELECT ${tenant} AS project, ${text} AS url FROM (SELECT range AS n FROM range(${ROWS}))`
  );
  const part: Part = {
    table: 'logs/2026-01-01',
    database: null,
    day: 20_454,
    version: 0,
    columns: new Map([
      ['project', 'STRING'],
      ['url', 'STRING'],
    ]),
    inColumns: null,
    message: null,
    newestMicros: null,
  };
  let pauses = 0;
  const path = join(folder, 'filter.values');
  await buildTenantFilter(
    database.connection,
    { part, column: 'url', tenantColumn: 'project', path },
    { signal: new AbortController().signal, pause: () => Promise.resolve(void pauses++) }
  );
  return { filter: (await readDescription(path))!, pauses };
}

test('rows, and what all texts of a tenant begin with, over all blocks', async () => {
  const tenant = `CASE WHEN n < 100000 THEN 'acorn' WHEN n < 143000 THEN 'blue' WHEN n < 143200 THEN NULL ELSE 'few' END`;
  const url = `CASE WHEN n >= 143200 AND n % 2 = 0 THEN NULL
    ELSE 'https://' || coalesce(project, 'of none') || '/' || CASE WHEN n = 142999 THEN 'é' ELSE 'è' END || n END`;
  const { filter, pauses } = await filterOf(tenant, url.replaceAll('project', `(${tenant})`));
  const known = new Map(filter.ofTenants!.map(({ tenant: name, ...rest }) => [name, rest]));
  expect(known).toEqual(
    new Map([
      ['acorn', { rows: 100_000, prefix: 'https://acorn/è' }],
      ['blue', { rows: 43_000, prefix: 'https://blue/' }],
      [null, { rows: 200, prefix: 'https://of none/è143' }],
      // Some of its events have no text.
      ['few', { rows: ROWS - 143_200, prefix: '' }],
    ])
  );
  expect(filter.stripes).toHaveLength(1);
  // Statements of the whole part would leave the processor to nothing else for long.
  expect(pauses).toBeGreaterThanOrEqual(BLOCKS / 32);
});

test('more tenants than a filter may have end it at the first texts', async () => {
  const { filter, pauses } = await filterOf(`'t' || n % 300`, `'https://t' || n % 300 || '/' || n`);
  expect(filter).toMatchObject({ rows: ROWS, stripes: [], tenants: [] });
  expect(pauses).toBe(1);
});

test('256 tenants have one', async () => {
  const { filter } = await filterOf(`'t' || n % 256`, `'https://t' || n % 256 || '/' || n`);
  expect(filter.ofTenants).toHaveLength(256);
});

test('a block with more text than is read at once ends it', async () => {
  const { filter } = await filterOf(`'t'`, `CASE WHEN n // 2048 = 40 THEN repeat('a', 10000) ELSE 'b' END`);
  expect(filter.stripes).toEqual([]);
});
