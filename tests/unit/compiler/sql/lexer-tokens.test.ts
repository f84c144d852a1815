/** Tokens with their kinds, values and positions. */
import { tokenize } from '#compiler/sql/lexer/tokenize';

const places = (text: string) =>
  tokenize(text).map(({ value, position: { line, column, offset, end } }) => [value, line, column, offset, end]);

test('each kind of token has its value, and only words and operators have a symbol', () => {
  const seen = tokenize('Select `a b` \'x\' 1 0x10 1.50 @P <> "y"').map(({ kind, symbol, value }) => [
    kind,
    symbol,
    value,
  ]);
  expect(seen).toEqual([
    ['word', 'SELECT', 'Select'],
    ['quoted-name', '', 'a b'],
    ['string', '', 'x'],
    ['integer', '', '1'],
    ['integer', '', '16'],
    ['float', '', '1.50'],
    ['parameter', '', 'P'],
    ['operator', '<>', '<>'],
    ['string', '', 'y'],
    ['end', '', ''],
  ]);
});

test('lines end with LF, CR LF or CR, and columns count UTF-16 code units', () => {
  expect(places("a\nb\r\nc\rd\n\n'😀' e")).toEqual([
    ['a', 1, 1, 0, 1],
    ['b', 2, 1, 2, 3],
    ['c', 3, 1, 5, 6],
    ['d', 4, 1, 7, 8],
    ['😀', 6, 1, 10, 14],
    ['e', 6, 6, 15, 16],
    ['', 6, 7, 16, 16],
  ]);
});

test('a tab counts as one column', () => {
  expect(places('\ta')).toEqual([
    ['a', 1, 2, 1, 2],
    ['', 1, 3, 2, 2],
  ]);
});

test('a token may span lines, and the next token has the right position', () => {
  expect(places("'''a\nb''' c")).toEqual([
    ['a\nb', 1, 1, 0, 9],
    ['c', 2, 6, 10, 11],
    ['', 2, 7, 11, 11],
  ]);
});

test('the lines of a text end with LF, however they end in the query', () => {
  expect(places("'''a\r\nb\rc\n\rd'''")).toEqual([
    ['a\nb\nc\n\nd', 1, 1, 0, 15],
    ['', 5, 5, 15, 15],
  ]);
  expect(tokenize("b'''a\r\n'''")[0]).toMatchObject({ value: '610a' });
});

test.each(['\u00a0', '\ufeff', '\u0085', '\u2003', '\u3000', '\u2028', '\v', '\f'])(
  'the blank %j separates tokens',
  (blank) => {
    expect(tokenize(`${blank}a${blank}b${blank}`).map(({ value }) => value)).toEqual(['a', 'b', '']);
  }
);

test.each([
  ['-- x', ''],
  ['# x', ''],
  ['/* x */', ''],
  ['/**/', ''],
  ['/* * / ** */', ''],
  ['/* -- */ a', 'a'],
  ['-- /*\na', 'a'],
  ['# it\'s "\r\na', 'a'],
  ["--'\ra", 'a'],
])('the comment %j leaves %j', (text, value) => {
  expect(tokenize(text)[0]?.value).toBe(value);
});

test('comment signs in strings and names are text', () => {
  expect(tokenize("'-- a' '/*' `#`").map(({ value }) => value)).toEqual(['-- a', '/*', '#', '']);
});

test.each([
  [':: : := ||', ['::', ':', ':=', '||']],
  ['<=<=>=<>', ['<=', '<=>', '=', '<>']],
  ['->>->', ['->>', '->']],
  ['a.b[0]', ['a', '.', 'b', '[', '0', ']']],
  ['t.*', ['t', '.', '*']],
  ['1.+.5', ['1.', '+', '.5']],
])('%s is split into the longest operators', (text, values) => {
  expect(tokenize(text).map(({ value }) => value)).toEqual([...values, '']);
});

test.each([
  ['a\0b', 1, 2, 'the NUL character'],
  ["'\0'", 1, 2, 'the NUL character'],
  ['-- a\n-- \0', 2, 4, 'the NUL character'],
  ["'\ud83d'", 1, 2, 'half of a surrogate pair'],
  ['\udc00', 1, 1, 'half of a surrogate pair'],
  ["'\ude00\ud83d'", 1, 2, 'half of a surrogate pair'],
])('%j is refused at every place', (text, line, column, what) => {
  expect(() => tokenize(text)).toThrow(
    expect.objectContaining({
      code: 'sql_syntax',
      message: `a text cannot hold ${what}`,
      details: { reason: 'syntax', position: { line, column } },
    })
  );
});

test.each([
  ['\u200b', 'U+200B'],
  ['\u0007', 'U+0007'],
  ['€', '"€"'],
  ['😀', '"😀"'],
])('%j starts no token', (text, shown) => {
  expect(() => tokenize(text)).toThrow(`unexpected character ${shown}`);
});
