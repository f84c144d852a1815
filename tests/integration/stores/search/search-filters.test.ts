/**
 * Search filters of sealed days: each query has the rows that it has without them, and reads fewer blocks.
 *
 * @slow 15
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { SearchFilters } from '#server/stores/duckdb/search/search-filters';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
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

/** Blocks of the larger day. A smaller one is read as a whole, or not at all. */
const BLOCKS = 48;
const SMALL_BLOCKS = 12;
const eventsOf = (day: number): number => (day === 6 ? BLOCKS : SMALL_BLOCKS) * 2048 - 100;

function projectOf(day: number, n: number): string {
  const share = n / eventsOf(day);
  return share < 0.6 ? 'a' : share < 0.95 ? 'b' : `small${n % 3}`;
}

let fixture: StoreFixture;

const filters = (): SearchFilters => filtersOf(fixture);
const expectSame = (call: Call): Promise<StoreRows> => expectSameIn(fixture, call);

beforeAll(async () => {
  fixture = await openFixture([SOURCE], 256, {
    searchFiltersMaxBytes: 1_000_000,
    keptCountsMaxBytes: 4_000_000,
    settledMs: 0,
  });
  for (const day of [6, 5]) {
    for (let from = 0; from < eventsOf(day); from += 6000) {
      const numbers = Array.from({ length: Math.min(6000, eventsOf(day) - from) }, (_, i) => from + i);
      await fixture.ingest(numbers.map((n) => event(day, n, messageOf(day, n), projectOf(day, n))));
    }
  }
  await sealAll(fixture);
  // Late events, and a day that is not sealed.
  await fixture.ingest(RARE.map((text, i) => event(5, eventsOf(5) + i, `late ${text}`, 'a')));
  await fixture.ingest(RARE.map((text, i) => event(3, i, `open ${text}`, 'b')));
}, 120_000);

afterAll(async () => {
  expect(fixture.problems).toEqual([]);
  await fixture.remove();
});

test.each([
  ['LIKE', `event_message LIKE '%ECONNRESET%'`],
  ['LIKE in pieces', `event_message LIKE '%reset%ECONN_ESET%'`],
  ['STRPOS', `STRPOS(event_message, 'ECONNRESET') > 0`],
  ['INSTR', `INSTR(event_message, 'ECONNRESET') >= 1`],
  ['INSTR of a later place', `INSTR(event_message, 'ECONNRESET', 3, 1) != 0`],
  ['the mirrored comparison', `0 < STRPOS(event_message, 'ECONNRESET')`],
  ['CONTAINS_SUBSTR', `CONTAINS_SUBSTR(event_message, 'econnRESET')`],
  ['STARTS_WITH', `STARTS_WITH(event_message, 'connection reset')`],
  ['ENDS_WITH', `ENDS_WITH(event_message, 'ECONNRESET')`],
  ['equality', `event_message = 'connection reset by peer ECONNRESET'`],
  ['IN', `event_message IN ('connection reset by peer ECONNRESET', 'naïve façade 日本語のログ 😀😀😀 done')`],
  ['REGEXP_CONTAINS', `REGEXP_CONTAINS(event_message, r'reset.*(peer|host) E?CONNR')`],
  ['a regular expression that ignores case', `REGEXP_CONTAINS(event_message, r'(?i)EcOnNrEsEt')`],
  ['LOWER', `LOWER(event_message) LIKE '%econnreset%'`],
  [
    'a condition in other conditions',
    `(event_message LIKE '%ECONNRESET%' OR event_message LIKE '%façade%') AND project = 'a'`,
  ],
  ['characters of several bytes', `event_message LIKE '%日本語%'`],
])('%s leaves out blocks', async (_, where) => {
  const { blocks, rowCount } = await expectSame({ text: saved(where) });
  expect(rowCount).toBeGreaterThan(0);
  expect(blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
});

test.each([
  ['a text that most blocks have', `event_message LIKE '%/rest/v1%'`],
  ['OR with a condition on another column', `event_message LIKE '%ECONNRESET%' OR id = '6-12'`],
])('%s leaves out no block', async (_, where) => {
  expect((await expectSame({ text: saved(where) })).blocks).toMatchObject({ skipped: 0 });
});

test('texts of a block that do not fit into memory together are searched', async () => {
  const { blocks, rowCount } = await expectSame({ text: saved(`event_message LIKE '%needle of a long trace%'`) });
  expect(rowCount).toBe(1);
  expect(blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
});

test.each([
  ['NOT', `NOT event_message LIKE '%ECONNRESET%' AND id LIKE '%77'`],
  ['IS NOT TRUE', `(event_message LIKE '%ECONNRESET%') IS NOT TRUE AND id LIKE '%77'`],
  ['OR with another condition', `event_message LIKE '%ECONNRESET%' OR LENGTH(id) = 5`],
  ['a position of zero', `STRPOS(event_message, 'ECONNRESET') >= 0 AND id LIKE '%77'`],
  ['another column', `note LIKE '%ECONNRESET%'`],
  ['a changed text', `REPLACE(event_message, 'x', '') LIKE '%ECONNRESET%'`],
  ['a text that is too short', `event_message LIKE '%ECO%'`],
  ['letters of several bytes in any case', `CONTAINS_SUBSTR(event_message, 'ΊΣΥΦ')`],
  ['UPPER', `UPPER(event_message) LIKE '%STRASSE%'`],
])('%s searches for nothing', async (_, where) => {
  expect((await expectSame({ text: saved(where) })).blocks).toBeUndefined();
});

test('queries in one another, joins and unions search', async () => {
  const inner = `SELECT id, event_message AS m, timestamp FROM events`;
  for (const text of [
    `WITH x AS (${inner}) SELECT id FROM x WHERE m LIKE '%ECONNRESET%' ORDER BY timestamp DESC LIMIT 5`,
    `SELECT COUNT(*) AS n FROM (${inner} UNION ALL ${inner}) WHERE m LIKE '%ECONNRESET%'`,
    `SELECT e.id FROM events AS e CROSS JOIN UNNEST(e.metadata) AS md WHERE e.event_message LIKE '%ECONNRESET%' ORDER BY 1`,
    `SELECT a.id FROM events AS a JOIN events AS b ON a.id = b.id AND b.event_message LIKE '%ECONNRESET%' WHERE a.event_message LIKE '%peer%' ORDER BY 1`,
    `SELECT a.id, b.id AS other FROM events AS a LEFT JOIN (SELECT * FROM events WHERE event_message LIKE '%façade%') AS b ON a.id = b.id WHERE a.event_message LIKE '%ECONNRESET%' ORDER BY 1`,
  ]) {
    expect((await expectSame({ text })).blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
  }
});

test('a limit, a window or groups between a condition and the events are no reason to leave rows out', async () => {
  for (const text of [
    `WITH x AS (SELECT id, event_message AS m FROM events ORDER BY id LIMIT 3000) SELECT id FROM x WHERE m LIKE '%ECONNRESET%' ORDER BY id`,
    `SELECT id, n FROM (SELECT id, event_message AS m, ROW_NUMBER() OVER (ORDER BY id) AS n FROM events) WHERE m LIKE '%ECONNRESET%' ORDER BY 1`,
    `SELECT m, n FROM (SELECT event_message AS m, COUNT(*) AS n FROM events GROUP BY m) WHERE m LIKE '%ECONNRESET%' ORDER BY 1`,
    `SELECT a.id FROM events AS a LEFT JOIN events AS b ON a.id = b.id AND b.event_message LIKE '%ECONNRESET%' ORDER BY 1 LIMIT 9`,
    `WITH x AS (SELECT id, event_message AS m FROM events) SELECT COUNT(*) AS n FROM x WHERE m LIKE '%ECONNRESET%' UNION ALL SELECT COUNT(*) FROM x`,
  ]) {
    expect((await expectSame({ text })).blocks).toBeUndefined();
  }
});

test('a query for the newest rows and a count that is kept leave out days', async () => {
  const newest = `SELECT id FROM events WHERE event_message LIKE '%ECONNRESET%' ORDER BY timestamp DESC LIMIT 3`;
  const count = `SELECT COUNT(*) AS n FROM events WHERE event_message LIKE '%no such text at all%'`;
  for (let i = 0; i < 3; i++) {
    expect((await expectSame({ text: newest })).blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
    expect((await expectSame({ text: count })).blocks).toEqual({ read: 0, skipped: BLOCKS + SMALL_BLOCKS });
  }
});

test('LQL leaves out blocks', async () => {
  const lql = async (text: string): Promise<StoreRows> => expectSame({ text: SAVED, adhoc: { language: 'lql', text } });
  expect((await lql('ECONNRESET')).blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
  expect((await lql('"reset by peer"')).blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
  expect((await lql('~"ECONN(RESET|REFUSED)"')).blocks!.skipped).toBeGreaterThan(BLOCKS / 2);
  expect((await lql('-ECONNRESET')).blocks).toBeUndefined();
});

test('a text that is redacted is searched as it is redacted, and no filter is used', async () => {
  const sql = (where: string): Call => ({
    text: SAVED,
    adhoc: { language: 'sql', text: `SELECT id FROM logs WHERE ${where} ORDER BY id LIMIT 500` },
    redact: true,
  });
  // Only the redacted text has it.
  const hidden = await expectSame(sql(`event_message LIKE '%REDACTED%'`));
  // Rows with an address, and rows that have the word itself.
  expect(hidden.rowCount).toBeGreaterThan(4);
  expect(hidden.blocks).toBeUndefined();
  expect(await expectSame(sql(`event_message LIKE '%ada@example.org%'`))).toMatchObject({ rowCount: 0 });
  const own = await expectSame({
    text: saved(`event_message LIKE CONCAT('%', @needle, '%')`),
    needle: 'ada@example.org',
    redact: true,
  });
  expect(own).toMatchObject({ rowCount: 0 });
  expect(own.blocks).toBeUndefined();
});

test('what is read for a tenant does not depend on events of others', async () => {
  const ask = async (needle: string, tenant: string | null): Promise<StoreRows> =>
    expectSame({ text: saved(`event_message LIKE '%${needle}%'`), tenant });
  // All rare texts but those in blocks of tenant `b` alone, and no text at all.
  const [some, none] = await Promise.all([ask('ECONNRESET', 'b'), ask('no such text', 'b')]);
  expect(some.blocks!.read).toBeGreaterThan(0);
  expect(none.blocks!.read).toBeGreaterThan(0);
  // A tenant without a block of its own reads the same for every text.
  const small = await Promise.all(
    ['ECONNRESET', 'no such text', 'façade', '/rest/v1'].map((one) => ask(one, 'small1'))
  );
  expect(new Set(small.map(({ blocks }) => JSON.stringify(blocks))).size).toBe(1);
  // Where the caller may see all tenants.
  expect((await ask('no such text', null)).blocks).toMatchObject({ read: 0 });
});

test('very long texts, many texts and very long patterns are searched for within bounds', async () => {
  const long = `${'x'.repeat(50_000)}é${'y'.repeat(50_000)}`;
  expect((await expectSame({ text: saved(`STRPOS(event_message, @needle) > 0`), needle: long })).blocks).toMatchObject({
    read: 0,
  });
  const many = (n: number, by: string): string =>
    Array.from({ length: n }, (_, i) => `event_message LIKE '%needle number ${i}%'`).join(by);
  expect((await expectSame({ text: saved(many(30, ' OR ')) })).blocks).toMatchObject({ read: 0 });
  expect((await expectSame({ text: saved(many(400, ' OR ')) })).blocks).toBeUndefined();
  expect((await expectSame({ text: saved(many(400, ' AND ')) })).blocks).toMatchObject({ read: 0 });
  const alternatives = Array.from({ length: 100 }, (_, i) => `word${i}`).join('|');
  expect(
    (await expectSame({ text: saved(`REGEXP_CONTAINS(event_message, r'${alternatives}')`) })).blocks
  ).toBeUndefined();
  expect(
    (await expectSame({ text: saved(`REGEXP_CONTAINS(event_message, r'${'('.repeat(200)}abcd${')'.repeat(200)}')`) }))
      .rowCount
  ).toBe(0);
});

test('generated queries have the same rows with and without filters', async () => {
  let skipped = 0;
  await fc.assert(
    fc.asyncProperty(call, async (one) => {
      skipped += (await expectSame(one)).blocks?.skipped ?? 0;
    }),
    { numRuns: 400 }
  );
  expect(skipped).toBeGreaterThan(100);
}, 240_000);

describe('files', () => {
  const folder = (): string => join(fixture.dataDir, 'search');
  const filesOfMessages = (): string[] => readdirSync(folder()).filter((name) => name.endsWith('.grams'));
  const rare: Call = { text: saved(`event_message LIKE '%ECONNRESET%'`) };
  const skipped = async (): Promise<number | undefined> => (await expectSame(rare)).blocks?.skipped;

  test('are small, and used again after a start', async () => {
    expect(filesOfMessages()).toHaveLength(2);
    const before = filesOfMessages().map((name) => readFileSync(join(folder(), name)));
    await fixture.reopen();
    await filters().settled();
    expect(await skipped()).toBeGreaterThan(BLOCKS / 2);
    expect(filesOfMessages().map((name) => readFileSync(join(folder(), name)))).toEqual(before);
  });

  test.each([
    ['is missing', (path: string) => rmSync(path)],
    ['is empty', (path: string) => writeFileSync(path, '')],
    ['is cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5000))],
    ['lacks its beginning', (path: string) => writeFileSync(path, readFileSync(path).subarray(100))],
    ['is another file', (path: string) => writeFileSync(path, Buffer.alloc(100_000, 'LQEGRAM2'))],
  ])('are built again at a start where one %s', async (_, damage) => {
    for (const name of filesOfMessages()) damage(join(folder(), name));
    await fixture.reopen();
    await filters().settled();
    expect(await skipped()).toBeGreaterThan(BLOCKS / 2);
  });

  test('are built again when a bit of them has changed, and exclude nothing until then', async () => {
    for (const name of filesOfMessages()) {
      const path = join(folder(), name);
      const bytes = readFileSync(path);
      // No gram is in any block.
      writeFileSync(path, bytes.fill(0, 0, 4000 * Math.floor(bytes.length / 5000)));
    }
    await fixture.reopen();
    await filters().settled();
    expect(await skipped()).toBe(0);
    await filters().settled();
    expect(await skipped()).toBeGreaterThan(BLOCKS / 2);
  });

  test('are replaced with the sealed part, and go with it', async () => {
    const before = filesOfMessages();
    await sealAll(fixture);
    const after = filesOfMessages();
    // The filters of the day with late events, and of the day that was open.
    expect(after.filter((name) => !before.includes(name))).toHaveLength(2);
    expect(after).toHaveLength(3);
    expect(await skipped()).toBeGreaterThan(BLOCKS / 2);
    await fixture.store.enforceRetention(NOW_MICROS + (SOURCE.retention_days - 5) * DAY);
    await filters().settled();
    expect(filesOfMessages()).toHaveLength(2);
  });

  test('are deleted where filters are off', async () => {
    const { dataDir } = fixture;
    await fixture.store.close();
    const off = { dataDir, sources: [SOURCE], memoryLimitMb: 256, threads: 1, searchFiltersMaxBytes: 0 };
    fixture.store = await openDuckDbStore(off);
    await filters().settled();
    expect(existsSync(folder())).toBe(false);
    expect((await expectSame(rare)).blocks).toBeUndefined();
  });
});
