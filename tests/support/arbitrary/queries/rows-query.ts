/** Arbitrary well-typed queries over rows of constants that no compiler can fold, for which two stores must agree. */
import fc, { type Arbitrary } from 'fast-check';

const KINDS = ['i', 'f', 's', 'b', 't', 'd'] as const;
type Kind = (typeof KINDS)[number];

const NO_NUMBERS = ['nan', 'inf', '-inf'].map((text) => `cast('${text}' as float64)`);

/** Rows: `n` numbers them, and one column of each kind, any of which may be NULL. */
const VALUES: Readonly<Record<Kind, readonly string[]>> = {
  i: [
    '0',
    '1',
    '-1',
    '2',
    '3',
    '7',
    '-12',
    '100',
    '4611686018427387904',
    '9223372036854775807',
    '-9223372036854775807',
  ],
  f: [
    '0.0',
    '1.5',
    '-2.5',
    '0.1',
    '1e16',
    '123456.789',
    '1e-5',
    '3.0',
    '2.5',
    '-0.0',
    '5e-324',
    '-1.7976931348623157e308',
    ...NO_NUMBERS,
  ],
  s: [
    "''",
    "'a'",
    "'B c'",
    "'añb😀'",
    "'12'",
    "'a,b,,c'",
    "'2026-03-01T08:00:00+02:00'",
    '\'{"a": {"b": [1, "x"]}}\'',
    "'Ab\\nC'",
    "'ΑΣ ßﬁ'",
    "'İi e\\u0301\\r\\n'",
  ],
  b: ['true', 'false'],
  t: [
    "timestamp '2026-03-04 15:47:31.123456'",
    "timestamp '1969-12-31 23:59:59.5'",
    "timestamp '2024-02-29 00:00:00'",
    "timestamp '2026-10-25 00:30:00'",
  ],
  d: ["date '2026-03-04'", "date '2024-02-29'", "date '1969-12-31'", "date '2027-01-02'"],
};
const TYPES: Readonly<Record<Kind, string>> = {
  i: 'int64',
  f: 'float64',
  s: 'string',
  b: 'bool',
  t: 'timestamp',
  d: 'date',
};

/** `$i` is replaced by an expression of that kind. None fails on a value, so any order of evaluation is right. */
const FORMS: Readonly<Record<Kind, readonly string[]>> = {
  i: [
    'mod($i, 7)',
    'div($i, 3)',
    'mod($i, $i)',
    'mod($i, 1000) + mod($i, 1000)',
    'mod($i, 1000) * mod($i, 1000)',
    'abs(mod($i, 9))',
    'sign($i)',
    'length($s)',
    'strpos($s, $s)',
    'cast(mod($i, 5) as int64)',
    'safe_cast($s as int64)',
    'extract(year from $t)',
    'extract(dayofweek from $t)',
    'extract(week from $d)',
    'extract(isoweek from $t)',
    'extract(isoyear from $d)',
    'extract(microsecond from $t)',
    "extract(hour from $t at time zone 'Europe/Berlin')",
    'unix_millis($t)',
    'unix_seconds($t)',
    'timestamp_diff($t, $t, hour)',
    'date_diff($d, $d, month)',
    'date_diff($d, $d, week)',
    'datetime_diff(datetime($t), datetime($t), quarter)',
    "array_length(split($s, ','))",
    'if($b, $i, $i)',
    'coalesce($i, $i)',
    'nullif($i, 1)',
    'greatest($i, $i)',
    'least($i, $i)',
    'case when $b then $i when $b then 5 end',
    '$i & 6',
    '$i | 1',
    '$i ^ 3',
    'safe_cast($f as int64)',
    'array_length(generate_array(1, mod($i, 5)))',
    '(select count(*) from unnest([1, 2, 3]) as u where u > $i)',
    '[$i, 2, $i][safe_offset(mod($i, 4))]',
    '-mod($i, 50)',
  ],
  f: [
    '$f + $f',
    '$f * 2',
    '$f - 0.5',
    '$f - $f',
    '$f * $f',
    'sign($f)',
    'nullif($f, $f)',
    'ieee_divide($f, $f)',
    'round($f, -1)',
    'trunc($f, 2)',
    '(select max(u) from unnest([$f, $f]) as u)',
    '$i / $i',
    '$f / $f',
    'safe_divide($f, $i)',
    'round($f)',
    'round($f, 1)',
    'trunc($f)',
    'ceil($f)',
    'floor($f)',
    'sqrt(abs($f))',
    'cast($i as float64)',
    'safe_cast($s as float64)',
    'abs($f)',
    'if($b, $f, $f)',
    'coalesce($f, $f)',
    'greatest($f, $f)',
    'least($f, $f)',
    '-$f',
  ],
  s: [
    'lower($s)',
    'upper($s)',
    'trim($s)',
    "ltrim($s, 'a')",
    "rtrim($s, 'c')",
    'concat($s, $s)',
    "$s || '-'",
    'reverse($s)',
    'left($s, 2)',
    'right($s, 2)',
    'substr($s, 2)',
    'substr($s, mod($i, 50))',
    'substr($s, mod($i, 5), 2)',
    'safe.substr($s, 1, mod($i, 50))',
    "replace($s, 'a', 'xy')",
    "lpad($s, 5, '*')",
    'rpad($s, 4)',
    'repeat($s, 2)',
    'cast($i as string)',
    'cast($f as string)',
    'cast($b as string)',
    'cast($t as string)',
    'cast($d as string)',
    "format_timestamp('%F %T %j %U %V %e|%E3S', $t)",
    "format_timestamp('%R %Ez', $t, 'Asia/Kolkata')",
    "format_date('%a %d %b %y %Q', $d)",
    "regexp_extract($s, '[a-z]+')",
    "regexp_extract($s, '([0-9])')",
    "regexp_replace($s, '[a-z]', '<\\\\0>')",
    "split($s, ',')[safe_offset($i)]",
    "array_to_string(split($s, ','), '+')",
    "array_to_string([$s, $s, null], '+', '?')",
    'to_json_string($s)',
    'to_json_string($i)',
    'to_json_string($f)',
    'to_json_string($t)',
    'to_json_string([$i, $i])',
    'to_json_string(struct($i as a, $s as b))',
    "json_value($s, '$.a.b[1]')",
    "json_query($s, '$.a')",
    'to_hex(md5($s))',
    'if($b, $s, $s)',
    'coalesce($s, $s)',
    "nullif($s, 'a')",
    'greatest($s, $s)',
    "(select string_agg(u, '/' order by u desc) from unnest(split($s, ',')) as u where u != '')",
    'struct($s as x, $i as y).x',
  ],
  b: [
    '$i = $i',
    '$i < $i',
    '$f >= $f',
    '$f < $f',
    '$f = $f',
    '$f != $f',
    '$f between $f and $f',
    '$f in ($f, 1.5)',
    '$f is distinct from $f',
    '$f in unnest([$f, 0.1])',
    '$f not in (select u from unnest([$f, 3.0]) as u)',
    '$f > 0.5',
    '$s ilike upper($s)',
    '$s = $s',
    '$s < $s',
    '$t < $t',
    '$d >= $d',
    "$s like '%a%'",
    "$s like 'a_%'",
    "$s ilike '%B%'",
    '$i in (1, 2, null)',
    '$i not in (0, 3)',
    "$s in ('a', '12')",
    '$i between 0 and 5',
    '$i is null',
    '$s is not null',
    '$b and $b',
    '$b or $b',
    'not $b',
    '$b is true',
    '$b is not false',
    '$i is distinct from $i',
    '$s is not distinct from $s',
    "starts_with($s, 'a')",
    "ends_with($s, 'c')",
    "contains_substr($s, 'b')",
    "regexp_contains($s, 'a.b')",
    '$i in unnest([1, null, 3])',
    "$s in unnest(split($s, ','))",
    "exists (select 1 from unnest(split($s, ',')) as u where u = 'b')",
    'if($b, $b, $b)',
    '$i in (select 1 union all select 7)',
    '$i not in (select cast(null as int64) union all select 7)',
    '$f > $i',
  ],
  t: [
    'timestamp_trunc($t, hour)',
    'timestamp_trunc($t, week)',
    'timestamp_trunc($t, isoweek)',
    'timestamp_trunc($t, month)',
    'timestamp_trunc($t, quarter)',
    'timestamp_trunc($t, isoyear)',
    "timestamp_trunc($t, day, 'Europe/Berlin')",
    "timestamp_trunc($t, hour, 'Asia/Kolkata')",
    'timestamp_add($t, interval mod($i, 100) minute)',
    'timestamp_sub($t, interval 3 day)',
    'timestamp($d)',
    'timestamp(datetime($t))',
    'safe_cast($s as timestamp)',
    'if($b, $t, $t)',
    'coalesce($t, $t)',
    'greatest($t, $t)',
    'timestamp(datetime_add(datetime($t), interval mod($i, 13) month))',
  ],
  d: [
    'date($t)',
    "date($t, 'Pacific/Kiritimati')",
    'date_add($d, interval mod($i, 40) day)',
    'date_sub($d, interval 1 month)',
    'date_add($d, interval 1 quarter)',
    'date_trunc($d, week(tuesday))',
    'date_trunc($d, month)',
    'date_trunc($d, isoyear)',
    'safe_cast($s as date)',
    'if($b, $d, $d)',
    'coalesce($d, $d)',
  ],
};

const value = (kind: Kind): Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...VALUES[kind]), weight: 5 },
    { arbitrary: fc.constant(`cast(null as ${TYPES[kind]})`), weight: 1 }
  );

/** A table `x` with one to six rows. */
const arbitraryRows: Arbitrary<string> = fc
  .array(fc.tuple(...KINDS.map(value)), { minLength: 1, maxLength: 6 })
  .map((rows) => {
    const structs = rows.map(
      (row, n) => `struct(${n} as n, ${row.map((text, index) => `${text} as ${KINDS[index]}`).join(', ')})`
    );
    return `unnest([${structs.join(', ')}]) as x`;
  });

function expressionOf(kind: Kind, depth: number): Arbitrary<string> {
  const column = fc.constant(`x.${kind}`);
  if (depth === 0)
    return fc.oneof({ arbitrary: column, weight: 4 }, { arbitrary: fc.constantFrom(...VALUES[kind]), weight: 1 });
  const call = fc.constantFrom(...FORMS[kind]).chain((form) => {
    const kinds = [...form.matchAll(/\$([ifsbtd])\b/g)].map(([, name]) => name as Kind);
    return fc.tuple(...kinds.map((name) => expressionOf(name, depth - 1))).map((parts) => {
      let index = 0;
      return `(${form.replace(/\$([ifsbtd])\b/g, () => parts[index++] as string)})`;
    });
  });
  return fc.oneof({ arbitrary: call, weight: 4 }, { arbitrary: column, weight: 1 });
}

const anyExpression = (depth: number): Arbitrary<string> =>
  fc.constantFrom(...KINDS).chain((kind) => expressionOf(kind, depth));
const condition = expressionOf('b', 2);

/** Over rows of a group, and with another end, of a window. */
const AGGREGATES: readonly string[] = [
  'count(*)',
  'count($i)',
  'count(distinct $s)',
  'countif($b)',
  'sum(mod($i, 1000))',
  'avg(mod($i, 1000))',
  'min($i)',
  'max($f)',
  'min($f)',
  'count(distinct $f)',
  'min($s)',
  'max($t)',
  'min($d)',
  'logical_or($b)',
  'logical_and($b)',
  'sum(distinct mod($i, 10))',
];
const COLLECTING: readonly string[] = [
  'array_agg($i order by x.n)',
  'array_agg($s ignore nulls order by x.n desc limit 2)',
  'array_agg(distinct x.s ignore nulls order by x.s)',
  "string_agg($s, '-' order by x.n)",
  "string_agg(distinct cast(x.i as string), '-' order by cast(x.i as string) desc)",
  'approx_quantiles($i, 4)',
  'approx_quantiles($f, 4)',
  'array_agg($f order by x.f desc nulls first, x.n)',
  'approx_quantiles($i, 10)[offset(9)]',
  'array_agg(struct($i as a, $s as b) order by x.s desc, x.n)',
];
// The same expression must stand where it is ordered by.
const filled = (form: string): Arbitrary<string> => {
  const kinds = [...new Set([...form.matchAll(/\$([ifsbtd])\b/g)].map(([, name]) => name as Kind))];
  return fc
    .tuple(...kinds.map((kind) => expressionOf(kind, 1)))
    .map((parts) => form.replace(/\$([ifsbtd])\b/g, (_all, name: Kind) => parts[kinds.indexOf(name)] as string));
};
const aggregate = fc.constantFrom(...AGGREGATES, ...COLLECTING).chain(filled);
const windowCall = fc.oneof(
  fc.constantFrom(...AGGREGATES.filter((form) => !form.includes('distinct'))).chain(filled),
  fc.constantFrom('row_number()', 'rank()', 'dense_rank()', 'ntile(3)'),
  fc
    .constantFrom('lag($i)', 'lag($s, 2)', 'lead($t)', 'lead($i, 1, 5)', 'first_value($i)', 'last_value($f)')
    .chain(filled)
);
const over = fc
  .tuple(fc.constantFrom('', 'partition by x.b ', 'partition by x.i '), fc.constantFrom('x.n', 'x.n desc'))
  .map(([partition, order]) => `over (${partition}order by ${order})`);

const items = (item: Arbitrary<string>): Arbitrary<string> =>
  fc
    .array(item, { minLength: 1, maxLength: 3 })
    .map((all) => all.map((text, index) => `${text} as c${index}`).join(', '));
const where = fc.option(
  condition.map((text) => ` where ${text}`),
  { nil: '' }
);

/** Whole queries, each with an order of its own. */
export const arbitraryRowsQuery: Arbitrary<string> = arbitraryRows.chain((rows) =>
  fc.oneof(
    fc
      .tuple(items(anyExpression(3)), where)
      .map(([list, filter]) => `select x.n, ${list} from ${rows}${filter} order by x.n`),
    fc
      .tuple(anyExpression(2), items(aggregate), where)
      .map(([key, list, filter]) => `select ${key} as k, ${list} from ${rows}${filter} group by k order by k`),
    fc.tuple(items(aggregate), where).map(([list, filter]) => `select ${list} from ${rows}${filter}`),
    fc
      .tuple(
        fc.array(
          fc.tuple(windowCall, over).map((parts) => parts.join(' ')),
          { minLength: 1, maxLength: 2 }
        ),
        where
      )
      .map(
        ([calls, filter]) =>
          `select x.n, ${calls.map((call, index) => `${call} as c${index}`).join(', ')} from ${rows}${filter} order by x.n`
      ),
    fc
      .tuple(anyExpression(2), where)
      .map(([key, filter]) => `select distinct ${key} as k from ${rows}${filter} order by k`),
    fc
      .tuple(
        fc.constantFrom('union distinct', 'intersect distinct', 'except distinct'),
        expressionOf('i', 1),
        expressionOf('i', 1)
      )
      .map(([word, a, b]) => `select ${a} as k from ${rows} ${word} select ${b} from ${rows} order by k`),
    fc
      .tuple(
        fc.constantFrom('join', 'left join', 'full join', 'right join'),
        fc.constantFrom('s', 'i', 't', 'f'),
        fc.constantFrom(
          'l.$key = r.$key and l.n != r.n',
          'l.$key < r.$key',
          'l.$key = r.$key or l.n = r.n',
          'l.n > 1',
          'r.$key is null'
        ),
        anyExpression(1)
      )
      .map(([word, key, on, item]) => {
        const side = (name: string): string => `(select x.n, x.i, x.s, x.t, x.f, ${item} as e from ${rows}) as ${name}`;
        return `select l.n as ln, r.n as rn, l.e as le, r.e as re from ${side('l')} ${word} ${side('r')} on ${on.replaceAll('$key', key)} order by ln, rn`;
      })
  )
);
