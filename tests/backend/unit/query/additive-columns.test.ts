/** Columns that are zero in a bucket without rows: counts and sums, but no averages. */
import { dataOf } from '#backend/frames/column-data';
import type { Column } from '#backend/frames/frame';
import { timeSeries } from '#backend/frames/shapes/time-series';
import { additivityOf } from '#backend/query/additive-columns';
import { adhocCall } from '../../support/adhoc-call';

test.each([
  ['lql', 'f:edge_logs c:count(*) c:avg(m.origin_time) c:group_by(t::5m)', [true, false]],
  ['lql', '"c:avg(x)" chart:p95(m.a) c:group_by(m.b) c:sum(m.a) c:countd(m.c) c:max(m.a)', [false, true, true, false]],
  ['sql', 'select t, count(*), sum(x) as s, countif(x > 1) from a group by t', [null, true, true, true]],
  ['sql', 'select round(avg(f(x, 1)), 2) as a, APPROX_QUANTILES(x, 100)[OFFSET(95)] from a', [false, false]],
  [
    'sql',
    'select count(*) / 60 as rate, 100 * countif(x) / count(*), safe_divide(sum(a), sum(b))',
    [true, false, false],
  ],
  ['sql', 'with c as (select avg(x) as n from a) select t, n, max(n), stddev(n) from c', [null, null, false, false]],
  ['sql', 'select count(*) - min(x), any_value(x) -- , sum(x)\n from a', [false, false]],
  ['sql', 'select t, a.* from a', []],
  ['sql', 'select * from a', []],
  ['sql', 'select 2 * count(*) as n from a', [true]],
  ['sql', 'select avg(x) from a union all select sum(x) from b', []],
  ['sql', 'from a |> aggregate avg(x) group by t', []],
] as const)('%s: of %s the columns that count or add up are %j', (language, text, expected) => {
  expect(additivityOf(adhocCall(language, text))).toEqual(expected);
});

test('a saved query does not tell', () => {
  expect(additivityOf({ ...adhocCall('sql', ''), adhoc: null })).toEqual([]);
});

const column = (name: string, kind: Column['kind'], values: readonly unknown[]): Column => ({
  name,
  kind,
  data: dataOf(kind, values),
});
const MINUTE = 60_000_000_000n;

test.each([
  ['by the text', [true, false, true, false], false, [0n, null, 0, null]],
  ['by the text, of series with labels', [true, false, true, false], true, [0n, null, 0, null]],
  ['by the kinds without a text', undefined, false, [0n, 0n, null, null]],
  ['by the kinds where the text has more columns', Array<boolean>(9).fill(true), false, [0n, 0n, null, null]],
])('a bucket without rows is zero or null %s', (_, additivity, hasLabels, expected) => {
  const columns = [
    column('t', 'time', [0n, 2n * MINUTE]),
    ...(hasLabels ? [column('path', 'string', ['/a', '/a'])] : []),
    column('n', 'integer', [1n, 2n]),
    column('largest', 'integer', [1n, 2n]),
    column('sum', 'number', [1, 2]),
    column('mean', 'number', [1, 2]),
  ];
  const buckets = { seconds: 60, zeros: 'rows', ...(additivity ? { additivity } : {}) } as const;
  const { fields } = timeSeries({ columns, length: 2, isCut: false }, buckets);
  const filled = fields.slice(1).map(({ data }) => (data.getValid(1) ? (data.values as ArrayLike<unknown>)[1] : null));
  expect(filled).toEqual(expected);
});
