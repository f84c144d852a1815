/** Tokens of SQL with macros and variables, finished or half-typed. */
import fc from 'fast-check';
import { tokenizeTemplate } from '#compiler/browser';
import { tokenize } from '#compiler/sql/lexer/tokenize';
import { ACCEPTED } from '../../../support/cases/sql/parser';

const written = (text: string) => tokenizeTemplate(text).map((token) => `${token.kind} ${token.text}`);

test.each([
  ['$__timeFilter(ts)', ['variable $__timeFilter', 'operator (', 'word ts', 'operator )']],
  ['$__timeGroup(ts, 5m)', ['variable $__timeGroup', 'operator (', 'word ts', 'operator ,', 'period 5m', 'operator )']],
  ['${v:csv} [[v]] [[v:raw]] @p', ['variable ${v:csv}', 'variable [[v]]', 'variable [[v:raw]]', 'variable @p']],
  ['[[1]]', ['variable [[1]]']],
  ['[[a], b]', ['operator [', 'operator [', 'word a', 'operator ]', 'operator ,', 'word b', 'operator ]']],
  ['logs_$day', ['word logs_', 'variable $day']],
  ["'$v' r'${w}' `a$v`", ["string '$v'", "string r'${w}'", 'name `a$v`']],
  ["'${' || x || '}'", ["string '${'", 'operator ||', 'word x', 'operator ||', "string '}'"]],
  ["a -- it's\n# b\n/* c */", ['word a', "comment -- it's", 'comment # b', 'comment /* c */']],
])('%s has the tokens %j', (text, expected) => {
  expect(written(text)).toEqual(expected);
});

test.each([
  ["select 'abc from t", ['word select', "unclosed 'abc from t"]],
  ['select `a from t', ['word select', 'unclosed `a from t']],
  ['a /* b', ['word a', 'unclosed /* b']],
  ['a $ b', ['word a', 'unknown $', 'word b']],
  ['a = ${v', ['word a', 'operator =', 'unknown $', 'unknown {', 'word v']],
  ['1x + 2', ['unknown 1x', 'operator +', 'number 2']],
  ['99999999999999999999 + 2', ['unknown 99999999999999999999', 'operator +', 'number 2']],
  ["b'x' rb'y' y", ["bytes b'x'", "bytes rb'y'", 'word y']],
  ["1 b'x", ['number 1', "unclosed b'x"]],
  ['a 😀 b', ['word a', 'unknown 😀', 'word b']],
])('the half-typed or wrong %s has the tokens %j', (text, expected) => {
  expect(written(text)).toEqual(expected);
});

test('strings and names are decoded, and only keywords and operators have a symbol', () => {
  const tokens = tokenizeTemplate("Select m.limit, 'it''s', '''a\nb''', `x y`");
  expect(tokens.map(({ symbol, value }) => [symbol, value])).toEqual([
    ['SELECT', 'Select'],
    ['M', 'm'],
    ['.', '.'],
    ['', 'limit'],
    [',', ','],
    ['', "it's"],
    [',', ','],
    ['', 'a\nb'],
    [',', ','],
    ['', 'x y'],
  ]);
});

test.each(ACCEPTED.map(([, text]) => text))('the tokens are those of the lexer: %s', (text) => {
  const own = tokenizeTemplate(text).filter(({ kind }) => kind !== 'comment');
  expect(own.map(({ offset, end }) => [offset, end])).toEqual(
    tokenize(text)
      .filter(({ kind }) => kind !== 'end')
      .map(({ position }) => [position.offset, position.end])
  );
});

test('every character of any text is white space or in exactly one token', () => {
  const parts = fc.constantFrom(
    ...`' " \` '' ''' """ \\ \\x / * -- # $ {} [[ ]] [[v]] \${v} @ @@ . .. 1 1m 1e 0x a r b é 😀 \0 \n`.split(' '),
    ' '
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(parts).map((all) => all.join(''))
      ),
      (text) => {
        let covered = 0;
        for (const token of tokenizeTemplate(text)) {
          expect(text.slice(covered, token.offset).replace(/[\s\u0085]/g, '')).toBe('');
          expect(token.text).toBe(text.slice(token.offset, token.end));
          expect(token.end).toBeGreaterThan(token.offset);
          covered = token.end;
        }
        expect(text.slice(covered).replace(/[\s\u0085]/g, '')).toBe('');
      }
    ),
    { numRuns: 1_000 }
  );
});

test('a long text of anything has few tokens of which nothing is known', () => {
  for (const part of ['${', '$', '§', '@@', '[[', "\\'", '1x '])
    expect(tokenizeTemplate(part.repeat(100_000)).filter(({ kind }) => kind === 'unknown').length).toBeLessThan(200);
});
