/**
 * Sealed days have the same events as before, for queries, exports, duplicates and retention.
 *
 * @slow 15
 */
import type { IngestResult } from '#contract/queries/result';
import type { CatalogPart } from '#compiler/catalog/catalog';
import { compile } from '#compiler';
import { savedQuerySchema } from '#contract/queries/saved-query';
import type { Sealing } from '#server/stores/store';
import { FEWEST_ROWS } from '#server/stores/duckdb/seal/quiet-days';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { makeSource, NOW_MICROS, openFixture, type StoreFixture } from '../store-fixture';

const SOURCE = makeSource({ tenant: 'project', retention_days: 3650 });
const DAY_MICROS = 86_400_000_000;
/** Past days for a real clock, too. */
const FIRST_DAY = Date.UTC(2026, 2, 10) * 1000;

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await openFixture([SOURCE], 64);
});

afterEach(() => fixture.remove());

const signal = new AbortController().signal;

function sealing(): Sealing {
  return fixture.store.sealing!;
}

async function sealAll(): Promise<number> {
  for (let days = 0; ; days++) if ((await sealing().sealNext(signal)) === null) return days;
}

/** Days are sealed as soon as the store sees that they get no events. */
async function reopenWithSeals(): Promise<void> {
  await fixture.store.close();
  const { openDuckDbStore } = await import('#server/stores/duckdb/duckdb-store');
  fixture.store = await openDuckDbStore({
    dataDir: fixture.dataDir,
    sources: [SOURCE],
    memoryLimitMb: 64,
    threads: 1,
    sealAfterMinutes: 0.001,
  });
}

async function untilSealed(days: number): Promise<void> {
  for (let tries = 0; tries < 400 && sealing().state().sources[0]!.sealed < days; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function event(n: number, facts: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `e${n}`,
    timestamp: FIRST_DAY + (n % 3) * DAY_MICROS + n * 1000,
    event_message: n % 7 === 0 ? null : `message ${n}\u0001 "quoted" ☃`,
    project: `p${(n * 7919) % 13}`,
    metadata: {
      n,
      ratio: n / 3,
      ok: n % 2 === 0,
      tags: n % 5 === 0 ? [] : [`t${n % 4}`],
      deep: { key: `v${n % 11}`, z: null },
    },
    ...facts,
  };
}

function store(from: number, to: number, facts: Record<string, unknown> = {}): Promise<IngestResult> {
  return fixture.ingest(
    Array.from({ length: to - from }, (_, i) => event(from + i, facts)),
    NOW_MICROS
  );
}

function parts(): readonly CatalogPart[] {
  return fixture.source().parts;
}

/** Number of rows, and a checksum of all values, the text of the metadata included. */
async function content(): Promise<readonly unknown[]> {
  const names = [...new Set(parts().flatMap(({ columns }) => [...columns.keys()]))].sort();
  const selects = parts().map(({ table, database, columns }) => {
    const items = names.map((name) => (columns.has(name) ? `"${name}"` : `NULL AS "${name}"`));
    return `SELECT ${items.join(', ')} FROM ${database === undefined ? '' : `${database}.main.`}"${table}"`;
  });
  const values = names.map((name) => `CAST("${name}" AS VARCHAR)`);
  const { columns } = await fixture.read(
    `SELECT count(*), CAST(sum(hash(${values.join(', ')})) AS VARCHAR), count(DISTINCT id) FROM (${selects.join(' UNION ALL ')})`,
    ['INT64', 'STRING', 'INT64']
  );
  return columns.map(([value]) => value);
}

/** Answers of the compiler and the store together. */
async function ask(query: string): Promise<readonly (readonly unknown[])[]> {
  const definition = savedQuerySchema.parse({ id: '00000000-0000-4000-8000-000000000001', name: 'test', query });
  const compiled = compile({
    definition,
    adhoc: null,
    parameters: {},
    catalog: fixture.store.catalog(),
    nowMicros: NOW_MICROS,
    maxRows: 100,
    redaction: null,
    tenant: null,
  });
  const { columns, rowCount } = await fixture.store.execute(compiled, signal);
  return Array.from({ length: rowCount }, (_, row) => columns.map((column) => column[row]));
}

describe('sealed days', () => {
  test('have every event as it was, ordered by tenant and time', async () => {
    await store(0, 3000);
    const before = await content();
    expect(await sealAll()).toBe(3);
    expect(await content()).toEqual(before);
    expect(parts().map(({ table }) => table.replace(/\d+$/, 'N'))).toEqual([
      'events/2026-03-12.N',
      'events/2026-03-11.N',
      'events/2026-03-10.N',
    ]);
    const [part] = parts();
    const rows = await fixture.read(
      `SELECT project, epoch_us("timestamp") FROM sealed.main."${part!.table}" ORDER BY rowid`,
      ['STRING', 'INT64']
    );
    const keys = rows.columns[0]!.map((project, i) => [String(project), Number(rows.columns[1]![i])] as const);
    expect(keys).toEqual([...keys].sort((a, b) => a[0].localeCompare(b[0]) || a[1] - b[1]));
    expect(sealing().state()).toEqual({
      sources: [{ source: 'events', days: 3, sealed: 3, fault: null }],
      running: null,
      failures: 0,
    });
  });

  test('are the same after a restart', async () => {
    await store(0, 300);
    const before = await content();
    await sealAll();
    const tables = parts().map(({ table }) => table);
    await fixture.reopen();
    expect(await content()).toEqual(before);
    expect(parts().map(({ table }) => table)).toEqual(tables);
    expect(await fixture.store.isEmpty()).toBe(false);
  });

  test('get late events in a second part, with new fields, and a later seal merges both', async () => {
    await store(0, 300);
    await sealAll();
    await store(300, 330, { metadata: { n: 1, added: { late: 'yes' } } });
    expect(parts()).toHaveLength(6);
    expect(sealing().state().sources).toEqual([{ source: 'events', days: 3, sealed: 0, fault: null }]);
    const before = await content();
    expect(before[0]).toBe(330n);
    const late = `SELECT COUNT(*) FROM events AS e CROSS JOIN UNNEST(e.metadata) AS m CROSS JOIN UNNEST(m.added) AS a
      WHERE a.late = 'yes'`;
    expect(await ask(late)).toEqual([[30n]]);
    await fixture.reopen();
    expect(await content()).toEqual(before);
    expect(await sealAll()).toBe(3);
    expect(parts()).toHaveLength(3);
    expect(await content()).toEqual(before);
    expect(await ask(late)).toEqual([[30n]]);
  });

  test('keep equal events away, in both parts', async () => {
    await store(0, 100);
    await sealAll();
    expect(await store(0, 100)).toMatchObject({ accepted: 100, duplicates: 100 });
    await store(100, 110);
    expect(await store(90, 120)).toMatchObject({ accepted: 30, duplicates: 20 });
    expect((await content())[0]).toBe(120n);
  });

  test('answer the newest rows from both parts of a day', async () => {
    await store(0, 60);
    await sealAll();
    const newest = FIRST_DAY + 2 * DAY_MICROS;
    // One before, one between and one after the sealed events of the newest day.
    await fixture.ingest([
      event(1000, { timestamp: newest }),
      event(1001, { timestamp: newest + 30_500 }),
      event(1002, { timestamp: newest + 3_600_000_000 }),
    ]);
    const rows = await ask('SELECT id FROM events ORDER BY timestamp DESC LIMIT 12');
    expect(rows.map(([id]) => id)).toEqual([
      'e1002',
      'e59',
      'e56',
      'e53',
      'e50',
      'e47',
      'e44',
      'e41',
      'e38',
      'e35',
      'e32',
      'e1001',
    ]);
  });

  test('are sealed by themselves when no event came for a while, but for small days', async () => {
    const days = 3;
    for (let from = 0; from < days * FEWEST_ROWS; from += FEWEST_ROWS) await store(from, from + FEWEST_ROWS);
    // The oldest day would be the first to be sealed.
    const smallDay = { timestamp: FIRST_DAY - DAY_MICROS };
    await store(days * FEWEST_ROWS, days * FEWEST_ROWS + 90, smallDay);
    const before = await content();
    await reopenWithSeals();
    await untilSealed(days);
    expect(
      parts().map(({ database, fromMicros }) => [database ?? 'open', (fromMicros - FIRST_DAY) / DAY_MICROS])
    ).toEqual(
      expect.arrayContaining([
        ['open', -1],
        ['sealed', 0],
        ['sealed', 1],
        ['sealed', 2],
      ])
    );
    expect(sealing().state()).toMatchObject({ sources: [{ days: days + 1, sealed: days, fault: null }], failures: 0 });
    expect(await content()).toEqual(before);
  });

  test('take late events by themselves, however few', async () => {
    await store(0, 90);
    await sealAll();
    await store(90, 120);
    await reopenWithSeals();
    expect(sealing().state().sources).toMatchObject([{ days: 3, sealed: 0 }]);
    await untilSealed(3);
    expect(sealing().state().sources).toMatchObject([{ days: 3, sealed: 3, fault: null }]);
    expect((await content())[0]).toBe(120n);
  });

  test('never double or miss an event while they are sealed and events arrive', async () => {
    await store(0, 6000);
    let next = 6000;
    let isDone = false;
    const sealDays = async (): Promise<void> => {
      for (let days = 0; days < 5; days++) await sealing().sealNext(signal);
    };
    const sealed = sealDays().finally(() => (isDone = true));
    const counts: (readonly unknown[])[] = [];
    while (!isDone) {
      await store(next, next + 3);
      next += 3;
      const asked = await Promise.all(
        [1, 2, 3].map(() =>
          content().catch((error: Error & { details?: { reason?: string } }) => {
            if (error.details?.reason !== 'schema_changed') throw error;
            return null;
          })
        )
      );
      for (const answer of asked) if (answer !== null) counts.push([next, ...answer]);
    }
    await sealed;
    expect(counts.length).toBeGreaterThan(0);
    for (const [sent, rows, , ids] of counts)
      expect([rows, ids]).toEqual([BigInt(sent as number), BigInt(sent as number)]);
    await sealAll();
    expect((await content())[0]).toBe(BigInt(next));
  });

  test('are exported with the same state as before, and wait for exports to end', async () => {
    await store(0, 200);
    await sealAll();
    await store(200, 210);
    const { days } = await fixture.store.exports!.list(signal);
    expect(days.map(({ rows }) => rows)).toEqual([70, 70, 70]);
    const { rows } = await fixture.store.exports!.write(
      { source: 'events', day: days[0]!.day, from: 60, to: 70 },
      signal
    );
    expect(rows).toBe(10);
    await expect(sealing().sealNext(signal)).rejects.toMatchObject({ details: { reason: 'exports_running' } });
    await fixture.reopen();
    await sealAll();
    expect((await fixture.store.exports!.list(signal)).days).toEqual(days);
  });

  test.each(['INT64', 'STRING'] as const)('have every event where a column of type %s is named rowid', async (type) => {
    const source = makeSource({ columns: { project: 'STRING', rowid: type }, tenant: 'project', retention_days: 3650 });
    await fixture.reopen([source]);
    // Numbers of other rows, numbers that no row has, and rows without one.
    const facts = (n: number): object => (n % 3 === 0 ? {} : { rowid: n % 3 === 1 ? 2000 - n : -n });
    const events = Array.from({ length: 1500 }, (_, n) => ({ ...event(3 * n), ...facts(n) }));
    await fixture.ingest(events.slice(0, 1000), NOW_MICROS);
    await fixture.ingest(events.slice(1000), NOW_MICROS);
    const before = await content();
    expect(before[0]).toBe(1500n);
    expect(await sealAll()).toBe(1);
    expect(await content()).toEqual(before);
    await fixture.ingest([event(9000, { rowid: 5 })], NOW_MICROS);
    const [day] = (await fixture.store.exports!.list(signal)).days;
    const exported = (from: number, to: number): Promise<{ readonly rows: number }> =>
      fixture.store.exports!.write({ source: 'events', day: day!.day, from, to }, signal);
    expect([await exported(0, 700), await exported(700, 1501)]).toMatchObject([{ rows: 700 }, { rows: 801 }]);
    expect(fixture.problems).toEqual([]);
  });

  test('are dropped by retention, both parts', async () => {
    await store(0, 30);
    await sealAll();
    await store(30, 60);
    const dropped = await fixture.store.enforceRetention(FIRST_DAY + (3650 + 2) * DAY_MICROS);
    expect(dropped).toBe(2);
    expect((await content())[0]).toBe(20n);
    await fixture.reopen();
    expect((await content())[0]).toBe(20n);
    // The same day may be filled and sealed again.
    await store(0, 1);
    await sealAll();
    expect((await content())[0]).toBe(21n);
  });

  test('have the events that were acknowledged right before the seal', async () => {
    const body = Buffer.from(JSON.stringify(Array.from({ length: 30 }, (_, n) => event(n))));
    await fixture.store.ingest(ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS }));
    expect(await sealing().sealNext(signal)).toMatchObject({ rows: 10 });
  });

  test('count in the sizes', async () => {
    await store(0, 3000);
    await sealAll();
    expect((await fixture.store.sizes()).get('events')).toBeGreaterThan(0);
  });

  test('stay as they are when the seal is stopped', async () => {
    await store(0, 300);
    const before = await content();
    const stop = new AbortController();
    const sealed = sealing().sealNext(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(sealed).rejects.toThrow();
    expect(parts().every(({ database }) => database === undefined)).toBe(true);
    expect(await content()).toEqual(before);
    expect(await sealAll()).toBe(3);
    expect(await content()).toEqual(before);
  });
});

describe('sealed and open days of a source that the store is opened without', () => {
  const other = makeSource({ name: 'other' });
  const count = async (): Promise<unknown> => (await ask('SELECT COUNT(*) AS n FROM events'))[0]?.[0];

  beforeEach(async () => {
    await store(0, 30);
    await sealAll();
    await store(30, 40);
    await fixture.reopen([other]);
  });

  test('are read and written once it is added, as they were', async () => {
    await fixture.store.addSource(SOURCE);
    expect(await count()).toBe(40n);
    expect((await store(30, 50)).duplicates).toBe(10);
    expect(await count()).toBe(50n);
    await sealAll();
    await fixture.reopen([other, SOURCE]);
    expect(await count()).toBe(50n);
    await fixture.store.addSource(SOURCE);
    expect(await count()).toBe(50n);
  });

  test('are dropped, and nothing of other sources is', async () => {
    await fixture.store.ingest(
      ingestBatch({ source: 'other', body: Buffer.from('{"id":"kept","project":"a"}'), nowMicros: NOW_MICROS })
    );
    expect(await fixture.store.dropEvents(SOURCE)).toBe(3);
    expect(await fixture.store.dropEvents(SOURCE)).toBe(0);
    await expect(fixture.store.dropEvents(other)).rejects.toMatchObject({ code: 'backend_error' });
    await fixture.store.addSource(SOURCE);
    expect(await count()).toBe(0n);
    expect((await store(0, 30)).duplicates).toBe(0);
    await fixture.reopen([other, SOURCE]);
    expect([await count(), await ask('SELECT COUNT(*) AS n FROM other')]).toEqual([30n, [[1n]]]);
  });

  test('with columns of another type refuse the source, and it is not there', async () => {
    const changed = { ...SOURCE, columns: { ...SOURCE.columns, project: 'INT64' as const }, tenant: null };
    await expect(fixture.store.addSource(changed)).rejects.toMatchObject({ code: 'definition_invalid' });
    await expect(ask('SELECT COUNT(*) AS n FROM events')).rejects.toMatchObject({ code: 'sandbox_violation' });
    await fixture.store.addSource(SOURCE);
    expect(await count()).toBe(40n);
  });
});

describe('the file of sealed days', () => {
  test('makes the file of the store one that programs without sealed days refuse', async () => {
    const version = (): Promise<unknown> =>
      fixture.read('SELECT max(format_version)::BIGINT FROM lqe_meta', ['INT64']).then(({ columns }) => columns[0]![0]);
    await store(0, 3);
    expect(await version()).toBe(1n);
    await sealAll();
    expect(await version()).toBe(3n);
  });

  test('is required once days are sealed', async () => {
    await store(0, 3);
    await sealAll();
    await fixture.store.close();
    const { renameSync, rmSync } = await import('node:fs');
    renameSync(`${fixture.dataDir}/sealed.duckdb`, `${fixture.dataDir}/other`);
    const { openDuckDbStore } = await import('#server/stores/duckdb/duckdb-store');
    const open = () => openDuckDbStore({ dataDir: fixture.dataDir, sources: [SOURCE], memoryLimitMb: 64, threads: 1 });
    await expect(open()).rejects.toMatchObject({
      code: 'backend_unavailable',
      details: { reason: 'sealed_missing' },
    });
    rmSync(`${fixture.dataDir}/sealed.duckdb`);
    renameSync(`${fixture.dataDir}/other`, `${fixture.dataDir}/sealed.duckdb`);
    fixture.store = await open();
    expect((await content())[0]).toBe(3n);
  });
});
