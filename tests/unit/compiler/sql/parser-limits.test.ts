/** Each limit accepts a text at it and refuses one beyond it, with work in proportion to the length of the text. */
import { ServiceError } from '#contract/errors';
import { AD_HOC_LIMITS, DEFINITION_LIMITS, type ParseLimits } from '#compiler/sql/parse-limits';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';
import { printCanonical } from '#compiler/sql/canonical/print-canonical';
import { LINEAR_MS, processorMs } from '../../../support/jest/processor-time';

const times = (count: number, text: string, separator = '') =>
  Array.from({ length: count }, () => text).join(separator);
const numbered = (count: number, text: (index: number) => string, separator: string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(separator);

interface LimitCase {
  readonly limit: keyof ParseLimits;
  readonly build: (size: number) => string;
  readonly largest: number;
  readonly message: string;
}

const CASES: readonly LimitCase[] = [
  {
    limit: 'maxBytes',
    build: (size) => `SELECT 1${times(size - 8, ' ')}`,
    largest: 65_536,
    message: 'the query is longer than 65,536 bytes',
  },
  {
    limit: 'maxBytes',
    build: (size) => `SELECT '${times(size / 2, 'é')}'`,
    largest: 65_526,
    message: 'the query is longer than 65,536 bytes',
  },
  {
    limit: 'maxDepth',
    build: (size) => `SELECT ${times(size - 2, '(')}1${times(size - 2, ')')}`,
    largest: 60,
    message: 'the query is nested more than 60 levels deep',
  },
  {
    limit: 'maxDepth',
    build: (size) => `SELECT ${times(size - 2, 'NOT ')}a`,
    largest: 60,
    message: 'the query is nested more than 60 levels deep',
  },
  {
    limit: 'maxDepth',
    build: (size) => `SELECT a${times(size - 2, '[0]')}`,
    largest: 60,
    message: 'the query is nested more than 60 levels deep',
  },
  {
    limit: 'maxDepth',
    build: (size) => `${times(size - 1, '(')}SELECT 1${times(size - 1, ')')}`,
    largest: 59,
    message: 'the query is nested more than 60 levels deep',
  },
  {
    limit: 'maxDepth',
    build: (size) => `SELECT 1 FROM t${times(size - 1, ', UNNEST(a)')}`,
    largest: 59,
    message: 'the query is nested more than 60 levels deep',
  },
  {
    limit: 'maxNodes',
    build: (size) => `SELECT 1${times((size - 4) / 2, ' + 1')}`,
    largest: 5_000,
    message: 'the query has more than 5,000 parts',
  },
  {
    limit: 'maxNodes',
    build: (size) => `SELECT a${times(size - 5, '.a')}`,
    largest: 5_000,
    message: 'the query has more than 5,000 parts',
  },
  {
    limit: 'maxJoins',
    build: (size) => `SELECT 1 FROM t${times(size, ' CROSS JOIN t')}`,
    largest: 10,
    message: 'the query has more than 10 joins',
  },
  {
    limit: 'maxJoins',
    build: (size) => `SELECT 1 FROM t${times(size, ', t')}`,
    largest: 10,
    message: 'the query has more than 10 joins',
  },
  {
    limit: 'maxJoins',
    build: (size) => `SELECT 1 FROM t${times(size, ', UNNEST(GENERATE_ARRAY(1, 1000))')}`,
    largest: 10,
    message: 'the query has more than 10 joins',
  },
  {
    limit: 'maxSetBranches',
    build: (size) => times(size, 'SELECT 1', ' UNION ALL '),
    largest: 20,
    message: 'the query has more than 20 branches in set operations',
  },
  {
    limit: 'maxSetBranches',
    build: (size) => times(size / 2, '(SELECT 1 UNION ALL SELECT 2)', ', ').replace(/^/, 'SELECT '),
    largest: 20,
    message: 'the query has more than 20 branches in set operations',
  },
  {
    limit: 'maxSubqueries',
    build: (size) => `SELECT ${times(size / 2, '(SELECT 1) IN (SELECT 1)', ', ')}`,
    largest: 100,
    message: 'the query has more than 100 subqueries in expressions',
  },
  {
    limit: 'maxSubqueries',
    build: (size) => `SELECT ${times(size / 2, 'EXISTS(SELECT 1), ARRAY(SELECT 1)', ', ')}`,
    largest: 100,
    message: 'the query has more than 100 subqueries in expressions',
  },
  {
    limit: 'maxInItems',
    build: (size) => `SELECT a IN (${times(size, '1', ', ')})`,
    largest: 1_000,
    message: 'the query has more than 1,000 values in one IN list',
  },
  {
    limit: 'maxOutputColumns',
    build: (size) => `SELECT ${times(size, 'a', ', ')} FROM t`,
    largest: 200,
    message: 'the query has more than 200 columns',
  },
  {
    limit: 'maxCommonTables',
    build: (size) => `WITH ${numbered(size, (index) => `c${index} AS (SELECT 1)`, ', ')} SELECT 1`,
    largest: 20,
    message: 'the query has more than 20 WITH queries',
  },
];

test.each(CASES)('the limit on $limit is $largest', ({ limit, build, largest, message }) => {
  expect(() => parseStatement(build(largest))).not.toThrow();
  // Some texts grow by two at a time.
  const error = failure(() => parseStatement(build(largest + 2)));
  expect(error).toMatchObject({
    code: 'query_too_complex',
    message,
    details: { reason: 'too_complex', limit, maximum: AD_HOC_LIMITS[limit] },
  });
});

test('opened fields do not count as joins', () => {
  const opened = times(15, ' CROSS JOIN UNNEST(m.request) AS r') + times(15, ', m.headers AS h');
  expect(() => parseStatement(`SELECT 1 FROM t${opened}`)).not.toThrow();
});

test('saved queries may be larger than ad-hoc texts', () => {
  const text = `WITH ${numbered(50, (index) => `c${index} AS (SELECT 1 FROM a, b)`, ', ')} SELECT 1`;
  expect(() => parseStatement(text)).toThrow(ServiceError);
  expect(() => parseStatement(text, DEFINITION_LIMITS)).not.toThrow();
});

test('a chain of 2,000 operators does not count as depth', () => {
  const chain = `SELECT ${numbered(2_000, (index) => `c${index}`, ' AND ')} FROM t`;
  const tree = parseStatement(chain, { ...AD_HOC_LIMITS, maxNodes: 10_000 });
  expect(printCanonical(tree)).toBe(chain);
  expect(parseStatement(`SELECT ${times(2_400, '1', ' || ')}`)).toBeDefined();
});

const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ...[
    '(',
    '[',
    '((',
    '-',
    '+',
    '~',
    'NOT ',
    '- ',
    'f(',
    'STRUCT(',
    'CAST(',
    'ARRAY(SELECT ',
    'ARRAY[',
    '(SELECT ',
    'EXISTS(',
    'CASE WHEN ',
    'CASE ',
    'IF(',
    'a IN (',
    'a IN ((',
    'a BETWEEN ',
    'INTERVAL ',
    'EXTRACT(DAY FROM ',
    'a[',
    'a[OFFSET(',
    'a.',
    'a::',
    'SAFE.',
    'f(DISTINCT ',
    'f(x ORDER BY ',
    'f() OVER (ORDER BY ',
    '(1, ',
    '((SELECT 1) + ',
  ].map((piece) => [`expression ${piece}`, `SELECT ${times(5_000, piece)}`] as const),
  ...[
    '(',
    '((SELECT 1) UNION ALL ',
    '(SELECT * FROM ',
    'UNNEST(',
    'a JOIN ',
    'a, ',
    '(a JOIN ',
    '(a, (',
    'a.',
    'a LEFT JOIN (',
  ].map((piece) => [`from ${piece}`, `SELECT * FROM ${times(5_000, piece)}`] as const),
  ...[
    '(',
    'WITH a AS (',
    'WITH a AS (SELECT 1), ',
    'SELECT 1 UNION ALL ',
    'SELECT ',
    ';',
    '(SELECT 1) UNION ALL (',
  ].map((piece) => [`statement ${piece}`, times(3_000, piece)] as const),
  ...[
    "'",
    '"',
    '`',
    "'''",
    '/*',
    '/**',
    '--\n',
    '#\n',
    '\\',
    "'\\",
    '@',
    '@@',
    '1',
    '.',
    '1.',
    '0x',
    '*',
    "r'",
    '\n',
    '\u2028',
    '/* */',
  ].map((piece) => [`characters ${JSON.stringify(piece)}`, times(20_000, piece).slice(0, 65_000)] as const),
  ['an open string with escapes', `SELECT '${times(30_000, '\\n')}`],
  ['an open comment with stars', `/*${times(60_000, '*')}`],
  ['digits', `SELECT ${times(60_000, '9')}`],
  ['a long word', times(60_000, 'a')],
];

test.each(HOSTILE)('%s is refused, after work in proportion to its length', (_name, text) => {
  expect(failure(() => parseStatement(text))).toBeInstanceOf(ServiceError);
  expect(processorMs(() => failure(() => parseStatement(text)), LINEAR_MS)).toBeLessThan(LINEAR_MS);
});

test.each([
  ['STRUCT(', ')'],
  ['CAST(', ' AS STRING)'],
  ['ARRAY(SELECT ', ')'],
  ['[', ']'],
  ['(SELECT ', ')'],
  ['(', ')'],
  ['f(', ')'],
  ['CASE WHEN ', ' THEN 1 END'],
])('20 levels of %s are read without trying any level twice', (open, close) => {
  const text = `SELECT ${times(20, open)}1${times(20, close)}`;
  expect(processorMs(() => parseStatement(text), LINEAR_MS)).toBeLessThan(LINEAR_MS);
});

function failure(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
