/**
 * The index on messages in ClickHouse: each query has the rows that it has without it.
 *
 * @slow 30
 */
import fc from 'fast-check';
import type { StoreRows } from '#server/stores/store';
import { type ClickHouseEngine, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { withoutIndexes } from '../../../support/stores/without-indexes';
import { type ClickHouseFixture, openClickHouse } from './clickhouse-fixture';
import { type Call, call, compiled, event, messageOf, RARE, saved, SOURCE } from '../search/searched-events';

const EVENTS = 20_000;
const BATCH = 5000;
const never = new AbortController().signal;

let engine: ClickHouseEngine;
let fixture: ClickHouseFixture;

beforeAll(async () => {
  engine = await startClickHouseEngine();
  fixture = await openClickHouse(engine, SOURCE);
  for (const day of [0, 1]) {
    for (let from = 0; from < EVENTS; from += BATCH) {
      const numbers = Array.from({ length: BATCH }, (_, i) => from + i);
      await fixture.ingest(numbers.map((n) => event(day, n, textOf(day, n), ['a', 'b', `small${n % 3}`][n % 3]!)));
    }
  }
  await engine.query(`OPTIMIZE TABLE ${fixture.options.database}.events FINAL`);
}, 120_000);

afterAll(async () => {
  await fixture.close();
  await engine.stop();
});

function textOf(day: number, n: number): string | null {
  return n % 2003 === 3 ? RARE[(n + day) % RARE.length]! : messageOf(day, n);
}

async function expectSame(one: Call): Promise<StoreRows> {
  const catalog = fixture.store.catalog();
  const found = await fixture.store.execute(compiled(catalog, one), never);
  const plain = await fixture.store.execute(compiled(withoutIndexes(catalog), one), never);
  expect([one, found]).toEqual([one, plain]);
  return found;
}

test.each([
  ['LIKE', "event_message LIKE '%ECONNRESET%'", 1],
  ['STRPOS', "STRPOS(event_message, 'ECONNRESET') > 0", 1],
  ['REGEXP_CONTAINS', "REGEXP_CONTAINS(event_message, r'ECONNRESET|no such text')", 2],
  ['special characters of LIKE', "STRPOS(event_message, r'100%_\\\\x') > 0", 1],
  ['several texts', "event_message LIKE '%ECONN%RESET%' AND event_message LIKE '%peer%'", 2],
  ['a text of a few characters', "event_message LIKE '%RESE%'", 0],
  ['any case', "CONTAINS_SUBSTR(event_message, 'econnreset')", 0],
  ['a negation', "NOT event_message LIKE '%ECONNRESET%' AND id < 'e'", 0],
  ['another column', "note LIKE '%ECONNRESET%'", 0],
])('%s', async (_, where, looked) => {
  const { sql } = compiled(fixture.store.catalog(), { text: saved(where) });
  expect(sql.match(/ifNull\("event_message", ''\) LIKE/g)?.length ?? 0).toBe(looked);
  await expectSame({ text: saved(where) });
});

test('a rare text is looked up in the index', async () => {
  const { sql, values } = compiled(fixture.store.catalog(), { text: saved("event_message LIKE '%no such text%'") });
  const printed = values.reduce<string>(
    (text, { value }, index) => text.replaceAll(`{p${index + 1}:String}`, `'${String(value)}'`),
    sql
  );
  const { database } = fixture.options;
  const plan = await engine.query(`EXPLAIN indexes = 1 ${printed.replace('"events"', `${database}.events`)}`);
  expect(plan.flat().join('\n')).toMatch(/Name: by_message[^]*Granules: 0\/\d+/);
});

test('a table without the index is not asked for it', async () => {
  const catalog = withoutIndexes(fixture.store.catalog());
  expect(compiled(catalog, { text: saved("event_message LIKE '%ECONNRESET%'") }).sql).not.toContain('ifNull');
});

test('generated conditions have the same rows as without the index', async () => {
  await fc.assert(
    fc.asyncProperty(call, async (one) => void (await expectSame(one))),
    { numRuns: 60 }
  );
});
