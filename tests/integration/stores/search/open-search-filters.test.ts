/**
 * Search filters of open days: each query has the rows that it has without them, while events arrive, and days are
 * sealed and dropped.
 *
 * @slow 15
 */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { StoreRows } from '#server/stores/store';
import {
  type Call,
  call,
  DAY,
  event,
  expectSame as expectSameIn,
  filtersOf,
  messageOf,
  RARE,
  saved,
  SAVED,
  sealAll,
  SOURCE,
} from './searched-events';
import { NOW_MICROS, openFixture, type StoreFixture } from '../store-fixture';

const BLOCKS = 40;
const ROWS = 2048;
/** Behind the full blocks. */
const REST = 500;
const BATCH = 6000;

let fixture: StoreFixture;
/** Events of each day, days before today. */
const stored = new Map<number, number>();

const expectSame = (one: Call): Promise<StoreRows> => expectSameIn(fixture, one);
const projectOf = (n: number): string =>
  n < 15 * ROWS ? 'a' : n < 25 * ROWS ? 'b' : ['a', 'b', `small${n % 3}`][n % 3]!;

/** Adds events to a day, the next ones of it. */
async function add(
  day: number,
  count: number,
  messages: (day: number, n: number) => string | null = messageOf
): Promise<void> {
  const first = stored.get(day) ?? 0;
  for (let from = first; from < first + count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, first + count - from) }, (_, i) => from + i);
    await fixture.ingest(numbers.map((n) => event(day, n, messages(day, n), projectOf(n))));
  }
  stored.set(day, first + count);
}

const OPTIONS = { searchFiltersMaxBytes: 1_000_000, keptCountsMaxBytes: 4_000_000, settledMs: 0 };

beforeAll(async () => {
  fixture = await openFixture([SOURCE], 256, OPTIONS);
  await add(0, BLOCKS * ROWS);
  await add(0, REST, () => 'a text behind all blocks');
  await filtersOf(fixture).settled();
}, 120_000);

afterAll(async () => {
  expect(fixture.problems).toEqual([]);
  await fixture.remove();
});

const fullBlocks = (): number => Math.floor(stored.get(0)! / ROWS);
const ABSENT = saved(`event_message LIKE '%no such text%'`);
const RARE_WORD = `event_message LIKE '%ECONNRESET%'`;

test.each([
  ['LIKE', RARE_WORD],
  ['CONTAINS_SUBSTR', `CONTAINS_SUBSTR(event_message, 'econnRESET')`],
  ['REGEXP_CONTAINS', `REGEXP_CONTAINS(event_message, r'(?i)reset.*(peer|host) E?CONNR')`],
  ['a condition in other conditions', `(${RARE_WORD} OR event_message LIKE '%façade%') AND id != ''`],
])('%s leaves out blocks of an open day', async (_, where) => {
  const { blocks, rowCount } = await expectSame({ text: saved(where) });
  expect(rowCount).toBeGreaterThan(0);
  expect(blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
});

test('LQL and newest rows leave out blocks of an open day', async () => {
  const newest = `SELECT id FROM events WHERE ${RARE_WORD} ORDER BY timestamp DESC LIMIT 3`;
  for (const one of [{ text: SAVED, adhoc: { language: 'lql', text: 'ECONNRESET' } } as const, { text: newest }])
    expect((await expectSame(one)).blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
});

test('a text of no full block is searched for in the rows behind them', async () => {
  expect((await expectSame({ text: ABSENT })).blocks).toEqual({ read: 0, skipped: fullBlocks() });
  const { blocks, rowCount } = await expectSame({ text: saved(`event_message LIKE '%a text behind all blocks%'`) });
  expect(rowCount).toBe(REST);
  expect(blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
});

test('events that are not in the filter yet are found', async () => {
  const newest = { text: saved(`event_message LIKE '%newest text of all%'`) };
  await add(0, 1, () => 'the newest text of all');
  expect(await expectSame(newest)).toMatchObject({ rowCount: 1, blocks: { read: 0, skipped: fullBlocks() } });
  // Its block becomes full.
  await add(0, 2 * ROWS);
  expect(await expectSame(newest)).toMatchObject({ rowCount: 1 });
  await filtersOf(fixture).settled();
  expect(await expectSame(newest)).toMatchObject({ rowCount: 1, blocks: { skipped: fullBlocks() - 1 } });
});

test('full blocks are added in the background', async () => {
  await add(0, ROWS);
  const deadline = Date.now() + 20_000;
  for (let skipped = 0; skipped < fullBlocks() && Date.now() < deadline; await delay(50))
    ({ skipped } = (await expectSame({ text: ABSENT })).blocks!);
  expect((await expectSame({ text: ABSENT })).blocks).toEqual({ read: 0, skipped: fullBlocks() });
}, 30_000);

test('what is read for a tenant does not depend on events of others', async () => {
  const ask = async (needle: string, tenant: string | null): Promise<StoreRows> =>
    expectSame({ text: saved(`event_message LIKE '%${needle}%'`), tenant });
  const reads = async (tenant: string): Promise<readonly StoreRows['blocks'][]> => {
    const found = [];
    for (const needle of ['ECONNRESET', 'no such text', 'façade', '/rest/v1'])
      found.push((await ask(needle, tenant)).blocks);
    return found;
  };
  // Tenants without a block of their own.
  for (const tenant of ['small1', 'unknown'])
    expect(new Set((await reads(tenant)).map((blocks) => JSON.stringify(blocks))).size).toBe(1);
  // Blocks of one tenant are left out for all others, and blocks of several are read.
  expect((await ask('no such text', 'small1')).blocks!.read).toBeGreaterThan(BLOCKS / 4);
  expect((await ask('no such text', null)).blocks).toMatchObject({ read: 0 });
});

test('a text that is redacted is searched as it is redacted, and no filter is used', async () => {
  const found = await expectSame({ text: saved(`event_message LIKE '%ada@example.org%'`), redact: true });
  expect(found).toMatchObject({ rowCount: 0 });
  expect(found.blocks).toBeUndefined();
});

test('a start builds the filters again', async () => {
  await fixture.reopen();
  await filtersOf(fixture).settled();
  expect((await expectSame({ text: saved(RARE_WORD) })).blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
});

test('memory is bounded: filters of older days make room for those of newer ones, and the rest is read', async () => {
  const small = await openFixture([SOURCE], 256, { searchFiltersMaxBytes: 16_000 });
  const [main, counts] = [fixture, [...stored]];
  try {
    fixture = small;
    stored.clear();
    await add(1, 10 * ROWS);
    await filtersOf(fixture).settled();
    const older = (await expectSame({ text: ABSENT })).blocks!.skipped;
    expect(older).toBeGreaterThan(0);
    await add(0, 60 * ROWS, (_, n) => `${(n * 7919) % 99_991} ${(n * 104_729) % 99_991} ${messageOf(0, n) ?? ''}`);
    await filtersOf(fixture).settled();
    const { skipped } = (await expectSame({ text: ABSENT })).blocks!;
    expect(skipped).toBeLessThan(60);
    await expectSame({ text: saved(RARE_WORD) });
  } finally {
    fixture = main;
    stored.clear();
    for (const [day, count] of counts) stored.set(day, count);
    await small.remove();
  }
}, 60_000);

/** What happens between two queries. */
const step = fc.oneof(
  { weight: 12, arbitrary: call },
  fc.record({ add: fc.constantFrom(0, 0, 0, 2, 5), count: fc.constantFrom(1, 300, 5000, 20_000) }),
  fc.constant('settle' as const),
  fc.constant('seal' as const),
  fc.constant('reopen' as const)
);

test('generated queries have the same rows with and without filters while a store grows and is sealed', async () => {
  await add(2, 12 * ROWS);
  let skipped = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      for (const one of steps) {
        if (one === 'settle') await filtersOf(fixture).settled();
        else if (one === 'seal') await sealAll(fixture);
        else if (one === 'reopen') await fixture.reopen();
        else if ('add' in one) await add(one.add, one.count);
        else skipped += (await expectSame(one)).blocks?.skipped ?? 0;
      }
    }),
    { numRuns: 25 }
  );
  expect(skipped).toBeGreaterThan(100);
  // Late events of a rare text, in the open part of a sealed day.
  await sealAll(fixture);
  await add(2, RARE.length, (_, n) => `late ${RARE[n % RARE.length]!}`);
  const { rowCount } = await expectSame({ text: saved(`event_message LIKE '%late connection reset%'`) });
  expect(rowCount).toBe(1);
  await fixture.store.enforceRetention(NOW_MICROS + (SOURCE.retention_days - 1) * DAY);
  await filtersOf(fixture).settled();
  await expectSame({ text: saved(RARE_WORD) });
}, 240_000);
