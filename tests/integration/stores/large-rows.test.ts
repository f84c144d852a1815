/** Events of hundreds of kilobytes in a store with little memory. */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { STAGING_FOLDER } from '#contract/control';
import { openFixture, makeSource, type StoreFixture, TODAY } from './store-fixture';

const MEMORY_LIMIT_MB = 64;
const TEXT = 'x'.repeat(200_000);

let fixture: StoreFixture;
beforeEach(async () => (fixture = await openFixture([makeSource()], MEMORY_LIMIT_MB)));
afterEach(() => fixture.remove());

/** @returns rows of the largest row group of a table */
async function mostRows(table: string): Promise<number> {
  const sql = `SELECT max(count)::BIGINT FROM pragma_storage_info('${table}') WHERE column_name = 'id'`;
  return Number((await fixture.read(sql, ['INT64'])).columns[0]![0]);
}

it('a row group has few of them, where they are stored, sealed and exported', async () => {
  const events = Array.from({ length: 60 }, (_, i) => ({ id: `e${i}`, metadata: { i, text: TEXT } }));
  expect(await fixture.ingest(events)).toMatchObject({ accepted: 60 });
  expect(await mostRows(TODAY)).toBeLessThanOrEqual(30);
  const { signal } = new AbortController();
  expect(await fixture.store.sealing!.sealNext(signal)).toMatchObject({ rows: 60 });
  const [part] = fixture.source().parts;
  expect(part!.database).toBe('sealed');
  const sealed = `sealed."${part!.table}"`;
  expect(await mostRows(sealed)).toBeLessThanOrEqual(30);
  const range = { source: 'events', day: part!.fromMicros / 86_400e6, from: 0, to: 60 };
  const { file, rows } = await fixture.store.exports!.write(range, signal);
  expect(rows).toBe(60);
  const path = join(fixture.dataDir, STAGING_FOLDER, file);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const groups = await connection.runAndReadAll(`SELECT num_row_groups FROM parquet_file_metadata('${path}')`);
  expect(Number(groups.getRows()[0]![0])).toBe(2);
  connection.closeSync();
  instance.closeSync();
  const { columns } = await fixture.read(`SELECT sum(strlen(metadata_json))::BIGINT FROM ${sealed}`, ['INT64']);
  expect(Number(columns[0]![0])).toBe(events.reduce((sum, { metadata }) => sum + JSON.stringify(metadata).length, 0));
  expect(fixture.problems).toEqual([]);
});
