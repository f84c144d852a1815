/** Guarantees of a store beyond single batches: opening, closing, retention, crashes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import buildServer from '../../../support/processes/build-server';
import { makeSource, NOW_MICROS, openFixture, type StoreFixture, TODAY } from '../store-fixture';

const MICROS_PER_DAY = 86_400_000_000;

const HOLDER_SCRIPT = path.resolve(__dirname, '../../../../build/tests/support/processes/store-writer.js');

let fixture: StoreFixture;

beforeAll(buildServer, 300_000);

beforeEach(async () => {
  fixture = await openFixture();
});

afterEach(() => fixture.remove());

const holdStore = (mode: 'open' | 'ingest'): ChildProcess =>
  spawn(process.execPath, [HOLDER_SCRIPT, fixture.dataDir, mode], { stdio: ['ignore', 'pipe', 'inherit'] });

const count = async (table = TODAY): Promise<unknown> =>
  (await fixture.read(`SELECT count(*) FROM "${table}"`, ['INT64'])).columns[0]![0];

const events = (from: number, length: number): unknown[] =>
  Array.from({ length }, (_, i) => ({
    id: `e${from + i}`,
    timestamp: 1795172400 + from + i,
    metadata: { n: from + i },
  }));

describe('the data directory', () => {
  it('can be opened by one process', async () => {
    const options = { dataDir: fixture.dataDir, sources: [makeSource()], memoryLimitMb: 64, threads: 1 };
    await expect(openDuckDbStore(options)).rejects.toMatchObject({
      code: 'backend_unavailable',
      details: { reason: 'in_use' },
    });
    const { stdout } = holdStore('open');
    expect((await once(stdout!, 'data')).toString()).toContain('the data directory is in use by another process');
  }, 30_000);

  it('of a newer format is refused', async () => {
    await fixture.store.close();
    const instance = await DuckDBInstance.create(path.join(fixture.dataDir, 'logs.duckdb'));
    const connection = await instance.connect();
    await connection.run('UPDATE lqe_meta SET format_version = 99');
    connection.closeSync();
    instance.closeSync();
    await expect(fixture.reopen()).rejects.toMatchObject({
      code: 'backend_unavailable',
      message: 'the store file has format 99, but this version reads format 4',
    });
  });

  it('answers no more after it was closed', async () => {
    await fixture.store.close();
    expect(await fixture.store.health()).toMatchObject({ ok: false });
    await expect(fixture.ingest([{ id: 'a' }])).rejects.toMatchObject({ code: 'backend_unavailable' });
    await expect(fixture.read('SELECT 1', ['INT64'])).rejects.toMatchObject({ code: 'backend_unavailable' });
  });
});

describe('the catalog', () => {
  it('is a new value each time it grows, and the same value otherwise', async () => {
    const before = fixture.store.catalog();
    await fixture.ingest(events(0, 1));
    const grown = fixture.store.catalog();
    expect(before.sources[0]!.parts).toEqual([]);
    expect(grown).not.toBe(before);
    await fixture.ingest(events(1, 1));
    expect(fixture.store.catalog()).toBe(grown);
  });
});

describe('reading while writing', () => {
  it('sees only whole batches, and neither waits for the other', async () => {
    await fixture.ingest(events(0, 100));
    let isDone = false;
    const seen: bigint[] = [];
    const reading = (async () => {
      while (!isDone) seen.push((await count()) as bigint);
    })();
    for (let i = 1; i <= 30; i++) {
      await fixture.ingest([
        ...events(i * 100, 99),
        { id: `x${i}`, timestamp: 1795172400, metadata: { [`f${i}`]: i } },
      ]);
    }
    isDone = true;
    await reading;
    expect(seen.every((n) => n % 100n === 0n)).toBe(true);
    expect(await count()).toBe(3_100n);
    expect(fixture.field('f30')).toMatchObject({ kind: 'leaf' });
  });

  it('leaves simultaneous batches whole and stored once', async () => {
    const batches = Array.from({ length: 8 }, (_, i) => events(i * 50, 100));
    const results = await Promise.all(batches.map((batch) => fixture.ingest(batch)));
    expect(results.reduce((sum, { accepted, duplicates }) => sum + accepted - duplicates, 0)).toBe(450);
    expect(await count()).toBe(450n);
  });
});

describe('a query', () => {
  it('sees all batches committed before it, and can change nothing', async () => {
    await fixture.ingest(events(0, 10));
    for (let i = 1; i <= 5; i++) {
      expect(await count()).toBe(BigInt(i * 10));
      await fixture.ingest(events(i * 10, 10));
    }
    await expect(fixture.read(`DELETE FROM "${TODAY}"`, ['INT64'])).rejects.toMatchObject({ code: 'backend_error' });
    expect(await count()).toBe(60n);
  });
});

describe('retention', () => {
  it('drops the parts that are too old and no others', async () => {
    await fixture.reopen([makeSource({ retention_days: 2 })]);
    await fixture.ingest([
      { id: 'a', timestamp: '2026-11-18T13:00:00Z' },
      { id: 'b', timestamp: '2026-11-20T10:00:00Z' },
    ]);
    expect(await fixture.store.enforceRetention(NOW_MICROS)).toBe(0);
    const reader = fixture.read('SELECT count(*) FROM "events/2026-11-18" a, range(3000000) b WHERE b.range % 3 = 0', [
      'INT64',
    ]);
    expect(await fixture.store.enforceRetention(NOW_MICROS + MICROS_PER_DAY)).toBe(1);
    // A running query reads the part to its end; one that comes too late gets an error and can be compiled again.
    const outcome: unknown = await reader.then(
      ({ columns }) => columns[0],
      ({ details }: { details: unknown }) => details
    );
    expect([[1_000_000n], { reason: 'schema_changed' }]).toContainEqual(outcome);
    expect(fixture.source().parts.map((part) => part.table)).toEqual([TODAY]);
    await fixture.reopen([makeSource({ retention_days: 2 })]);
    expect(fixture.source().parts.map((part) => part.table)).toEqual([TODAY]);
    expect(await fixture.store.enforceRetention(NOW_MICROS + 10 * MICROS_PER_DAY)).toBe(1);
    expect(await fixture.store.isEmpty()).toBe(true);
  });
});

describe('kill -9', () => {
  it('in the middle of an import loses no acknowledged event, and a retry stores none twice', async () => {
    await fixture.store.close();
    const child = holdStore('ingest');
    let acknowledged = 0;
    const lines = createInterface({ input: child.stdout! });
    for await (const line of lines) {
      acknowledged = Number(line);
      if (acknowledged >= 20) child.kill('SIGKILL');
    }
    await fixture.reopen();
    const stored = Number(await count());
    expect(stored % 100).toBe(0);
    expect(stored / 100).toBeGreaterThanOrEqual(acknowledged);
    expect(stored / 100).toBeLessThanOrEqual(acknowledged + 1);
    const retried = await fixture.ingest(events(acknowledged * 100, 100));
    expect(retried.duplicates).toBe(stored - acknowledged * 100);
    expect(await count()).toBe(BigInt((acknowledged + 1) * 100));
  }, 60_000);
});
