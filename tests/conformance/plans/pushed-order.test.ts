/**
 * On ClickHouse the newest rows are looked for where they are read; what an order and a limit may not pass stays where
 * it is.
 */
import { compile } from '#compiler/compile';
import type { Catalog } from '#compiler/catalog/catalog';
import { REDACTION_KINDS } from '#contract/redaction';
import { sourceRedaction } from '#server/engine/redaction/source-redaction';
import { NOW_MICROS, openFixtureStore, readDefinition } from '../../support/cases/sql/queries';
import type { OpenStore } from '../../support/stores/current';

const LOGS = readDefinition('logs.all');

let fixture: OpenStore;
let catalog: Catalog;
beforeAll(async () => {
  fixture = await openFixtureStore();
  const { sources } = fixture.store.catalog();
  catalog = { dialect: 'clickhouse', sources };
}, 60_000);
afterAll(() => fixture.close());

function limits(sql: string, redacted = false): number {
  const query = compile({
    definition: LOGS,
    adhoc: { language: 'sql', text: sql },
    parameters: { project: 'abcd', iso_timestamp_start: null, iso_timestamp_end: null },
    catalog,
    nowMicros: NOW_MICROS,
    maxRows: 1000,
    redaction: redacted ? sourceRedaction({ kinds: REDACTION_KINDS }) : null,
    tenant: null,
  });
  return query.sql.split(' LIMIT ').length - 1;
}

test.each([
  'select id, timestamp, event_message from edge_logs order by timestamp desc limit 5',
  'select t.id as a from edge_logs as t order by t.timestamp desc, t.id',
  'select upper(event_message) as m, timestamp from (select event_message, timestamp from edge_logs) order by timestamp',
  // In the order of the saved query's own table.
  'select id from edge_logs limit 5',
])('order and limit are pushed into the parts: %s', (sql) => expect(limits(sql)).toBe(2));

test.each([
  [
    'a condition on the rows',
    "select id from edge_logs where event_message like '%x%' order by timestamp desc limit 5",
  ],
  [
    'groups',
    'select event_message, count(*) as n from edge_logs group by event_message order by event_message limit 5',
  ],
  ['one of each', 'select distinct timestamp from edge_logs order by timestamp limit 5'],
  [
    'a window over all rows',
    'select row_number() over (order by id) as n, timestamp from edge_logs order by timestamp',
  ],
  ['an order by what is computed', 'select id from edge_logs order by upper(event_message) limit 5'],
  ['rows left out first', 'select id from edge_logs order by timestamp limit 5 offset 2'],
  [
    'an opened array',
    'select id from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r order by r.path limit 5',
  ],
  ['a join', 'select a.id from edge_logs as a join edge_logs as b on a.id = b.id order by a.timestamp limit 5'],
])('order and limit are not pushed into the parts with %s', (_what, sql) => expect(limits(sql)).toBe(1));

test('redacted texts are ordered as they are shown', () => {
  const sql = 'select event_message from edge_logs order by event_message limit 5';
  expect(limits(sql)).toBe(2);
  expect(limits(sql, true)).toBe(1);
});
