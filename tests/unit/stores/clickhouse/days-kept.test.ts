/** Days after which ClickHouse deletes events, from its description of a table. */
import { daysKept } from '#server/stores/clickhouse/schema/retention';

const table = (ttl: string, column = ''): string =>
  `CREATE TABLE lqe.events (\`id\` String CODEC(ZSTD(1))${column}, INDEX by_id id TYPE bloom_filter(0.01) GRANULARITY 1) ` +
  `ENGINE = MergeTree PARTITION BY toDate(timestamp) ORDER BY (project, timestamp)${ttl} SETTINGS index_granularity = 8192`;
const time = "toDateTime(timestamp, 'UTC') + ";

it.each([
  ['as this service makes it', table(` TTL ${time}toIntervalDay(90)`), 90],
  ['without settings', `CREATE TABLE a (\`id\` String) ENGINE = MergeTree ORDER BY id TTL ${time}toIntervalDay(7)`, 7],
  ['of an operator who keeps all events', table(''), null],
  [
    'that moves events to another disk first',
    table(` TTL ${time}toIntervalDay(7) TO VOLUME 'cold', ${time}toIntervalDay(90)`),
    90,
  ],
  ['that compresses events later', table(` TTL ${time}toIntervalDay(7) RECOMPRESS CODEC(ZSTD(9))`), null],
  ['with a column that is emptied before', table(` TTL ${time}toIntervalDay(90)`, ` TTL ${time}toIntervalDay(5)`), 90],
  ['with such a column alone', table('', ` TTL ${time}toIntervalDay(5)`), null],
])('a table %s', (_, createQuery, days) => {
  expect(daysKept(createQuery)).toBe(days);
});
