/**
 * Arbitrary queries with subqueries that read the rows around them, over two small tables with equal rows, equal keys
 * and NULLs.
 */
import fc, { type Arbitrary } from 'fast-check';
import { arbitraryTable } from './table';

/** Between a row `y` of the subquery and a row `x` around it. */
const CONDITIONS: readonly string[] = [
  'y.i = x.i',
  'x.s = y.s',
  'y.f = x.i',
  'x.f = y.i',
  'y.i = x.i and y.s = x.s',
  'y.s = x.s and y.b',
  'y.i = x.i and y.n != x.n',
  'mod(y.i, 2) = mod(x.i, 2)',
  'y.i < x.i',
  'y.f >= x.f',
  'y.i = x.i or x.i is null',
  'y.i is not distinct from x.i',
  'y.s = x.s or y.i = x.i',
  'x.b',
  'x.b is not true',
  'starts_with(y.s, x.s)',
  'y.i in (x.i, 1)',
  'y.i between x.n and 2',
  'y.n < x.n and y.f = x.f',
  'y.i + x.n > 2',
  'coalesce(y.i, 0) = coalesce(x.i, 0)',
  "y.s in unnest(split(x.s, ','))",
  'exists (select 1 from b as z where z.i = y.i and z.n != x.n)',
  'y.i = (select max(z.i) from a as z where z.n <= x.n)',
  'y.i not in (select z.i from b as z where z.s = x.s)',
  'x.i > (select count(*) from a as z where z.s = y.s)',
  'x.i in (select z.i from b as z)',
  'x.s not in (select z.s from a as z where z.s is not null)',
  'y.i = x.i and x.n not in (select z.n from b as z)',
  'y.n = x.n and y.i + x.i in (select z.n from b as z)',
  'true',
];
const condition = fc.constantFrom(...CONDITIONS);

/** FROM and WHERE, with a row `y`; `$c` is a condition on it. */
const SOURCES: readonly string[] = [
  'b as y where $c',
  'b as y where $c',
  'b as y where $c and y.n > 0',
  '(select * from b as y where $c) as y where y.n >= 0',
  '(select * from b as y where $c order by y.n desc limit 2) as y where y.f is not null',
  'b as y join a as z on z.i = y.i where $c',
  'b as y left join a as z on z.i = y.i and z.n < y.n where $c',
  'b as y cross join unnest([1, 2, x.i]) as u where u = y.i and $c',
  "b as y cross join unnest(split(y.s, ',')) as u where u = x.s and $c",
  "b as y left join unnest(split(y.s, ',')) as u where $c and coalesce(u, x.s) = 'a'",
  '(select y.n, y.i, y.f, y.s, y.b from b as y where y.n = x.n union all select y.n, y.i, y.f, y.s, y.b from a as y where $c) as y',
  "unnest([struct(0 as n, 1 as i, 1.0 as f, 'a' as s, true as b), struct(1, 2, 2.5, 'b', null)]) as y where $c",
];
const source = fc.tuple(fc.constantFrom(...SOURCES), condition).map(([text, on]) => text.replace('$c', `(${on})`));

const ONE_VALUE: readonly string[] = [
  'count(*)',
  'count(y.i)',
  'count(distinct y.s)',
  'sum(y.i)',
  'sum(y.i + x.n)',
  'avg(y.f)',
  'min(y.s)',
  'max(y.i)',
  'countif(y.i = x.i)',
  'logical_or(y.b)',
  'count(*) + x.n',
  'coalesce(sum(y.i), -1)',
  'max(y.i) - min(y.i)',
  "string_agg(y.s, '+' order by y.n, y.s)",
  'array_length(array_agg(y.i ignore nulls))',
  'sum(distinct y.i)',
  'count(x.i)',
  'sum(x.n) + count(y.i)',
  'countif(x.b)',
  "string_agg(x.s, '+' order by x.n)",
  'max(x.i + (select count(*) from a as z where z.s = x.s))',
  '(select count(*) from a as z where z.i = x.i) + count(*)',
];
const HAVING = [
  '',
  '',
  '',
  ' having count(*) > 1',
  ' having max(y.i) > x.n',
  ' having x.b',
  ' having max(x.n) > min(y.n)',
] as const;
const ITEMS = [
  'y.i',
  'y.n',
  'y.i + x.n',
  'x.i',
  'coalesce(y.i, x.i)',
  '(select max(z.n) from a as z where z.i = y.i and z.n >= x.n)',
];
const LIMITS = [' limit 1', ' limit 1 offset 1', ' limit 1', ' limit 0', ' limit 1'] as const;

const scalar: Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ONE_VALUE), source, fc.constantFrom(...HAVING))
    .map(([value, from, having]) => `select ${value} from ${from}${having}`),
  fc
    .tuple(
      fc.constantFrom(...ITEMS),
      source,
      fc.constantFrom(...LIMITS),
      fc.constantFrom('y.n', 'y.n desc', 'y.f, y.n', 'y.s desc, y.n')
    )
    .map(([item, from, limit, order]) => `select ${item} from ${from} order by ${order}, 1${limit}`),
  fc
    .tuple(source, fc.constantFrom(...LIMITS))
    .map(([from, limit]) => `select distinct y.i from ${from} order by 1 desc${limit}`),
  fc
    .tuple(
      fc.constantFrom('y.s', 'y.i', 'y.b', 'mod(y.i, 2)'),
      source,
      fc.constantFrom(...HAVING),
      fc.constantFrom(...LIMITS)
    )
    .map(
      ([key, from, having, limit]) =>
        `select count(*) from ${from} group by ${key}${having} order by count(*), ${key}${limit}`
    )
);
/** May fail. Where a value is not needed, stores may look at it or not. */
const anyRow = source.map((from) => `(select y.i from ${from})`);

const WINDOWS = [
  'row_number() over (order by y.n, y.i, y.s)',
  'rank() over (partition by y.b order by y.i)',
  'dense_rank() over (order by y.s desc)',
  'sum(y.i) over (order by y.f)',
  'count(*) over (partition by y.s)',
  'sum(x.n) over (order by y.n, y.i, y.s)',
  'count(*) over (partition by x.s, y.s)',
  'lag(y.n) over (partition by y.b order by y.n)',
  'max(y.n) over (order by y.i, y.n rows between 1 preceding and 1 following)',
] as const;

const rows: Arbitrary<string> = fc.oneof(
  fc.tuple(fc.constantFrom(...WINDOWS), source).map(([call, from]) => `select ${call} from ${from}`),
  fc.tuple(fc.constantFrom(...WINDOWS), source).map(([call, from]) => `select y.n from ${from} qualify ${call} > 1`),
  fc.tuple(fc.constantFrom(...ITEMS), source).map(([item, from]) => `select ${item} from ${from}`),
  source.map((from) => `select distinct y.i from ${from}`),
  fc.tuple(source, fc.constantFrom(...HAVING)).map(([from, having]) => `select y.i from ${from} group by y.i${having}`),
  fc
    .tuple(fc.constantFrom('union all', 'union distinct', 'intersect distinct', 'except distinct'), source, source)
    .map(([word, one, other]) => `select y.i from ${one} ${word} select y.n from ${other}`),
  fc
    .tuple(source, fc.constantFrom(1, 2))
    .map(([from, limit]) => `select y.n from ${from} order by y.n, y.i limit ${limit}`)
);

const ordered: Arbitrary<string> = fc.oneof(
  fc.tuple(fc.constantFrom(...ITEMS), source).map(([item, from]) => `select ${item} from ${from} order by y.n, 1`),
  source.map((from) => `select distinct y.s from ${from} order by 1`),
  source.map((from) => `select as struct y.i, count(*) as c from ${from} group by y.i order by y.i`),
  fc
    .tuple(fc.constantFrom('union all', 'union distinct', 'intersect distinct', 'except distinct'), source, source)
    .map(([word, one, other]) => `(select y.i from ${one}) ${word} (select y.n from ${other}) order by 1`),
  fc
    .tuple(source, fc.constantFrom(1, 2))
    .map(([from, limit]) => `select y.s from ${from} order by y.n desc, y.s limit ${limit} offset 1`)
);

/** Values that may be compared and grouped. */
const value: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: scalar.map((text) => `(${text})`) },
  { weight: 1, arbitrary: scalar.map((text) => `case when x.b then (${text}) else -7 end`) },
  { weight: 2, arbitrary: rows.map((text) => `exists (${text})`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('x.i', 'x.n', '1', 'x.i + 1'), fc.constantFrom('in', 'not in'), rows)
      .map(([left, word, text]) => `${left} ${word} (${text})`),
  },
  { weight: 2, arbitrary: ordered.map((text) => `array_length(array(${text}))`) },
  {
    weight: 1,
    arbitrary: source.map(
      (from) => `(select sum((select count(*) from ${from.replaceAll('x.i', 'u')})) from unnest([0, 1, x.i]) as u)`
    ),
  }
);
const item: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: value },
  { weight: 1, arbitrary: anyRow },
  { weight: 2, arbitrary: ordered.map((text) => `to_json_string(array(${text}))`) },
  { weight: 1, arbitrary: ordered.map((text) => `array(${text})`) }
);
const test = value.map((text) =>
  /^(?:exists|\S+ (?:not )?in )/.test(text) || / (?:not )?in \(select/.test(text.slice(0, 20)) ? text : `${text} > 0`
);

export const arbitraryCorrelatedQuery: Arbitrary<string> = fc
  .tuple(arbitraryTable('a'), arbitraryTable('b'))
  .chain((tables) => {
    const withTables = `with ${tables.join(', ')} `;
    const places = fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .array(item, { minLength: 1, maxLength: 2 })
          .map(
            (all) =>
              `select x.n, ${all.map((text, index) => `${text} as c${index}`).join(', ')} from a as x order by x.n`
          ),
      },
      { weight: 2, arbitrary: test.map((text) => `select x.n, x.i from a as x where ${text} order by x.n`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(value, item)
          .map(([key, other]) => `select x.n, ${other} as c from a as x order by ${key}, x.n`),
      },
      {
        weight: 1,
        arbitrary: value.map((text) => `select ${text} as k, count(*) as c from a as x group by k order by k`),
      },
      {
        weight: 1,
        arbitrary: value.map(
          (text) => `select x.b, max(to_json_string(${text})) as c from a as x group by x.b order by x.b`
        ),
      },
      {
        weight: 1,
        // DuckDB takes no window inside of a window.
        arbitrary: value
          .filter((text) => !text.includes(' over ('))
          .map(
            (text) =>
              `select x.n, row_number() over (order by ${text}, x.n) as c from a as x qualify c < 3 order by x.n`
          ),
      },
      {
        weight: 1,
        arbitrary: test.map(
          (text) => `select x.n, o.n as m from a as x join b as o on o.i = x.i and ${text} order by x.n, m`
        ),
      },
      {
        weight: 1,
        arbitrary: test.map(
          (text) => `select x.n, o.n as m from b as o cross join a as x where o.s = x.s and ${text} order by x.n, m`
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('i', 'b', 's').chain((key) =>
          test.map((text) => {
            const grouped = text.replace(/x\.(\w)\b/g, `x.${key}`);
            return `select x.${key} as k, count(*) as c from (select n, i, f, s, b from a) as x group by x.${key} having exists (select 1 from b as y where y.${key} = x.${key}) or ${grouped.includes('x.') ? 'count(*) > 1' : 'true'} order by k`;
          })
        ),
      }
    );
    return places.map((text) => withTables + text);
  });
