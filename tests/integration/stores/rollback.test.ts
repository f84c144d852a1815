/** A batch that fails on its way to disk leaves nothing behind: no event, no column, no field. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { BatchWriter } from '#server/stores/duckdb/batch-writer';
import { describeSource } from '#server/stores/duckdb/build-catalog';
import { type Database, openDatabase } from '#server/stores/duckdb/database';
import { createFieldRegistry } from '#server/stores/duckdb/field-registry';
import { loadParts } from '#server/stores/duckdb/load-parts';
import { SourceState } from '#server/stores/duckdb/source-state';
import { makeSource, NOW_MICROS } from './store-fixture';

let dataDir: string;
let database: Database;
let connection: DuckDBConnection;
let state: SourceState;
let writer: BatchWriter;
/** The next statement that starts so fails. */
let failing: string | null;

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'lqe-rollback-'));
  database = await openDatabase({ dataDir, memoryLimitMb: 128, threads: 1 });
  connection = await database.connect();
  await createFieldRegistry(connection);
  state = await SourceState.load(connection, makeSource());
  failing = null;
  const run = connection.run.bind(connection);
  connection.run = async (sql, values, types) => {
    if (failing !== null && sql.startsWith(failing)) {
      failing = null;
      throw new Error('no space left on device');
    }
    return run(sql, values, types);
  };
  writer = new BatchWriter(connection);
});

afterEach(() => {
  writer.close();
  database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const write = (id: string, metadata: unknown): ReturnType<BatchWriter['write']> =>
  writer.write(state, {
    source: 'events',
    body: Buffer.from(JSON.stringify({ id, timestamp: 1795172400, metadata })),
    nowMicros: NOW_MICROS,
  });

it.each(['CREATE TABLE', 'DELETE FROM lqe_fields', 'INSERT INTO lqe_fields', 'COMMIT'])(
  'a failing %s in the first batch',
  async (statement) => {
    failing = statement;
    await expect(write('a', { n: 1 })).rejects.toThrow('no space left');
    expect(describeSource(state)).toMatchObject({ parts: [], metadata: { fields: new Map() } });
    expect((await loadParts(connection, [state.source])).get('events')).toEqual(new Map());
    expect(await write('a', { n: 'x' })).toMatchObject({ result: { accepted: 1, duplicates: 0 } });
    expect(describeSource(state).metadata.fields.get('n')).toMatchObject({ type: 'STRING' });
  }
);

it.each(['ALTER TABLE', 'DELETE FROM lqe_fields', 'COMMIT'])('a failing %s in a later batch', async (statement) => {
  await write('a', { n: 1 });
  const before = describeSource(state);
  failing = statement;
  await expect(write('b', { n: 'x', m: { k: 1 } })).rejects.toThrow('no space left');
  expect(describeSource(state)).toEqual(before);
  const stored = (await loadParts(connection, [state.source])).get('events')!;
  expect([...stored.values()].map((part) => part.columns)).toEqual(before.parts.map((part) => part.columns));
  expect(await write('b', { n: 2 })).toMatchObject({ result: { accepted: 1, duplicates: 0 } });
  expect(describeSource(state).metadata.fields.get('n')).toMatchObject({ type: 'INT64' });
});
