/** A batch that is being read changes fields, while an earlier batch with them is being stored. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Database, openDatabase } from '#server/stores/duckdb/file/database';
import { createFieldRegistry } from '#server/stores/duckdb/sources/field-registry';
import { loadParts } from '#server/stores/duckdb/sources/load-parts';
import { SourceState } from '#server/stores/duckdb/sources/source-state';
import { createStoredPosition } from '#server/stores/duckdb/sources/stored-position';
import { PartVersions } from '#server/stores/duckdb/tables/part-versions';
import { BatchWriter, type FreshBatch } from '#server/stores/duckdb/write/batch-writer';
import type { FieldNode, FieldTree } from '#server/stores/ingest/fields/field-tree';
import { readBatch } from '#server/stores/ingest/read/read-batch';
import { ingestBatch } from '../../support/stores/ingest-batch';
import { makeSource, NOW_MICROS } from './store-fixture';

const DAY_MICROS = 86_400e6;
/** Two days before the newest one: their parts have the fields of their events only. */
const FIRST = 'events/2026-11-19';
const SECOND = 'events/2026-11-18';

let dataDir: string;
let database: Database;
let connection: DuckDBConnection;

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'lqe-changed-'));
  database = await openDatabase({ dataDir, memoryLimitMb: 128, threads: 1 });
  connection = await database.connect();
  await createFieldRegistry(connection);
  await createStoredPosition(connection);
});

afterEach(() => {
  connection.closeSync();
  database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs once, after the table of the first day was created. */
function onCreated(change: () => void): void {
  const run = connection.run.bind(connection);
  connection.run = async (sql, values, types) => {
    const result = await run(sql, values, types);
    if (sql.startsWith(`CREATE TABLE "${FIRST}"`)) change();
    return result;
  };
}

function read(state: SourceState, events: readonly unknown[]): FreshBatch {
  const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  const { rows } = readBatch(state.reader, ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS }));
  return { state, rows, touched: [...state.tree.touched], changed: [...state.tree.changed] };
}

const newWriter = (): BatchWriter =>
  new BatchWriter(connection, {
    memoryLimitMb: 128,
    versions: new PartVersions(),
    isMergeCheap: () => true,
    checkpoint: (own, kind) => database.checkpoint(own, kind),
    commitToFile: (own) => database.commitToFile(own),
  });

/** Stores an event of each of the two days, with this metadata. */
async function store(metadata: unknown, change: (tree: FieldTree, field: FieldNode) => void): Promise<void> {
  const state = await SourceState.load(connection, makeSource());
  const writer = newWriter();
  await writer.insert(read(state, [{ id: 'newest', timestamp: NOW_MICROS }]), 0);
  await writer.commit(1);
  const days = [1, 2].map((ago) => ({ id: 'e', timestamp: NOW_MICROS - ago * DAY_MICROS, metadata }));
  const batch = read(state, days);
  onCreated(() => change(state.tree, state.tree.find(state.tree.root, 'f')!));
  await writer.insert(batch, 1);
  await writer.commit(2);
}

async function values(table: string, expression: string): Promise<unknown> {
  const reader = await connection.runAndReadAll(`SELECT CAST(${expression} AS VARCHAR) FROM "${table}"`);
  return reader.getRows()[0]![0];
}

it.each([
  { value: 7, type: 'FLOAT64', first: '7', second: '7.0' },
  { value: 7, type: 'STRING', first: '7', second: '7' },
  { value: [1, 2], type: 'STRING', first: '[1, 2]', second: '[1, 2]' },
] as const)('a field with $value that becomes $type keeps its values', async ({ value, type, first, second }) => {
  await store({ f: value }, (tree, field) => tree.widen(field, type));
  expect(await values(FIRST, '"metadata.f"')).toBe(first);
  expect(await values(SECOND, '"metadata.f"')).toBe(second);
});

it.each([
  { type: 'STRING', stored: '7,8' },
  { type: 'FLOAT64', stored: '7,8' },
] as const)('values are stored after a crash before the batch that made the field $type', async ({ type, stored }) => {
  await store({ f: 7 }, (tree, field) => tree.widen(field, type));
  const source = makeSource();
  const parts = (await loadParts(connection, [source])).get(source.name);
  const state = await SourceState.load(connection, source, parts);
  const timestamp = NOW_MICROS - 2 * DAY_MICROS;
  const writer = newWriter();
  await writer.insert(read(state, [{ id: 'later', timestamp, metadata: { f: 8 } }]), 2);
  await writer.commit(3);
  expect(await values(SECOND, `string_agg("metadata.f", ',' ORDER BY "metadata.f")`)).toBe(stored);
});

it('a record that becomes a list of records has no columns in further parts', async () => {
  await store({ f: { a: 1 } }, (tree, field) => tree.becomeRecords(field));
  expect(await values(FIRST, 'metadata_json')).toBe('{"f":{"a":1}}');
  expect(await values(SECOND, 'metadata_json')).toBe('{"f":{"a":1}}');
});
