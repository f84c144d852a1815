/**
 * Two servers on the tables of one real ClickHouse engine that get events at the same time.
 *
 * @slow 30
 */
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { type ClickHouseEngine, startClickHouseEngine } from '../../../support/processes/clickhouse';
import type { LogStore } from '#server/stores/store';
import type { Catalog, CatalogField, CatalogPart } from '#compiler/catalog/catalog';
import { valueAt } from '../../../support/arbitrary/event';
import { type ClickHouseFixture, openClickHouse } from './clickhouse-fixture';
import { findField, NOW_MICROS } from '../store-fixture';

jest.setTimeout(60_000);

let engine: ClickHouseEngine;
let fixture: ClickHouseFixture;
let servers: readonly [LogStore, LogStore];

beforeAll(async () => {
  engine = await startClickHouseEngine();
}, 30_000);
afterAll(() => engine.stop());
beforeEach(async () => {
  fixture = await openClickHouse(engine);
  servers = [fixture.store, await fixture.openAnother()];
});
afterEach(async () => {
  await engine.setRules([]);
  await fixture.close();
});

function send(server: LogStore, events: readonly object[], nowMicros = NOW_MICROS) {
  const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  return server.ingest(ingestBatch({ source: 'events', body, nowMicros }));
}

/** Each looks for what is stored before the other has stored it. */
const bothLookFirst = () => engine.setRules([{ match: 'INSERT INTO `events`', times: 2, then: { delayMs: 150 } }]);

const ids = async (): Promise<readonly unknown[]> =>
  (await fixture.read('SELECT id FROM events ORDER BY id', ['STRING'])).columns[0]!;

const withdrawn = async (): Promise<number> => {
  const figures = await Promise.all(servers.map((server) => server.stats()));
  return figures.reduce((sum, each) => sum + each!.duplicates['events']!.withdrawn, 0);
};

describe('the same events, sent to both servers at once', () => {
  const own = Array.from({ length: 300 }, (_, n) => ({ id: `e${1000 + n}`, timestamp: '2026-11-20T10:00:00Z' }));

  it('are stored once when both have answered', async () => {
    await bothLookFirst();
    const answers = await Promise.all(servers.map((server) => send(server, own)));
    for (const answer of answers) expect(answer).toMatchObject({ accepted: 300, rejected: 0 });
    expect(await ids()).toEqual(own.map(({ id }) => id));
    expect(await withdrawn()).toBeGreaterThanOrEqual(300);
  });

  it('are stored once even without a time or an id of their own', async () => {
    await bothLookFirst();
    const events = [{ id: 'a' }, { event_message: 'no id' }];
    // The same entry gets another time at another server.
    await Promise.all(servers.map((server, n) => send(server, events, NOW_MICROS + n * 40_000)));
    expect(await ids()).toHaveLength(2);
    expect((await send(servers[0], events, NOW_MICROS + 3_000_000)).duplicates).toBe(2);
  });

  it('are stored once beside events that only one server got, whichever comes first', async () => {
    for (let round = 0; round < 12; round += 1) {
      const shared = { id: `shared ${round}`, timestamp: '2026-11-20T10:00:00Z' };
      const [first, second] = round % 2 === 0 ? servers : [servers[1], servers[0]];
      await engine.setRules([{ match: 'INSERT INTO `events`', times: 1, then: { delayMs: 10 * round } }]);
      await Promise.all([
        send(first, [shared, { id: `first ${round}` }]),
        send(second, [{ id: `second ${round}` }, shared, { ...shared, timestamp: '2026-11-20T11:00:00Z' }]),
      ]);
    }
    const found = await ids();
    expect(found).toHaveLength(12 * 4);
    expect(found.filter((id) => id === 'shared 7')).toHaveLength(2);
  });

  it('are stored once when many senders send batches that share events, while others are stored and looked up', async () => {
    await engine.setRules([
      { match: 'INSERT INTO `events`', times: 20, then: { delayMs: 40 } },
      { match: '^SELECT id, NULL, cityHash64', times: 20, then: { delayMs: 15 } },
    ]);
    const time = '2026-11-20T10:00:00Z';
    const sent = new Set<string>();
    // Each batch shares an event with one that another sender has just sent, and one with its own last.
    const sender = async (at: number): Promise<void> => {
      for (let n = 0; n < 8; n += 1) {
        const names = [`${at} ${n}`, `${at} ${n - 1}`, `pool ${(at * 3 + n) % 7}`, `round ${n}`];
        for (const name of names) sent.add(name);
        await send(
          servers[at % 2]!,
          names.map((id) => ({ id, timestamp: time }))
        );
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => sender(at)));
    await engine.setRules([]);
    expect(await ids()).toEqual([...sent].sort());
  });

  it('are stored once after a retry, when the servers could not remove a duplicate before', async () => {
    await engine.setRules([
      { match: 'INSERT INTO `events`', times: 2, then: { delayMs: 150 } },
      { match: 'DELETE FROM', then: { code: 497, message: 'Not enough privileges' } },
    ]);
    const events = [{ id: 'x', timestamp: '2026-11-20T10:00:00Z' }];
    const answers = await Promise.all(servers.map((server) => send(server, events)));
    for (const answer of answers) expect(answer).toMatchObject({ accepted: 1 });
    expect(await ids()).toEqual(['x', 'x']);
    expect(fixture.problems).toContain('events that were stored twice could not be taken away');
    await engine.setRules([]);
    expect(await send(servers[0], events)).toMatchObject({ duplicates: 1 });
    expect(await ids()).toEqual(['x']);
  });
});

it('one server alone looks for duplicates once per batch, and twice after another server has stored events', async () => {
  const lookups = async () =>
    (await engine.seen()).filter(({ text }) => text.startsWith('SELECT id, NULL, cityHash64(id)')).length;
  await send(servers[0], [{ id: 'a' }]);
  await engine.setRules([]);
  for (const id of ['b', 'c', 'd'])
    await send(servers[0], [{ id }, { id: `${id} then`, timestamp: '2026-11-19T10:00:00Z' }]);
  expect(await lookups()).toBe(3);
  await send(servers[1], [{ id: 'e' }]);
  await engine.setRules([]);
  await send(servers[0], [{ id: 'f' }]);
  expect(await lookups()).toBe(2);
  await engine.setRules([{ match: 'system.parts', then: { code: 497, message: 'Not enough privileges' } }]);
  expect(await send(servers[0], [{ id: 'g' }])).toMatchObject({ accepted: 1 });
  expect(await lookups()).toBe(2);
});

describe('new fields that both servers get at once', () => {
  /** Each server has one of them. All are spelled so that they look alike to something. */
  const PAIRS: readonly (readonly [object, object])[] = [
    [{ 'a.b': 'dot' }, { a_b: 'line' }],
    [{ Level: 'capital' }, { level: 'small' }],
    [{ 'x y': 'blank' }, { 'x.y': 'dot' }],
    [{ '': 'nothing' }, { _: 'line' }],
    [{ é: 'one' }, { è: 'other' }],
    [{ ['k'.repeat(250)]: 'long' }, { [`${'k'.repeat(249)}l`]: 'long, too' }],
    [{ flag: true }, { flag: { on: 'record' } }],
    [{ deep: { on: false } }, { deep: true }],
    [{ n: 5 }, { n: 'text' }],
    [{ n: 5 }, { n: 5.5 }],
    [{ list: ['a'] }, { list: 'a' }],
    [{ many: [{ on: 'a' }, { on: 'b' }] }, { many: { on: 'c' } }],
  ];

  it.each([
    ['as they come', 0],
    ['one a little later', 40],
    ['the other a little later', -40],
  ])('are never mixed: %s', async (_, delayMs) => {
    for (const [round, pair] of PAIRS.entries()) {
      await engine.setRules([{ match: 'INSERT INTO `lqe_fields`', times: 2, then: { delayMs: 60 } }]);
      await Promise.all(
        servers.map(async (server, n) => {
          if (n === (delayMs > 0 ? 1 : 0)) await new Promise((resolve) => setTimeout(resolve, Math.abs(delayMs)));
          await send(
            server,
            [{ id: `${round}${n}`, metadata: { [`round${round}`]: pair[n]! } }],
            NOW_MICROS + ((round + n) % 2)
          );
        })
      );
    }
    await engine.setRules([]);
    // What they know of each other's fields comes a little later; until then a value may be missing, but is never
    // another's.
    for (const server of servers) await expectOwnValues(server.catalog(), true);
    await expectOwnValues((await fixture.openAnother()).catalog(), false);
  });

  async function expectOwnValues({ sources }: Catalog, mayMiss: boolean): Promise<void> {
    const [source] = sources;
    for (const [round, pair] of PAIRS.entries()) {
      const name = `round${round}`;
      for (const [path, field] of columnFieldsOf(findField(source!.metadata, [name])!)) {
        const stored = await valuesOf(source!.parts[0]!, field, [`${round}0`, `${round}1`]);
        const sent = pair.map((metadata) => seenAs(field, valueAt(metadata, path)));
        stored.forEach((value, n) => {
          if (value !== null || !mayMiss) expect([name, path, value]).toEqual([name, path, sent[n]]);
        });
      }
    }
  }
});

/** Fields that are read from a path of their own, and the presence of records. */
function* columnFieldsOf(
  field: CatalogField,
  path: readonly string[] = []
): Generator<[readonly string[], CatalogField]> {
  if (field.kind === 'record') {
    if (field.presence !== null) yield [path, field];
    for (const [key, child] of field.fields) yield* columnFieldsOf(child, [...path, key]);
  } else if (field.kind === 'leaf' && field.column !== null) yield [path, field];
}

async function valuesOf(
  { json }: CatalogPart,
  field: CatalogField,
  of: readonly string[]
): Promise<readonly unknown[]> {
  const column = field.kind === 'record' ? field.presence! : (field as { column: string }).column;
  const typed = json!.storedAs.get(column)!.map((type) => `toString(_fields.\`${column}\`.:${TYPES[type]})`);
  const sql = `SELECT coalesce(${typed.reverse().join(', ')}, NULL) FROM events WHERE id IN ('${of.join("', '")}') ORDER BY id`;
  return (await fixture.read(sql, ['STRING'])).columns[0]!;
}

/** A value of another kind than its field is in the JSON text only. */
function seenAs(field: CatalogField, value: unknown): string | null {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (field.kind === 'record') return isRecord ? 'true' : null;
  return typeof value === 'object' || value === undefined ? null : String(value);
}

const TYPES = { STRING: 'String', INT64: 'Int64', FLOAT64: 'Float64', BOOL: 'Bool' } as const;
