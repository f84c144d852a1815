/** Operators and other expressions with a place `$` for an operand, and the operand's type. */
const COMPARED = ['=', '<>', '<', '<=', '>', '>=', 'is distinct from', 'is not distinct from'];
const PRIMITIVE = ['INT64', 'FLOAT64', 'STRING', 'BYTES', 'BOOL', 'DATE', 'DATETIME', 'TIMESTAMP', 'TIME', 'INTERVAL'];

type NestedOperator = readonly [text: string, type: string];

const of = (type: string, ...texts: readonly string[]): readonly NestedOperator[] =>
  texts.map((text) => [text, type] as const);

export const NESTED_OPERATORS: readonly NestedOperator[] = [
  ...of('INT64', '($ + n_)', '(n_ - $)', '($ * n_)', '(- $)', '(~ $)', '($ & n_)', '($ | n_)', '($ ^ n_)'),
  ...of('INT64', '($ << n_)', '(n_ << $)', '($ >> n_)', '(n_ >> $)', '(d_ + $)', '(make_interval(1) * $)'),
  ...of('FLOAT64', '($ / f_)', '(f_ / $)', '(- $)', '($ + f_)', '(f_ * $)'),
  ...of('STRING', '($ || s_)', '(s_ || $)'),
  ...of('BYTES', '($ || y_)'),
  ...of('ARRAY<STRING>', '($ || l_)', '$[offset(0)]', '$[safe_offset(n_)]'),
  ...COMPARED.flatMap((operator) => [
    ...of('STRING', `($ ${operator} s_)`, `(s_ ${operator} $)`),
    ...of('FLOAT64', `($ ${operator} f_)`, `(f_ ${operator} $)`),
    ...of('TIMESTAMP', `($ ${operator} t_)`),
    ...of('INTERVAL', `($ ${operator} make_interval(1))`),
  ]),
  ...COMPARED.filter((operator) => !/[<>]$|=$/.test(operator) || operator === '=').flatMap((operator) => [
    ...of('ARRAY<STRING>', `($ ${operator} l_)`, `(l_ ${operator} $)`),
    ...of('STRING', `(struct($ as a, 1 as b) ${operator} struct(s_ as a, 1 as b))`),
    ...of('STRING', `([struct($ as a, 1 as b)] ${operator} [struct(s_ as a, 1 as b)])`),
  ]),
  ...of('BOOL', '(not $)', '($ and b_)', '(b_ or $)', '($ is true)', '($ is not false)', '($ is unknown)'),
  ...of('STRING', '($ is null)', '($ is not null)'),
  ...of('STRING', "($ between s_ and 'x')", "(s_ between $ and 'x')", '(s_ not between s_ and $)'),
  ...of('FLOAT64', '($ between f_ and 2)', '(f_ between $ and 2)', '(f_ between f_ and $)'),
  ...of('STRING', "($ in ('a', 'b'))", "($ not in ('a', s_))", "(s_ in ('a', $))", '($ in unnest(l_))'),
  ...of('STRING', "(struct($ as a) in (struct(s_ as a), struct('b' as a)))"),
  ...of('STRING', '(struct($ as a) in unnest([struct(s_ as a)]))'),
  ...of('FLOAT64', '($ in (1, f_))', '(f_ in (1, $))', '($ in (0, 1))', '($ in unnest([f_]))'),
  ...of('ARRAY<STRING>', '(s_ in unnest($))'),
  ...of('STRING', "($ like 'a%')", '(s_ like $)', '($ not like s_)', '($ ilike s_)', "($ ilike any ('a', 'b'))"),
  ...of('STRING', "($ like any ('a', s_, 'b_'))", "(s_ like any ('a', $))", "($ not like all ('a', 'b'))"),
  ...of('BOOL', "if($, s_, 'x')", 'case when $ then s_ end'),
  ...of(
    'STRING',
    "if(b_, $, 'x')",
    "case $ when 'a' then s_ when 'b' then 'c' end",
    "case s_ when $ then s_ else 'c' end"
  ),
  ...of('FLOAT64', "case $ when 1.5 then s_ when f_ then 'c' end"),
  ...PRIMITIVE.flatMap((from) => PRIMITIVE.flatMap((to) => of(from, `cast($ as ${to})`, `safe_cast($ as ${to})`))),
  ...of('ARRAY<STRING>', 'cast($ as array<int64>)', 'safe_cast($ as array<int64>)'),
  ...of('STRING', 'safe_cast(struct($ as a) as struct<a int64>)'),
  ...of('TIMESTAMP', "cast($ as string format 'YYYY-MM-DD')"),
  ...['YEAR', 'MONTH', 'DAYOFWEEK', 'WEEK', 'ISOWEEK', 'QUARTER', 'MICROSECOND', 'DATE', 'TIME'].flatMap((part) =>
    of('TIMESTAMP', `extract(${part} from $)`, `extract(${part} from $ at time zone 'Europe/Paris')`)
  ),
  ...of('DATE', 'extract(week(monday) from $)', 'extract(isoyear from $)', '($ - d_)'),
  ...of('INTERVAL', 'extract(month from $)', 'extract(microsecond from $)'),
  ...of('INT64', 'l_[offset($)]', 'l_[safe_ordinal($)]', 'interval $ day', '(t_ + interval $ day)'),
  ...of('STRING', '[$, s_]', 'struct($ as a, s_ as b)', 'struct($ as a, s_ as b).a', 'to_json(struct($ as a)).a'),
  ...of('TIMESTAMP', '($ + interval 1 day)', '($ - t_)', '(t_ - $)'),
  ...of('DATETIME', '($ - interval 1 month)'),
  ...of('INTERVAL', '($ + make_interval(1))', '($ * n_)', '($ / n_)', '(- $)', '(t_ + $)', '(dt_ + $)'),
  ...of('STRING', '(select $)', '(select max(k) from unnest([$, s_]) as k)'),
  ...of(
    'STRING',
    '(select max(k) from unnest([s_]) as k where k < $)',
    '(s_ in (select concat(k, $) from unnest([s_]) as k))'
  ),
  ...of('STRING', 'exists(select 1 from unnest([s_]) as k where k = $)', '($ in (select k from unnest([s_]) as k))'),
  ...of('STRING', 'array(select concat(k, $) from unnest([s_]) as k)'),
];
