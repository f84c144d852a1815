import fc from 'fast-check';
import { TOKEN_PATTERN } from '#contract/token';
import { createSecret, createTokenId, formatToken, holdsTokenText, parseToken } from '#server/tokens/token-text';

const newToken = () => formatToken({ id: createTokenId(), secret: createSecret() });

it('what is made is read back', () => {
  const parts = { id: createTokenId(), secret: createSecret() };
  const text = formatToken(parts);
  expect(text).toMatch(TOKEN_PATTERN);
  expect(parseToken(text)).toEqual(parts);
});

it('no two are alike', () => {
  expect(new Set(Array.from({ length: 200 }, newToken)).size).toBe(200);
});

it('one wrong character is noticed before any lookup', () => {
  const text = newToken();
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(...'aZ09'), (at, char) => {
      fc.pre(text[at] !== char);
      expect(parseToken(text.slice(0, at) + char + text.slice(at + 1))).toBeNull();
    })
  );
});

it('any other text is no token', () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => expect(parseToken(text)).toBeNull()));
});

it('is recognised inside other text, in any letter case and without its checksum', () => {
  const text = newToken();
  for (const hidden of [text, `a=${text}&b`, text.toUpperCase(), text.slice(0, -7)])
    expect(holdsTokenText(hidden)).toBe(true);
  expect(holdsTokenText('lqe_is_the_name_of_the_tool')).toBe(false);
});
