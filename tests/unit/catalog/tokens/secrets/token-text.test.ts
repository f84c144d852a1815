import fc from 'fast-check';
import { TOKEN_PATTERN } from '#contract/tokens/token';
import {
  createSecret,
  createTokenId,
  formatToken,
  hideTokenTexts,
  holdsTokenText,
  parseToken,
} from '#server/catalog/tokens/secrets/token-text';

const newToken = () => formatToken({ id: createTokenId(), secret: createSecret() });

it('a new token is read back', () => {
  const parts = { id: createTokenId(), secret: createSecret() };
  const text = formatToken(parts);
  expect(text).toMatch(TOKEN_PATTERN);
  expect(parseToken(text)).toEqual(parts);
});

it('no two tokens are alike', () => {
  expect(new Set(Array.from({ length: 200 }, newToken)).size).toBe(200);
});

it('a token with one wrong character is refused before any lookup', () => {
  const text = newToken();
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(...'aZ09'), (at, char) => {
      fc.pre(text[at] !== char);
      expect(parseToken(text.slice(0, at) + char + text.slice(at + 1))).toBeNull();
    })
  );
});

it('any other text is not a token', () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => expect(parseToken(text)).toBeNull()));
});

it('a token inside other text is recognized, in any letter case and without its checksum', () => {
  const text = newToken();
  for (const hidden of [text, `a=${text}&b`, text.toUpperCase(), text.slice(0, -7)])
    expect(holdsTokenText(hidden)).toBe(true);
  expect(holdsTokenText('lqe_is_the_name_of_the_tool')).toBe(false);
});

/** Each character as it is, or as an escape that is escaped up to that many times again, in upper or lower case. */
const escaped = (text: string) =>
  fc
    .array(fc.record({ times: fc.nat(3), upper: fc.boolean() }), { minLength: text.length, maxLength: text.length })
    .map((ways) =>
      [...text]
        .map((char, at) => {
          const { times, upper } = ways[at]!;
          const digits = char.charCodeAt(0).toString(16);
          return times === 0 ? char : `%${'25'.repeat(times - 1)}${upper ? digits.toUpperCase() : digits}`;
        })
        .join('')
    );

it('a token is recognized and hidden however its characters are percent-encoded', () => {
  const text = newToken();
  fc.assert(
    fc.property(escaped(text), (hidden) => {
      expect(holdsTokenText(`/a/${hidden}?b=c`)).toBe(true);
      expect(hideTokenTexts(`/a/${hidden}?b=c`)).toBe('/a/lqe_[hidden]?b=c');
    })
  );
});

it('a token whose end was cut off is hidden, and all of them when there are several', () => {
  const text = newToken();
  expect(hideTokenTexts(`x ${text.slice(0, 30)}`)).toBe('x lqe_[hidden]');
  expect(hideTokenTexts(`${text} and "${newToken()}".`)).toBe('lqe_[hidden] and "lqe_[hidden]".');
  expect(hideTokenTexts('lqe_is_the_name_of_the_tool, 100%25')).toBe('lqe_is_the_name_of_the_tool, 100%25');
});

it('searching for tokens takes linear time', () => {
  for (const text of [
    '%25'.repeat(100_000),
    `%${'25'.repeat(100_000)}`,
    'lqe_'.repeat(100_000),
    'l%2571'.repeat(50_000),
  ])
    expect(hideTokenTexts(text)).toBe(text);
});
