/** Arbitrary LQL trees, and texts that look like LQL. */
import fc from 'fast-check';
import { AGGREGATES, LEVELS } from '#compiler/lql/rules';
import { classifyBare } from '#compiler/lql/parser/classify';
import { MAX_DAYS, MAX_MICROS, MIN_DAYS, MIN_MICROS } from '#compiler/time/parse-iso';

const AT = { offset: 0, end: 0, line: 1, column: 1 };
const placed = <T extends object>(value: T) => ({ ...value, position: AT });

/** Any text that a value may hold: quotes, backslashes, backticks, comment marks, line breaks, other scripts. */
export const arbitraryValueText = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom('"', '\\', '`', "'", '--', '/*', ';', '#', '\n', '\t', ' ', ')', '..', ':', '~', 'é'),
      maxLength: 6,
    }),
    fc.constantFrom(
      'NULL',
      'true',
      'false',
      '200',
      '-5',
      '1e3',
      '2026-03-17',
      '',
      '1..5',
      'in(a)',
      "' OR 1=1 --",
      '\u2028'
    )
  )
  .filter((text) => !/[\0\p{Surrogate}]/u.test(text));

const segment = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,5}$/),
  arbitraryValueText.filter((text) => text !== '')
);
const plainSegment = fc.stringMatching(/^[a-z_][a-z0-9_]{0,5}$/);
const part = (name: string) => placed({ name, quoted: true });

/** Paths as they stand in select and chart clauses, where the first name may be in quotes. */
const anyPath = fc.array(segment, { minLength: 1, maxLength: 3 }).map((names) => placed({ parts: names.map(part) }));
/** Paths of filters. `m` and `t` alone mean something else. */
const filterPath = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: plainSegment },
      { weight: 1, arbitrary: fc.constantFrom('f', 'from', 's', 'select', 'c', 'chart') }
    ),
    fc.array(segment, { maxLength: 2 })
  )
  .map(([first, rest]) => [first === 'm' && rest.length > 0 ? 'metadata' : first, ...rest])
  .filter(([first, ...rest]) => rest.length > 0 || !/^(?:t|timestamp)$/.test(first ?? ''))
  .map((names) => placed({ parts: names.map(part) }));

const text = arbitraryValueText.map((value) => placed({ text: value }));
const stringScalar = arbitraryValueText.map((value) => placed({ type: 'string' as const, text: value }));
const numberText = fc.oneof(
  fc.integer().map(String),
  fc.tuple(fc.integer(), fc.nat(9999)).map(([a, b]) => `${a}.${b}`),
  fc.constantFrom('1e3', '-2.5E-7')
);
const bareScalar = fc
  .oneof(numberText, fc.constantFrom('true', 'false', '2026-03-17', '2026-03-17T10:00:00+01:00'))
  .map((value) => classifyBare(value, AT));
const scalar = fc.oneof(stringScalar, bareScalar);
const comparison = fc.constantFrom('=', '>', '>=', '<', '<=');
const pattern = fc.constantFrom('error', '^a b$', '\\d+"', '(?i)x', '').map((value) => placed({ text: value }));

const fieldTest = fc.oneof(
  fc.record({ kind: fc.constant('compare'), operator: comparison, value: scalar }),
  fc
    .tuple(numberText, numberText)
    .map(([low, high]) => ({ kind: 'range', low: classifyBare(low, AT), high: classifyBare(high, AT) })),
  fc.record({ kind: fc.constant('in'), items: fc.array(scalar, { minLength: 1, maxLength: 4 }) }).map(placed),
  fc.constant({ kind: 'null' }),
  fc.record({ kind: fc.constant('regex'), pattern }),
  fc.record({ kind: fc.constant('includes'), value: scalar }),
  fc.record({ kind: fc.constant('includes-regex'), pattern })
);
const level = fc.constantFrom(...LEVELS);
const levelFilter = fc.record({ negated: fc.boolean(), low: level, high: level }).map(({ negated, low, high }) =>
  placed({
    kind: 'field',
    negated,
    path: placed({ parts: [part('metadata'), part('level')] }),
    test: placed({ kind: 'levels', low, high }),
  })
);

const point = fc.oneof(
  fc.bigInt({ min: MIN_DAYS, max: MAX_DAYS }).map((days) => ({ kind: 'day', days })),
  fc.bigInt({ min: MIN_MICROS, max: MAX_MICROS }).map((micros) => ({ kind: 'instant', micros }))
);
const unit = fc.constantFrom('second', 'minute', 'hour', 'day', 'week', 'month', 'year');
const timeTest = fc.oneof(
  fc.record({
    kind: fc.constant('compare'),
    operator: comparison,
    point: fc.oneof(point, fc.constant({ kind: 'now' })),
  }),
  fc.record({ kind: fc.constant('range'), low: point, high: point }),
  fc.constantFrom({ kind: 'today' }, { kind: 'yesterday' }),
  fc.record({ kind: fc.constant('this'), unit }),
  fc.record({ kind: fc.constant('last'), count: fc.nat(9999), unit })
);

const negated = fc.boolean();
const filter = fc.oneof(
  fc.record({ kind: fc.constant('message'), negated, test: fc.constant('contains'), text }).map(placed),
  fc.record({ kind: fc.constant('message'), negated, test: fc.constant('regex'), text: pattern }).map(placed),
  fc.record({ kind: fc.constant('field'), negated, path: filterPath, test: fieldTest }).map(placed),
  levelFilter,
  fc.record({ kind: fc.constant('time'), negated, test: timeTest.map(placed) }).map(placed)
);

const aliasName = fc.stringMatching(/^[a-z_][a-z0-9_]{0,5}$/);
const select = fc.oneof(
  fc.record({ path: anyPath, alias: fc.option(aliasName.map(part)) }),
  fc.constant({ path: null, alias: null })
);
const chart = fc.record({
  aggregates: fc.uniqueArray(
    fc.oneof(
      fc.record({ aggregate: fc.constantFrom(...AGGREGATES), path: anyPath }),
      fc.constantFrom({ aggregate: 'count', path: null }, { aggregate: 'countd', path: null })
    ),
    { minLength: 1, maxLength: 4, selector: (rule) => JSON.stringify(rule) }
  ),
  bucket: fc.oneof(
    fc.record({
      count: fc.integer({ min: 1, max: 9999 }),
      unit: fc.constantFrom('second', 'minute', 'hour', 'day', 'week'),
    }),
    fc.record({ count: fc.constant(1), unit: fc.constantFrom('month', 'year') })
  ),
  groups: fc.uniqueArray(anyPath, { maxLength: 2, selector: (path) => JSON.stringify(path) }),
});

/** A tree that `parseLql` can give, without places. */
export const arbitraryLql = fc
  .record({
    from: fc.option(arbitraryValueText.filter((name) => name !== '').map((name) => placed({ name: part(name) }))),
    selects: fc.uniqueArray(select, { maxLength: 4, selector: (rule) => JSON.stringify(rule) }),
    filters: fc.array(filter, { maxLength: 6 }),
    chart: fc.option(chart),
  })
  .filter(({ from, selects, filters, chart: c }) => from !== null || c !== null || selects.length + filters.length > 0)
  .map(placed);

/** Clauses and pieces of clauses in any order. */
export const arbitraryLqlText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'f:',
        's:',
        'c:',
        't:',
        'm.',
        'm.level',
        ':',
        ':>',
        ':~',
        ':@>',
        ':!=',
        '-',
        '~',
        '"',
        '(',
        ')',
        '..',
        ' '
      ),
      fc.constantFrom(
        'count(*)',
        'group_by(t::5m)',
        'avg(m.x)',
        'in(',
        'NULL',
        'last@5m',
        '2026-03-17',
        '{01..02}',
        '@',
        '*',
        ','
      ),
      fc.constantFrom('error', 'edge_logs', 'id', '42', '\\"', '\\', '\n', 'é', '\u{1f600}', '\u0000', '\ud800'),
      arbitraryValueText
    ),
    { maxLength: 12 }
  )
  .map((parts) => parts.join(''));
