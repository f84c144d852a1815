/**
 * `lqe copy` from a real DuckDB store to a real ClickHouse engine.
 *
 * @slow 15
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Source } from '#contract/events/source';
import buildServer from '../../../support/processes/build-server';
import { type ClickHouseEngine, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { runCliWith } from '../../../support/servers/spawned';
import { makeSource, NOW_MICROS, openFixture, type StoreFixture } from '../store-fixture';

jest.setTimeout(60_000);

let engine: ClickHouseEngine;
let original: StoreFixture;
let sourcesFile: string;
let env: Readonly<Record<string, string>>;

const source: Source = makeSource({
  columns: { project: 'STRING', size: 'FLOAT64' },
  retention_days: 30,
  fields: { 'request.path': 'STRING' },
  tenant: 'project',
});

beforeAll(async () => {
  await buildServer();
  engine = await startClickHouseEngine();
  original = await openFixture([source]);
  sourcesFile = path.join(original.dataDir, 'sources.yaml');
  writeFileSync(sourcesFile, JSON.stringify({ sources: [source] }));
  const odd = 'tab\t line\n quote" back\\ ünïcode 🦆';
  const events = Array.from({ length: 40 }, (_, n) => ({
    id: `e${n}`,
    timestamp: `2026-11-${18 + (n % 3)}T0${n % 10}:00:00.00000${n % 10}Z`,
    event_message: n % 7 === 0 ? undefined : `${odd} ${n}`,
    project: n % 5 === 0 ? undefined : `p${n % 4}`,
    size: n / 8,
    metadata: { request: [{ path: `/${n}` }], n, [odd]: odd, tags: ['a', odd], list: [{ a: n }, { a: odd }] },
  }));
  await original.ingest(events);
  const odds = { n: 'a text now', request: 'odd', of_tenant: 1 };
  const late = { id: 'late', event_message: 'no time of its own', metadata: odds };
  await original.store.ingest({
    ...ingestBatch({ source: 'events', body: Buffer.from(JSON.stringify(late)), nowMicros: NOW_MICROS }),
    tenant: { confinedTo: 'p1', given: null },
  });
}, 120_000);
afterAll(async () => {
  await engine.stop();
  await original.remove();
});
afterEach(() => engine.setRules([]));

beforeEach(async () => {
  env = {
    LQE_CLICKHOUSE_URL: engine.url,
    LQE_CLICKHOUSE_USER: 'writer',
    LQE_CLICKHOUSE_PASSWORD: 'write',
    LQE_CLICKHOUSE_DATABASE: 'copied',
  };
});

const lqe = (...words: string[]) => runCliWith(env, ...words, '--sources-file', sourcesFile);
const copy = (...words: string[]) =>
  lqe('copy', '--from', 'duckdb', '--to', 'clickhouse', '--data-dir', original.dataDir, '--batch-size', '5', ...words);
const count = async (): Promise<unknown> => (await engine.query('SELECT count() FROM copied.events'))[0]![0];

it('lqe copy waits for a server with access to the file, and for the tables', async () => {
  // The file is open in this process.
  expect(await copy()).toMatchObject({ code: 1, stderr: expect.stringContaining('in use') });
  await original.store.close();
  expect(await copy()).toMatchObject({ code: 1, stderr: expect.stringContaining('run "lqe store') });
});

it('lqe copy stops with the reason of a failure, resumes where it was, and compares every day at the end', async () => {
  await lqe('store', 'init', '--yes');
  await engine.setRules([{ match: 'INSERT INTO `events`', skip: 3, then: { code: 243, message: 'Cannot reserve' } }]);
  expect(await copy()).toMatchObject({ code: 1, stderr: expect.stringContaining('disk of ClickHouse is full') });
  expect(await count()).toBe(14);
  const state = path.join(original.dataDir, 'copy-to-clickhouse.json');
  expect(existsSync(state)).toBe(true);

  await engine.setRules([]);
  const second = await copy();
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('41 events copied; counts and checksums') });
  const sent = (await engine.seen()).filter(({ text }) => text.startsWith('INSERT INTO `events`'));
  // The 14 of the first day were there; 13 and 14 are left, in batches of 5.
  expect(sent.length).toBe(6);
  expect(existsSync(state)).toBe(false);

  const again = await copy();
  expect([again.code, await count()]).toEqual([0, 41]);
  const [row] = await engine.query(
    "SELECT size, `metadata.request.path`, metadata_json, toString(_fields.`metadata.n`) FROM copied.events WHERE id = 'e7'"
  );
  expect(row!.slice(0, 2)).toEqual([0.875, '/7']);
  expect(JSON.parse(String(row![2]))).toMatchObject({ request: { path: '/7' }, n: 7, list: [{ a: 7 }, {}] });
  // As the other store knows it by now: a text.
  expect(row![3]).toBe('7');
  const tenants = "SELECT path, physical FROM copied.lqe_fields WHERE source = 'events tenants'";
  expect(await engine.query(tenants)).toEqual([['["of_tenant"]', 'p1']]);
});

it('lqe copy lists the days that differ, and sends missing events again', async () => {
  await engine.query(
    "ALTER TABLE copied.events UPDATE event_message = 'changed' WHERE id = 'e0' SETTINGS mutations_sync = 2"
  );
  await engine.query("ALTER TABLE copied.events DELETE WHERE id = 'e1' SETTINGS mutations_sync = 2");
  writeFileSync(
    path.join(original.dataDir, 'copy-to-clickhouse.json'),
    JSON.stringify({
      target: `${engine.url} copied`,
      done: { 'events/2026-11-18': 99, 'events/2026-11-19': 99, 'events/2026-11-20': 99 },
    })
  );
  const { code, stdout } = await copy();
  expect(code).toBe(1);
  expect(stdout).toContain('events/2026-11-18: 14 events each, but their checksums differ');
  expect(stdout).toContain('events/2026-11-19: 13 events in DuckDB, 12 in ClickHouse');
  expect(stdout).toContain('the copy differs from the original');

  const again = await copy();
  expect([again.code, await count()]).toEqual([1, 41]);
  expect(again.stdout).not.toContain('events/2026-11-19');
});
