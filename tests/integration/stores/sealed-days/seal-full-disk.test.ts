/**
 * A disk that is full in the middle of a seal: no event is lost, further ones are stored, and the cause has a name.
 *
 * @slow 15
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Source } from '#contract/events/source';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { LogStore } from '#server/stores/store';
import buildServer from '../../../support/processes/build-server';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { storedRows } from '../../../support/stores/stored-rows';
import { makeSource, NOW_MICROS } from '../store-fixture';

const SCRIPT = path.resolve(__dirname, '../../../../build/tests/support/processes/full-disk-sealer.js');
const SOURCES: readonly Source[] = [makeSource({ tenant: 'project', retention_days: 3650 })];
const DAY = Date.UTC(2026, 2, 10) * 1000;
const signal = new AbortController().signal;

let dataDir: string;

beforeAll(() => buildServer(), 120_000);

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'lqe-full-disk-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = (freeBytes?: () => Promise<number>): Promise<LogStore> =>
  openDuckDbStore({ dataDir, sources: SOURCES, memoryLimitMb: 64, threads: 1, ...(freeBytes ? { freeBytes } : {}) });

async function fill(store: LogStore, dayMicros: number, count: number, text: (n: number) => string): Promise<void> {
  for (let from = 0; from < count; from += 1000) {
    const lines = Array.from({ length: 1000 }, (_, i) => {
      const n = from + i;
      const facts = { project: `p${n % 3}`, event_message: text(n), metadata: { n, text: text(n + 1) } };
      return JSON.stringify({ id: `${dayMicros}-${n}`, timestamp: dayMicros + n * 1000, ...facts });
    });
    await store.ingest(ingestBatch({ source: 'events', body: Buffer.from(lines.join('\n')), nowMicros: NOW_MICROS }));
    await store.catchUp();
  }
}

async function sealAll(store: LogStore): Promise<void> {
  while ((await store.sealing!.sealNext(signal)) !== null);
}

/** Rows without the name of the table that they are in. */
async function contents(): Promise<readonly string[]> {
  return [...(await storedRows(dataDir, SOURCES)).values()].filter((row) => !row.includes('"after"')).sort();
}

/** Seals in a process whose files may have this many bytes. */
function sealWith(limitBytes: number): unknown {
  const command = `trap '' XFSZ; ulimit -f ${Math.ceil(limitBytes / 1024)}; exec "$0" "$@"`;
  const { stdout } = spawnSync('bash', ['-c', command, process.execPath, SCRIPT, dataDir], { encoding: 'utf8' });
  return JSON.parse(stdout);
}

const random = (n: number): string => createHash('sha512').update(String(n)).digest('base64').repeat(2);

test('rows that the disk has no space for leave the day as it was, and the store goes on', async () => {
  const store = await open();
  await fill(store, DAY, 2000, (n) => `${n % 10}`.repeat(3000));
  await store.close();
  const before = await contents();
  // The log of the sealed file has the rows unpacked.
  expect(sealWith(statSync(path.join(dataDir, 'logs.duckdb')).size + 2_000_000)).toEqual({
    problems: [],
    isBroken: false,
    error: { reason: 'disk_full' },
    accepted: 1,
    faults: ['disk_full'],
  });
  expect(await contents()).toEqual(before);
  const again = await open();
  await sealAll(again);
  expect(again.sealing!.state().sources[0]).toMatchObject({ sealed: 1, fault: null });
  await again.close();
  expect(await contents()).toEqual(before);
}, 60_000);

test('a checkpoint that runs out of disk space asks for a new process, which has every event', async () => {
  const store = await open();
  // Each day takes the space of the one before in the file of open days, and further space in that of sealed ones.
  for (const day of [0, 1, 2]) {
    await fill(store, DAY + day * 86_400_000_000, 9000, (n) => random(n + day * 10_000));
    if (day < 2) await sealAll(store);
  }
  await store.close();
  const before = await contents();
  const seen = sealWith(statSync(path.join(dataDir, 'logs.duckdb')).size + 600_000);
  expect(seen).toMatchObject({
    problems: ['the disk is full: a day cannot be sealed now; its events stay where they are'],
    isBroken: true,
    accepted: 1,
    faults: ['disk_full'],
  });
  expect(await contents()).toEqual(before);
  const again = await open();
  await sealAll(again);
  expect(again.sealing!.state().sources[0]).toMatchObject({ sealed: 3, fault: null });
  await again.close();
  expect(await contents()).toEqual(before);
}, 60_000);

test('a day is not sealed where its copy would fill the disk', async () => {
  let free = 1000;
  const store = await open(() => Promise.resolve(free));
  await fill(store, DAY, 1000, random);
  await expect(store.sealing!.sealNext(signal)).rejects.toMatchObject({
    code: 'backend_unavailable',
    details: { reason: 'disk_full' },
  });
  expect(store.sealing!.state()).toMatchObject({ sources: [{ days: 1, sealed: 0, fault: 'disk_full' }] });
  free = 1e12;
  await sealAll(store);
  expect(store.sealing!.state()).toMatchObject({ sources: [{ days: 1, sealed: 1, fault: null }] });
  await store.close();
});
