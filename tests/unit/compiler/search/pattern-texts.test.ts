import fc from 'fast-check';
import { RE2JS } from 're2js';
import { likePieces } from '#compiler/ir/search/like-pieces';
import { patternTexts, type PatternTexts } from '#compiler/ir/search/pattern-texts';

test.each([
  ['abc', 'abc'],
  ['abc|def', '(abc or def)'],
  ['abc.*def', '(abc and def)'],
  ['^abc\\.def$', 'abc.def'],
  ['ab?c', '(a and c)'],
  ['ab+c', '(ab and c)'],
  ['ab{2,3}c', '(ab and c)'],
  ['ab{0,3}c', '(a and c)'],
  ['x(abc)y', 'xabcy'],
  ['x(abc)+y', '(xabc and y)'],
  ['x(?:abc|def)y', '(x and (abc or def) and y)'],
  ['x(?:abc|)y', '(x and y)'],
  ['(?P<name>abc)d', 'abcd'],
  ['(?<name>abc)d', 'abcd'],
  ['(?i)abc', 'ABC'],
  ['(?i:abc)def', '(ABC and def)'],
  ['abc(?i)def', '(abc and DEF)'],
  ['(?i)abc(?-i)def', '(ABC and def)'],
  ['a(?i)b|c', '((a and B) or C)'],
  ['(a(?i)b)c', '((a and B) and c)'],
  ['(?s)abc', 'abc'],
  ['ab[xy]cd', '(ab and cd)'],
  ['ab[]x]cd', '(ab and cd)'],
  ['ab[^]x]cd', '(ab and cd)'],
  ['ab[[:alpha:]]cd', '(ab and cd)'],
  ['ab[[:alpha:]x\\]]cd', '(ab and cd)'],
  ['ab\\dcd', '(ab and cd)'],
  ['ab\\x41cd', '(ab and cd)'],
  ['ab\\x{1F600}cd', '(ab and cd)'],
  ['ab\\pLcd', '(ab and cd)'],
  ['ab\\p{Greek}cd', '(ab and cd)'],
  ['ab\\bcd', '(ab and cd)'],
  ['é😀+', 'é😀'],
  ['ab\\Qc.d\\E', 'unknown'],
  ['ab\\141', 'unknown'],
  ['abc|d*', 'unknown'],
  ['.*', 'unknown'],
  ['', 'unknown'],
  ['ab{x', 'unknown'],
])('the pattern %j needs %s', (pattern, needed) => {
  const found = patternTexts(pattern);
  expect(found === undefined ? 'unknown' : written(found)).toBe(needed);
});

/** Capitals are texts of any case. */
function written(texts: PatternTexts): string {
  if (texts.kind === 'piece') return texts.anyCase ? texts.text.toUpperCase() : texts.text;
  return `(${texts.of.map(written).join(texts.kind === 'all' ? ' and ' : ' or ')})`;
}

const atom = fc.constantFrom(
  'a',
  'B',
  'k',
  's',
  'é',
  '\\.',
  '.',
  '\\d',
  '[ab]',
  '[^a]',
  '[[:digit:]]',
  '^',
  '$',
  '\\b',
  '😀'
);
const { pattern } = fc.letrec<{ pattern: string; item: string; piece: string }>((tie) => ({
  item: fc.oneof(
    { weight: 4, arbitrary: atom },
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
    tie('pattern').map((inner) => `(?i:${inner})`),
    fc.constantFrom('(?i)', '(?-i)', '(?s)', '(?U)')
  ),
  piece: fc
    .tuple(tie('item'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,1}', '{1,}', '+?'))
    .map(([item, repeat]) => `${item}${/^\(\?-?[isU]\)$|^[\^$]$|^\\b$/.test(item) ? '' : repeat}`),
  pattern: fc
    .array(fc.array(tie('piece'), { maxLength: 4, depthIdentifier: 'p' }), {
      minLength: 1,
      maxLength: 2,
      depthIdentifier: 'p',
    })
    .map((branches) => branches.map((pieces) => pieces.join('')).join('|')),
}));

test('a text that a pattern matches has what the pattern needs', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'A', 'b', 'B', 'k', 'K', '\u212a', 's', 'ſ', 'é', 'É', '.', '1', '😀'),
    maxLength: 8,
  });
  let matches = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 20, maxLength: 20 }), (source, samples) => {
      const needed = patternTexts(source);
      if (needed === undefined) return;
      const compiled = RE2JS.compile(source);
      for (const sample of samples) {
        if (!compiled.matcher(sample).find()) continue;
        matches += 1;
        expect([source, sample, has(sample, needed)]).toEqual([source, sample, true]);
      }
    }),
    { numRuns: 2000 }
  );
  expect(matches).toBeGreaterThan(100);
});

function has(text: string, needed: PatternTexts): boolean {
  if (needed.kind !== 'piece') {
    return needed.kind === 'all' ? needed.of.every((one) => has(text, one)) : needed.of.some((one) => has(text, one));
  }
  return needed.anyCase ? folded(text).includes(folded(needed.text)) : text.includes(needed.text);
}

function folded(text: string): string {
  return text.toLowerCase().replaceAll('ſ', 's');
}

test.each([
  ['%abc%', ['abc'], false],
  ['abc', ['abc'], true],
  ['a%bc_d', ['a', 'bc', 'd'], false],
  ['a\\%b%', ['a%b'], false],
  ['a\\\\%', ['a\\'], false],
  ['%', [], false],
  ['', [], true],
])('the LIKE pattern %j needs %j', (like, pieces, isWhole) => {
  expect(likePieces(like)).toEqual({ pieces, isWhole });
});

test('a LIKE pattern that ends with a backslash needs nothing that is known', () => {
  expect(likePieces('abc\\')).toBeUndefined();
});
