/** Texts at each limit, and one step beyond it. */
import { ServiceError } from '#contract/errors';
import { LQL_LIMITS } from '#compiler/lql/limits';
import { parseLql } from '#compiler/lql/parser/parse-lql';

function reasonOf(text: string): unknown {
  try {
    parseLql(text);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.code, error.details.reason, error.details['maximum']];
  }
}

const times = (count: number, make: (index: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);

const TOO_MANY = (maximum: number) => ['query_too_complex', 'too_many_clauses', maximum];
const TOO_LONG = ['query_too_complex', 'too_long', 8192];

test.each([
  ['100 clauses', times(100, () => 'a'), null],
  ['101 clauses', times(101, () => 'a'), TOO_MANY(100)],
  ['50 select clauses', times(50, (n) => `s:a${n}`), null],
  ['51 select clauses', times(51, (n) => `s:a${n}`), TOO_MANY(50)],
  ['51 equal select clauses', times(51, () => 's:a'), TOO_MANY(50)],
  ['10 aggregates', times(10, (n) => `c:sum(a${n})`), null],
  ['11 aggregates', times(11, (n) => `c:sum(a${n})`), TOO_MANY(10)],
  ['11 equal aggregates', times(11, () => 'c:sum(a)'), null],
  ['8 KiB', 'a'.repeat(8192), null],
  ['a byte more', 'a'.repeat(8193), TOO_LONG],
  ['8 KiB of two-byte characters', 'é'.repeat(4096), null],
  ['a character more', 'é'.repeat(4097), TOO_LONG],
  ['white space counts', `a${' '.repeat(8192)}`, TOO_LONG],
  ['32 parts of a path', `${times(32, () => 'a', '.')}:1`, null],
  ['33 parts of a path', `${times(33, () => 'a', '.')}:1`, ['sql_syntax', 'bad_path', undefined]],
  ['a path as long as a text', `${times(4000, () => 'a', '.')}:1`, ['sql_syntax', 'bad_path', undefined]],
  ['1000 values', `a:in(${times(1000, () => '1', ',')})`, null],
  ['1001 values', `a:in(${times(1001, () => '1', ',')})`, ['query_too_complex', 'too_many_clauses', undefined]],
  ['a regular expression of 1 KiB', `~${'a'.repeat(1024)}`, null],
  ['a regular expression of a byte more', `~${'a'.repeat(1025)}`, ['query_invalid', 'bad_regex', undefined]],
])('%s: the limits accept or refuse it', (_name, text, expected) => {
  expect(reasonOf(text)).toEqual(expected);
});

test.each([
  ['backslashes in an open quote', `"${'\\'.repeat(8000)}`, 'unclosed_quote'],
  ['escaped quotes in an open quote', `"${'\\"'.repeat(4000)}`, 'unclosed_quote'],
  ['open parentheses', `m.x:${'('.repeat(8000)}`, 'unclosed_paren'],
  ['open lists', `m.x:in(${'in('.repeat(2600)}`, 'bad_value'],
  ['open groups of a pattern', `~${'('.repeat(1000)}`, 'bad_regex'],
  ['repeated repetitions of a pattern', `~${'(a{2}'.repeat(100)}${'){2}'.repeat(100)}`, 'bad_regex'],
  ['a large text that repeats', `~"(${'a'.repeat(900)}){1000}"`, 'bad_regex'],
  ['a large repetition', '~((((a{30}){30}){30}){30})', 'bad_regex'],
  ['dots', `${'.'.repeat(8000)}:1`, 'bad_field'],
  ['braces', `t:${'{01..02}'.repeat(1000)}`, 'bad_time'],
  ['digits', `t:${'1'.repeat(8000)}`, 'bad_time'],
  ['a range of dots', `t:${'..'.repeat(4000)}`, 'bad_time'],
])('%s are refused at once', (_name, text, reason) => {
  expect(reasonOf(text)).toMatchObject([expect.any(String), reason, undefined]);
});

test('the limits are those of the reference documentation', () => {
  expect(LQL_LIMITS).toMatchObject({ maxBytes: 8192, maxClauses: 100, maxSelects: 50, maxAggregates: 10 });
});

test.each(['', ' ', '\t\r\n\u00a0'])('a text without clauses is empty', (text) => {
  expect(reasonOf(text)).toEqual(['sql_empty', 'query_empty', undefined]);
});

test.each([
  ['a\0b', 1],
  ['a "\ud800"', 3],
  ['\udc00', 0],
])('a text that no store can hold is refused', (text, offset) => {
  expect(() => parseLql(text)).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ reason: 'syntax', offset }) })
  );
});
