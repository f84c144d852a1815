/** Two servers on the tables of one real ClickHouse engine, which are sent things in the same moment. */
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/clickhouse-engine';
import type { LogStore } from '#server/stores/store';
import { type ClickHouseFixture, openClickHouse } from './clickhouse-fixture';
import { NOW_MICROS } from './store-fixture';

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
  return server.ingest({ source: 'events', body, nowMicros });
}

/** Each looks for what is stored before the other has stored it. */
const bothLookFirst = () => engine.setRules([{ match: 'INSERT INTO `events`', times: 2, then: { delayMs: 150 } }]);

const ids = async (): Promise<readonly unknown[]> =>
  (await fixture.read('SELECT id FROM events ORDER BY id', ['STRING'])).columns[0]!;

const withdrawn = async (): Promise<number> => {
  const figures = await Promise.all(servers.map((server) => server.figures()));
  return figures.reduce((sum, each) => sum + each!.copies['events']!.withdrawn, 0);
};

describe('the same events, sent to both in the same moment', () => {
  const own = Array.from({ length: 300 }, (_, n) => ({ id: `e${1000 + n}`, timestamp: '2026-11-20T10:00:00Z' }));

  it('are there once when both have answered', async () => {
    await bothLookFirst();
    const answers = await Promise.all(servers.map((server) => send(server, own)));
    for (const answer of answers) expect(answer).toMatchObject({ accepted: 300, rejected: 0 });
    expect(await ids()).toEqual(own.map(({ id }) => id));
    expect(await withdrawn()).toBeGreaterThanOrEqual(300);
  });

  it('and have no time of their own, or no id either, are there once', async () => {
    await bothLookFirst();
    const events = [{ id: 'a' }, { event_message: 'no id' }];
    // The same entry gets another time at another server.
    await Promise.all(servers.map((server, n) => send(server, events, NOW_MICROS + n * 40_000)));
    expect(await ids()).toHaveLength(2);
    expect((await send(servers[0], events, NOW_MICROS + 3_000_000)).duplicates).toBe(2);
  });

  it('are there once beside those that one of them has alone, whoever is first', async () => {
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

  it('are there once after they came again, when the servers could not take one away', async () => {
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
