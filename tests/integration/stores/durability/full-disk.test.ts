/**
 * A full disk: events that cannot be stored are refused, and queries go on.
 *
 * @slow 15
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DuckDBConnection } from '@duckdb/node-api';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { LogStore } from '#server/stores/store';
import buildServer from '../../../support/processes/build-server';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { makeQuery, makeSource, NOW_MICROS, TODAY } from '../store-fixture';

const SCRIPT = path.resolve(__dirname, '../../../../build/tests/support/processes/full-disk-writer.js');
const PLENTY = 1e12;

let dataDir: string;
let free: number;
let problems: string[];
let broken: number;

beforeAll(() => buildServer(), 120_000);

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'lqe-full-disk-'));
  free = PLENTY;
  problems = [];
  broken = 0;
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(dataDir, { recursive: true, force: true });
});

const open = (): Promise<LogStore> =>
  openDuckDbStore({
    dataDir,
    sources: [makeSource()],
    memoryLimitMb: 64,
    threads: 1,
    freeBytes: () => Promise.resolve(free),
    onProblem: (message) => problems.push(message),
    onBroken: () => broken++,
  });

async function ingest(store: LogStore, from: number, to: number, bytes = 10): Promise<void> {
  for (let start = from; start < to; start += 1000) {
    const lines = Array.from({ length: Math.min(1000, to - start) }, (_, i) =>
      JSON.stringify({ id: `e${start + i}`, event_message: `${start + i} `.repeat(bytes) })
    );
    await store.ingest(ingestBatch({ source: 'events', body: Buffer.from(lines.join('\n')), nowMicros: NOW_MICROS }));
  }
  await store.catchUp();
}

const count = async (store: LogStore): Promise<unknown> =>
  (await store.execute(makeQuery(`SELECT count(*) FROM "${TODAY}"`, ['INT64']), new AbortController().signal))
    .columns[0]![0];

const logBytes = (): number => statSync(path.join(dataDir, 'logs.duckdb.wal'), { throwIfNoEntry: false })?.size ?? 0;

test('no checkpoint is made that the disk has no space for: the events stay in the log', async () => {
  const store = await open();
  free = 1000;
  // More than a transaction that is written to the file at once.
  await ingest(store, 0, 31_000, 200);
  expect(await count(store)).toBe(31_000n);
  expect(problems).toEqual([]);
  await store.close();
  expect(logBytes()).toBeGreaterThan(100_000);
  const again = await open();
  expect(await count(again)).toBe(31_000n);
  free = PLENTY;
  await again.close();
  expect(logBytes()).toBe(0);
}, 60_000);

test('a checkpoint that runs out of disk space asks for a new process, which has every event', async () => {
  const store = await open();
  await ingest(store, 0, 9000, 100);
  await store.close();
  const limit = statSync(path.join(dataDir, 'logs.duckdb')).size + 1000;
  const command = `trap '' XFSZ; ulimit -f ${Math.ceil(limit / 1024)}; exec "$0" "$@"`;
  const { stdout } = spawnSync('bash', ['-c', command, process.execPath, SCRIPT, dataDir], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({
    problems: ['the files of the store cannot be read any more; another process opens them'],
    isBroken: true,
    accepted: 900,
  });
  const again = await open();
  await again.catchUp();
  const stored = again.catalog().sources[0]!.parts.map(({ table }) => `SELECT * FROM "${table}"`);
  const { columns } = await again.execute(
    makeQuery(`SELECT count(*) FROM (${stored.join(' UNION ALL BY NAME ')})`, ['INT64']),
    new AbortController().signal
  );
  expect(columns).toEqual([[9900n]]);
  await again.close();
}, 60_000);

test('the store says that a full disk refuses events, also while no batch arrives, and takes them by itself', async () => {
  const store = await open();
  await ingest(store, 0, 10);
  const handle = await openFile(path.join(dataDir, 'other'), 'w');
  const files = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const noRoom = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  jest.spyOn(files, 'write').mockRejectedValue(noRoom);
  jest.spyOn(files, 'writeFile').mockRejectedValue(noRoom);
  await expect(ingest(store, 10, 20)).rejects.toMatchObject({
    code: 'backend_unavailable',
    details: { reason: 'disk_full' },
  });
  expect(problems[0]).toContain('because the disk is full');
  for (let n = 0; n < 10; n++) {
    expect(await store.health()).toEqual({ ok: true, ingestFault: 'disk_full' });
    await delay(150);
  }
  await expect(ingest(store, 10, 20)).rejects.toMatchObject({ details: { reason: 'disk_full' } });
  expect(await count(store)).toBe(10n);
  jest.restoreAllMocks();
  while ((await store.health()).ingestFault !== undefined) await delay(50);
  await ingest(store, 10, 20);
  expect(await count(store)).toBe(20n);
  expect(readdirSync(path.join(dataDir, 'journal')).filter((name) => !name.endsWith('.journal'))).toEqual([]);
  await store.close();
}, 30_000);

test('a query or a probe that finds the files unreadable asks for a new process', async () => {
  const store = await open();
  await ingest(store, 0, 1);
  const failure = new Error('IO Error: Database "logs" has been invalidated because checkpointing failed.');
  jest.spyOn(DuckDBConnection.prototype, 'prepare').mockRejectedValue(failure);
  await expect(count(store)).rejects.toMatchObject({ code: 'backend_error' });
  expect(broken).toBe(1);
  jest.spyOn(DuckDBConnection.prototype, 'run').mockRejectedValueOnce(failure);
  expect(await store.health()).toMatchObject({ ok: false });
  expect(broken).toBe(2);
  jest.restoreAllMocks();
  await store.close();
});
