/** Words of LQL, finished or half-typed. */
import fc from 'fast-check';
import { readLqlWords } from '#compiler/browser';
import { printLql } from '#compiler/lql/encode/print-lql';
import { parseLql } from '#compiler/lql/parser/parse-lql';
import type { LqlQuery } from '#compiler/lql/rules';
import { arbitraryLql } from '../../../support/arbitrary/lql';

test.each([
  ['', []],
  [' f:logs  error\n-"two words" ', ['f:logs', 'error', '-"two words"']],
  ['"a \\" b" c', ['"a \\" b"', 'c']],
  ['m."user agent":x s:m."a b"@c', ['m."user agent":x', 's:m."a b"@c']],
  ['m.a:in(b, "c) d", e) f', ['m.a:in(b, "c) d", e)', 'f']],
  ['m.a:!=in(b, c) f', ['m.a:!=in(b, c)', 'f']],
  ['m.a:(b "c) f', ['m.a:(b "c)', 'f']],
  ['in(a b) m.a:~(b c)', ['in(a', 'b)', 'm.a:~(b', 'c)']],
  ['c:group_by($__timeGroup(timestamp, 5m)) x', ['c:group_by($__timeGroup(timestamp, 5m))', 'x']],
  ['m.a:(b c f:x', ['m.a:(b', 'c', 'f:x']],
  ['m.a:(b m.c:(d e) m.f:(g h', ['m.a:(b m.c:(d e)', 'm.f:(g', 'h']],
  ['m.a:in(b c f:x', ['m.a:in(b', 'c', 'f:x']],
  ['m.a:in(${v:csv}) $__timeFilter', ['m.a:in(${v:csv})', '$__timeFilter']],
  ['a "b c', ['a', '"b c']],
  ['m."b c', ['m."b c']],
  ['a"b c" d', ['a"b c"', 'd']],
  ['- a', ['-', 'a']],
])('the words of %s are %j', (text, expected) => {
  expect(readLqlWords(text).map((word) => word.text)).toEqual(expected);
});

test('a word has its keyword, path, operator and value', () => {
  expect(readLqlWords('from:"a b" -m.level:>=error ~"x" -word s:id')).toMatchObject([
    { keyword: 'from', path: ['from'], operator: ':', value: '"a b"', quoted: 'a b', isNegated: false },
    { path: ['metadata', 'level'], operator: ':>=', value: 'error', isNegated: true },
    { path: [], value: '~"x"', isNegated: false },
    { path: [], value: 'word', isNegated: true },
    { keyword: 'select', path: ['s'], value: 'id' },
  ]);
});

test('every character of any text is white space or in exactly one word', () => {
  const parts = fc.constantFrom(
    '"',
    '\\',
    '\\"',
    '(',
    ')',
    'in(',
    ':',
    ':!=',
    'm.',
    'a',
    'c:',
    'f:',
    't:',
    '-',
    '~',
    '@',
    ' ',
    ',',
    '😀',
    '$v'
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(parts).map((all) => all.join(''))
      ),
      (text) => {
        let covered = 0;
        for (const word of readLqlWords(text)) {
          expect(text.slice(covered, word.offset).replace(/\p{White_Space}/gu, '')).toBe('');
          expect(word.text).toBe(text.slice(word.offset, word.end));
          expect(word.end).toBeGreaterThan(word.offset);
          covered = word.end;
        }
        expect(text.slice(covered).replace(/\p{White_Space}/gu, '')).toBe('');
      }
    ),
    { numRuns: 1_000 }
  );
});

test('each word of a query is a clause that the parser accepts alone, with the same keyword', () => {
  fc.assert(
    fc.property(arbitraryLql, (tree) => {
      for (const { text, keyword } of readLqlWords(printLql(tree as unknown as LqlQuery))) {
        const { from, selects, filters, chart } = parseLql(text);
        expect([from && 'from', selects[0] && 'select', chart && 'chart', filters[0] && undefined]).toContain(keyword);
        expect((from ? 1 : 0) + selects.length + filters.length + (chart ? 1 : 0)).toBe(1);
      }
    }),
    { numRuns: 500 }
  );
});
