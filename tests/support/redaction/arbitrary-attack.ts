/**
 * Statements of a caller over the hidden texts of the twin stores: each text, in each kind of expression and clause.
 */
import fc from 'fast-check';

const EDGE =
  'edge_logs e cross join unnest(e.metadata) m left join unnest(m.request) r left join unnest(r.headers) h left join unnest(m.hops) hop left join unnest(m.ips) one';

const leaf = fc.constantFrom(
  'e.event_message',
  'h.cf_connecting_ip',
  'h.authorization',
  'r.url',
  'r.path',
  'm.card',
  'm.escaped',
  'hop.ip',
  'one',
  "array_to_string(m.ips, ',')",
  'to_json_string(m)',
  'to_json_string(e.metadata)',
  'to_json_string(m.hops)',
  "json_value(e.event_message, '$.ip')",
  "json_query(e.event_message, '$.user')",
  'm.ips[safe_offset(0)]'
);
const guess = fc.constantFrom(
  "'203.0.113.7'",
  "'10.250'",
  "'9'",
  "'alice'",
  "'4111'",
  "'ghp_'",
  "'2001:db8::7'",
  "'[RED'",
  "'m'"
);

const texts = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc
      .tuple(tie('text'), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 9 }))
      .map(([x, i, n]) => `substr(${x}, ${i}, ${n})`),
    fc.tuple(fc.constantFrom('reverse', 'upper', 'lower'), tie('text')).map(([f, x]) => `${f}(${x})`),
    fc.tuple(tie('text'), guess).map(([x, g]) => `replace(${x}, ${g}, '-')`),
    tie('text').map((x) => `regexp_replace(${x}, r'(\\d)', r'\\1 ')`),
    tie('text').map((x) => `regexp_extract(${x}, r'\\d+')`),
    tie('text').map((x) => `split(${x}, '.')[safe_offset(1)]`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `concat(${a}, ${b})`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `coalesce(${a}, ${b})`),
    tie('text').map((x) => `to_hex(sha256(${x}))`),
    fc.tuple(tie('text'), guess).map(([x, g]) => `if(${x} > ${g}, 'yes', 'no')`)
  ),
})).text;

const condition = fc.oneof(
  fc.tuple(texts, fc.constantFrom('=', '!=', '<', '>='), guess).map((parts) => parts.join(' ')),
  fc.tuple(texts, guess).map(([x, g]) => `starts_with(${x}, ${g})`),
  fc.tuple(texts, guess).map(([x, g]) => `${x} in (${g}, 'none')`),
  fc.tuple(texts, fc.constantFrom("'%203%'", "'1%'", "'%@%'")).map(([x, p]) => `${x} like ${p}`),
  fc.tuple(texts, fc.integer({ min: 1, max: 40 })).map(([x, n]) => `length(${x}) > ${n}`),
  texts.map((x) => `safe_cast(substr(${x}, 1, 3) as int64) > 100`),
  texts.map((x) => `${x} is null`)
);

/** Always with an order over everything selected, so that equal stores give equal text. */
export const arbitraryAttack: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(texts, texts).map(([a, b]) => `select ${a} as a, ${b} as b from ${EDGE} order by a, b`),
  fc.tuple(texts, condition).map(([a, c]) => `select e.id, ${a} as a from ${EDGE} where ${c} order by e.id, a`),
  fc
    .tuple(texts, fc.integer({ min: 1, max: 4 }))
    .map(([a, n]) => `select distinct ${a} as a from ${EDGE} order by a limit ${n}`),
  fc
    .tuple(texts, condition)
    .map(([a, c]) => `select ${a} as a, count(*) as n, countif(${c}) as m from ${EDGE} group by a order by a`),
  texts.map((a) => `select min(${a}) as a, max(${a}) as b, count(distinct ${a}) as n from ${EDGE}`),
  fc
    .tuple(texts, texts)
    .map(
      ([a, b]) =>
        `select x.id, count(*) as n from (select e.id, ${a} as k from ${EDGE}) x join (select ${b} as k from ${EDGE}) y on x.k = y.k group by x.id order by x.id`
    ),
  fc
    .tuple(texts, condition)
    .map(
      ([a, c]) =>
        `with w as (select e.id, ${a} as k, e.event_message as raw from ${EDGE} where ${c}) select id, raw, substr(k, 2) as k from w union all select id, k, raw from w order by 1, 2, 3`
    ),
  fc
    .tuple(texts, texts)
    .map(
      ([a, b]) =>
        `select e.id, row_number() over (partition by ${a} order by ${b}, e.id, hop.n, one) as n from ${EDGE} order by 1, 2`
    )
);
