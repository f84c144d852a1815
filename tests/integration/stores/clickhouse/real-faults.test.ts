/**
 * Real faults of a ClickHouse engine: a full disk (where one may be mounted), a kill, limits, an operator.
 *
 * @slow 20
 * @waits
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServiceError } from '#contract/errors';
import { type ClickHouseEngine, type FaultRule, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { type ClickHouseFixture, openClickHouse } from './clickhouse-fixture';
import { makeQuery, NOW_MICROS } from '../store-fixture';

jest.setTimeout(90_000);

const DISK_MB = 48;

/** @returns null where nothing may be mounted */
function mountSmallDisk(): string | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'lqe-small-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder]);
  if (status === 0) return folder;
  rmSync(folder, { recursive: true });
  return null;
}

const outcomeOf = (task: Promise<unknown>): Promise<readonly [string, unknown?]> =>
  task.then(
    () => ['done'] as const,
    (error: ServiceError) => [error.code, error.details?.reason] as const
  );

async function idsOf(fixture: ClickHouseFixture): Promise<readonly string[]> {
  const sql = 'SELECT id FROM events ORDER BY id LIMIT 100000';
  const rows = await fixture.store.execute(makeQuery(sql, ['STRING'], [], 100_000), new AbortController().signal);
  return rows.columns[0] as readonly string[];
}

const disk = mountSmallDisk();
/** Where nothing may be mounted: from the sixth batch on, what the engine says of a full disk. */
const FULL: FaultRule = {
  match: 'INSERT INTO `events`',
  skip: 5,
  then: { code: 243, message: 'Cannot reserve 1 MiB' },
};
const WHERE = disk === null ? ' (replayed: nothing may be mounted here)' : '';

describe(`a disk that is full${WHERE}`, () => {
  let engine: ClickHouseEngine;
  let fixture: ClickHouseFixture;

  it('loses no acknowledged event; queries go on, and so do events when there is space', async () => {
    engine = await startClickHouseEngine(disk === null ? undefined : path.join(disk, 'data'));
    try {
      fixture = await openClickHouse(engine);
      if (disk === null) await engine.setRules([FULL]);
      const acknowledged: string[] = [];
      const batchOf = (name: string, day: number) =>
        Array.from({ length: 200 }, (_, n) => ({
          id: `${name} ${n}`,
          timestamp: `2026-11-${day}T10:00:00Z`,
          event_message: noise(5000),
        }));
      let outcome: readonly [string, unknown?] = ['done'];
      for (let n = 0; outcome[0] === 'done' && n < 200; n += 1) {
        const batch = batchOf(`batch ${100 + n}`, 18 + (n % 2));
        outcome = await outcomeOf(fixture.ingest(batch));
        if (outcome[0] === 'done') acknowledged.push(...batch.map(({ id }) => id));
      }
      expect(outcome).toEqual(['backend_unavailable', 'disk_full']);
      const stored = new Set(await idsOf(fixture));
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(await fixture.store.health()).toEqual({ ok: true, ingestFault: 'disk_full' });

      // Not even a day can be dropped: that takes a MiB itself.
      if (disk === null) await engine.setRules([]);
      else spawnSync('mount', ['-o', `remount,size=${DISK_MB * 2}m`, disk]);
      const later = batchOf('later', 20);
      const until = Date.now() + 60_000;
      while ((outcome = await outcomeOf(fixture.ingest(later)))[0] !== 'done' && Date.now() < until);
      expect(outcome).toEqual(['done']);
      expect(await fixture.store.health()).toEqual({ ok: true });
      expect((await idsOf(fixture)).filter((id) => id.startsWith('later'))).toHaveLength(200);
      await fixture.close();
    } finally {
      await engine.stop();
    }
  });

  afterAll(() => {
    if (disk === null) return;
    spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  });
});

/** Text that cannot be packed. */
function noise(length: number): string {
  let text = '';
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text.slice(0, length);
}

describe('an engine', () => {
  let engine: ClickHouseEngine;
  let fixture: ClickHouseFixture;
  beforeAll(async () => {
    engine = await startClickHouseEngine();
    fixture = await openClickHouse(engine, undefined, { maxSeconds: 2, memoryLimitMb: 64 });
  });
  afterAll(async () => {
    await fixture.close();
    await engine.stop();
  });

  const run = (sql: string) =>
    outcomeOf(fixture.store.execute(makeQuery(sql, ['FLOAT64']), new AbortController().signal));

  it('that is killed while it stores loses no acknowledged event, and stores none twice', async () => {
    const acknowledged = new Set<string>();
    const sent: { id: string; timestamp: string }[][] = [];
    for (let round = 0; round < 4; round += 1) {
      let isDead = false;
      const senders = Array.from({ length: 3 }, async (_, sender) => {
        for (let n = 0; !isDead && n < 100; n += 1) {
          const batch = Array.from({ length: 50 }, (__, i) => ({
            id: `r${round} s${sender} b${n} ${i}`,
            timestamp: '2026-11-20T10:00:00Z',
          }));
          sent.push(batch);
          const [outcome] = await outcomeOf(fixture.ingest(batch));
          if (outcome === 'done') for (const { id } of batch) acknowledged.add(id);
        }
      });
      await new Promise((resolve) => setTimeout(resolve, 150 + 70 * round));
      await engine.kill();
      isDead = true;
      await engine.restart();
      await Promise.all(senders);
      const found = await idsOf(fixture);
      expect(new Set(found).size).toBe(found.length);
      expect([...acknowledged].filter((id) => !found.includes(id))).toEqual([]);
    }
    expect(acknowledged.size).toBeGreaterThan(0);
    for (const batch of sent) expect((await fixture.ingest(batch)).rejected).toBe(0);
    const found = await idsOf(fixture);
    expect(found).toEqual([...new Set(sent.flat().map(({ id }) => id))].sort());
  });

  it('ends any query at its deadline', async () => {
    expect(await run('SELECT sum(sleepEachRow(0.05)) FROM numbers(2000) SETTINGS max_block_size = 1')).toEqual([
      'query_timeout',
      'time',
    ]);
    expect(await run('SELECT toFloat64(count()) FROM numbers(100000000000) WHERE number % 7 = 8')).toEqual([
      'query_timeout',
      'time',
    ]);
  });

  it('ends a query that needs more memory than allowed, and answers the next', async () => {
    expect(await run('SELECT toFloat64(uniqExact(number)) FROM numbers(100000000)')).toEqual([
      'resource_limit',
      'memory',
    ]);
    expect(await run('SELECT 1.5')).toEqual(['done']);
  });

  it('reports to the caller that the operator has killed the query', async () => {
    const patient = await openClickHouse(engine, undefined, { maxSeconds: 600 });
    const outcome = outcomeOf(
      patient.read('SELECT sum(sleepEachRow(0.01)) FROM numbers(6000) SETTINGS max_block_size = 1', ['FLOAT64'])
    );
    const mine = "query LIKE '%sleepEachRow(0.01)%' AND query NOT LIKE '%system.%'";
    for (;;) {
      const [[id] = []] = await engine.query(`SELECT query_id FROM system.processes WHERE ${mine}`);
      if (id === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
      else {
        await engine.query(`KILL QUERY WHERE (query_id = '${String(id)}') ASYNC`);
        break;
      }
    }
    expect(await outcome).toEqual(['query_timeout', 'time']);
    await patient.close();
  });

  it('reports missing tables until they are back', async () => {
    const { database } = fixture.options;
    await engine.query(`RENAME TABLE ${database}.events TO ${database}.away`);
    expect(await outcomeOf(fixture.ingest([{ id: 'x' }], NOW_MICROS))).toEqual(['backend_unavailable', 'schema']);
    expect(await run('SELECT toFloat64(count()) FROM events')).toEqual(['backend_unavailable', 'schema']);
    await engine.query(`RENAME TABLE ${database}.away TO ${database}.events`);
    expect(await outcomeOf(fixture.ingest([{ id: 'x' }], NOW_MICROS))).toEqual(['done']);
  });
});
