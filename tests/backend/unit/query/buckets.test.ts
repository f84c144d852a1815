/** Widths of time buckets: read from a query, widened until a result fits, and filled with zeros. */
import fc from 'fast-check';
import { bucketStarts } from '#backend/frames/shapes/bucket-starts';
import { dataOf } from '#backend/frames/column-data';
import type { Column } from '#backend/frames/frame';
import { timeSeries } from '#backend/frames/shapes/time-series';
import { bucketSecondsOf, wideEnough } from '#backend/query/buckets';
import { asksForZeros } from '#backend/query/macros';
import { createTimeContext } from '#backend/query/time-context';
import { adhocCall } from '../../support/adhoc-call';

test.each([
  ['sql', 'select TIMESTAMP_TRUNC(timestamp, MINUTE) as t, count(*) from a group by t', 60],
  ['sql', 'select timestamp_trunc(coalesce(a, b), day) as t', 86_400],
  ['sql', 'select TIMESTAMP_SECONDS(DIV(UNIX_SECONDS(timestamp), 300) * 300) as t', 300],
  ['sql', 'select TIMESTAMP_SECONDS(DIV(UNIX_SECONDS(coalesce(a, b)), 90) * 90) as t', 90],
  ['sql', 'select TIMESTAMP_SECONDS(DIV(UNIX_SECONDS(f(g(h(a), 1), b)), 300) * 300) as t', 300],
  ['sql', 'select TIMESTAMP_TRUNC(f(g(h(a), 1), b), HOUR) as t', 3_600],
  ['sql', 'select TIMESTAMP_TRUNC(a, HOUR), TIMESTAMP_TRUNC(b, HOUR)', 3_600],
  ['sql', 'select TIMESTAMP_TRUNC(a, HOUR), TIMESTAMP_TRUNC(b, DAY)', undefined],
  ['sql', 'select TIMESTAMP_TRUNC(timestamp, MONTH) as t', undefined],
  ['sql', 'select TIMESTAMP_TRUNC(a, MONTH), TIMESTAMP_TRUNC(b, HOUR)', undefined],
  ['sql', 'select TIMESTAMP_TRUNC(a, HOUR), TIMESTAMP_TRUNC(b, WEEK(MONDAY))', undefined],
  ['sql', 'select a.t from a join b on TIMESTAMP_TRUNC(a.t, HOUR) = b.t order by 1', undefined],
  [
    'sql',
    'select TIMESTAMP_TRUNC(a.t, MINUTE) as t from a join b on TIMESTAMP_TRUNC(a.t, DAY) = b.d left join c on true where x group by 1',
    60,
  ],
  ['sql', 'select * from a join b on a.x = b.x join (select TIMESTAMP_TRUNC(t, HOUR) as t from c) as c on true', 3_600],
  ['sql', 'select * from a join b on a.x = b.x, (select TIMESTAMP_TRUNC(t, HOUR) as t from c)', 3_600],
  ['sql', 'select timestamp as t from a where timestamp > TIMESTAMP_TRUNC(x, DAY) limit 5', undefined],
  ['sql', 'select TIMESTAMP_TRUNC(t, WEEK) as t from a where (t > TIMESTAMP_TRUNC(x, DAY)) group by 1', undefined],
  ['sql', 'select TIMESTAMP_TRUNC(t, HOUR) as t from a where t > TIMESTAMP_TRUNC(x, DAY) group by 1', 3_600],
  ['sql', 'select t from a where (t > 1) group by TIMESTAMP_TRUNC(t, HOUR)', 3_600],
  ['sql', 'from a |> where t > TIMESTAMP_TRUNC(x, DAY) |> extend TIMESTAMP_TRUNC(t, HOUR) as h', 3_600],
  ['sql', 'select * from (select TIMESTAMP_TRUNC(t, HOUR) as t from a where t > 1) where t > 1', 3_600],
  ['sql', "select 'where', TIMESTAMP_TRUNC(t, HOUR) as t -- where\n from a", 3_600],
  ['sql', 'select timestamp as t', undefined],
  ['lql', 'c:count(*) c:group_by(t::minute)', 60],
  ['lql', 'c:count(*) c:group_by(timestamp::6h)', 21_600],
  ['lql', 'c:count(*) c:group_by(t::1w)', 604_800],
  ['lql', 'c:count(*)', 60],
  ['lql', 'f:edge_logs chart:avg(m.origin_time) c:group_by(m.level)', 60],
  ['lql', 'c:count(*) c:group_by(t::month)', undefined],
  ['lql', 'error t:today', undefined],
] as const)('%s: %s has buckets of %s s', (language, text, seconds) => {
  expect(bucketSecondsOf(adhocCall(language, text))).toBe(seconds);
});

test.each([
  ['minutely', 60],
  ['daily', 86_400],
  ['fortnightly', undefined],
])('the saved counts with the interval %s have buckets of %s s', (interval, seconds) => {
  expect(bucketSecondsOf({ endpoint: 'usage.api-counts', params: { interval }, redact: false, adhoc: null })).toBe(
    seconds
  );
});

test.each([
  ['sql', '$__timeGroup(timestamp, 5m, 0)', true],
  ['sql', '$__timeGroup(coalesce(a, 0), 5m)', false],
  ['sql', '$__timeGroup(f(g(h(a), 1), b), 5m, 0)', true],
  ['sql', '$__timeGroup(timestamp)', false],
  ['lql', 'c:group_by($__timeGroup(5m, 0))', true],
  ['lql', 'c:group_by($__timeGroup)', false],
] as const)('%s: %s asks for zeros: %s', (language, text, isAsked) => {
  expect(asksForZeros(text, language)).toBe(isAsked);
});

const anyCut = fc.record({
  series: fc.integer({ min: 1, max: 60 }),
  rows: fc.integer({ min: 100, max: 1_000 }),
  rangeMs: fc.integer({ min: 60_000, max: 30 * 86_400_000 }),
  points: fc.integer({ min: 10, max: 11_000 }),
});

test('with the wider interval each series has room for one point per bucket', () => {
  fc.assert(
    fc.property(anyCut, ({ series, rows, rangeMs, points }) => {
      const time = createTimeContext(0, rangeMs, 0, points);
      const names = Array.from({ length: rows }, (_, row) => `s${row % series}`);
      const columns = [
        {
          name: 't',
          kind: 'time',
          data: dataOf(
            'time',
            names.map((_, row) => BigInt(row))
          ),
        },
        { name: 's', kind: 'string', data: dataOf('string', names) },
        {
          name: 'n',
          kind: 'integer',
          data: dataOf(
            'integer',
            names.map(() => 1n)
          ),
        },
      ] as const;
      const seconds = wideEnough({ columns, length: rows, isCut: false }, time);
      if (seconds === undefined) return expect(rows / series).toBeLessThan(12);
      expect(seconds).toBeGreaterThan(time.intervalSeconds);
      const buckets = Math.ceil(rangeMs / 1000 / seconds) + 1;
      expect(buckets * series).toBeLessThanOrEqual(rows);
    })
  );
});

const SECOND = 1_000_000_000n;
const timeColumn = (buckets: readonly number[], seconds: number): Column => ({
  name: 't',
  kind: 'time',
  data: dataOf(
    'time',
    buckets.map((at) => BigInt(at * seconds) * SECOND)
  ),
});
const anySparse = fc.constantFrom(1, 60, 300, 86_400).chain((seconds) =>
  fc.record({
    seconds: fc.constant(seconds),
    buckets: fc.uniqueArray(fc.nat(300), { maxLength: 30 }).map((all) => all.sort((a, b) => a - b)),
    fromMs: fc.nat(300_000 * seconds),
    lengthMs: fc.nat(200_000 * seconds),
  })
);

test('each bucket of the range without a row gets a zero, and nothing else changes', () => {
  fc.assert(
    fc.property(anySparse, fc.boolean(), ({ seconds, buckets, fromMs, lengthMs }, hasLabels) => {
      const time = timeColumn(buckets, seconds);
      const counts = {
        name: 'n',
        kind: 'integer',
        data: dataOf(
          'integer',
          buckets.map((at) => BigInt(at + 1))
        ),
      } as const;
      const labels = {
        name: 'l',
        kind: 'string',
        data: dataOf(
          'string',
          buckets.map((at) => `l${at % 3}`)
        ),
      } as const;
      const columns = hasLabels ? [time, labels, counts] : [time, counts];
      const zeros = { fromMs, toMs: fromMs + lengthMs };
      const starts = bucketStarts(time, buckets.length, { seconds, zeros });
      const { fields } = timeSeries({ columns, length: buckets.length, isCut: false }, { seconds, zeros });
      const [at, ...series] = fields;
      const times = [...(at!.data.values as BigInt64Array)];
      if (starts === 'too_many') return expect(times).toHaveLength(buckets.length);
      expect(times).toEqual(starts);
      expect(at!.config).toEqual({ interval: seconds * 1000 });
      expect(times.every((start, i) => i === 0 || start - times[i - 1]! === BigInt(seconds) * SECOND)).toBe(true);
      expect(times[0]! <= BigInt(fromMs) * 1_000_000n).toBe(true);
      const sumAt = (start: bigint): bigint =>
        series.reduce((sum, { data }) => sum + (data.values as BigInt64Array)[times.indexOf(start)]!, 0n);
      for (const start of times) {
        const bucket = Number(start / SECOND) / seconds;
        expect(sumAt(start)).toBe(buckets.includes(bucket) ? BigInt(bucket + 1) : 0n);
      }
      expect(series.every(({ data }) => data.nullCount === 0)).toBe(true);
    })
  );
});

test.each([
  ['times that are not starts of buckets', timeColumn([1, 2], 7), { seconds: 60, zeros: 'rows' as const }, 'unfit'],
  [
    'more buckets than a screen shows',
    timeColumn([0, 20_000], 60),
    { seconds: 60, zeros: 'rows' as const },
    'too_many',
  ],
  ['gaps that are not to be filled', timeColumn([0, 5], 60), { seconds: 60 }, undefined],
])('%s: no bucket is added', (_, time, buckets, reason) => {
  expect(bucketStarts(time, 2, buckets)).toBe(reason);
});

test('an alert rule gets the zeros of more buckets than a screen shows', () => {
  const starts = bucketStarts(timeColumn([0, 20_000], 60), 2, { seconds: 60, zeros: 'rows', maxCount: 100_000 });
  expect(starts).toHaveLength(20_001);
});
