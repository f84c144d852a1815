/** @slow 10 */
import { REDACTION_KINDS, type RedactionKind } from '#contract/redaction';
import { createRedactor } from '#server/engine/redaction/redact-value';
import { processorMs } from '../../../support/jest/processor-time';
import { readRedactionTexts } from '../../../support/redaction/texts';

const TEXTS = readRedactionTexts();
const { text: redact, forValue } = createRedactor(REDACTION_KINDS);

test.each(TEXTS)('$text', ({ text, redacted }) => {
  expect(redact(text)).toBe(redacted);
  expect(redact(redacted)).toBe(redacted);
});

test('a text in a record is redacted like the text alone', () => {
  const record = forValue('metadata', { kind: 'RECORD_TEXT', single: true })!;
  for (const { text, redacted } of TEXTS) {
    expect(JSON.parse(record(JSON.stringify({ a: text, b: [text] })) as string)).toEqual({
      a: redacted,
      b: [redacted],
    });
  }
});

test('only the kinds of the policy are hidden', () => {
  const all = '1.2.3.4 bob@example.com AKIAIOSFODNN7EXAMPLE 4111111111111111';
  const left = (kinds: readonly RedactionKind[]) => createRedactor(kinds).text(all);
  expect(left(['ip'])).toBe('[REDACTED:ip] bob@example.com AKIAIOSFODNN7EXAMPLE 4111111111111111');
  expect(left(['card', 'email'])).toBe('1.2.3.4 [REDACTED:email] AKIAIOSFODNN7EXAMPLE [REDACTED:card]');
});

/** What makes searches slow: long runs that nearly match. */
const HOSTILE = [
  '1.',
  '1.1.1.',
  ':',
  'a:',
  '::',
  'a::',
  '@',
  'a@',
  'a@a.',
  '%40',
  '%',
  '\\u0031',
  '1',
  '4 ',
  '41',
  '-',
  'eyJ',
  'eyJa.',
  '-eyJ',
  'Bearer ',
  'bearer a',
  '://',
  '://a:',
  'password=',
  'sk-',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  'xoxb-',
  '"',
  '\\',
  '{"',
  'ip-1-',
  'cookie:(',
  'cookie:[REDACTED:ip]',
  'cookie:a="',
  'cookie:a=";',
  'token="',
  'token=a="',
  `token=${'x'.repeat(34)}`,
  `token:expired${'!'.repeat(21)}`,
  'pwd=/',
  'authorization: token a="b",',
  'authorization: abc a=',
  'authorization: denied a="',
];

test.each(HOSTILE)('the work depends on the length of a text alone: %j', (piece) => {
  const workMs = (length: number, enoughMs?: number): number => {
    const text = piece.repeat(Math.ceil(length / piece.length));
    // Threads of the garbage collector count, too: runs go on until it is done with what other tests have left.
    return processorMs(() => redact(text), enoughMs, enoughMs === undefined ? 3 : 20);
  };
  workMs(50_000);
  // Eight times the text: 64 times the work where it grows with the square.
  const bound = Math.max(workMs(125_000), 1) * 32;
  expect(workMs(1_000_000, bound)).toBeLessThan(bound);
});
