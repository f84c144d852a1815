/**
 * Patterns for stores, run by an RE2 in this process: what a hint skips would not have been redacted.
 *
 * @slow 10
 */
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { REDACTION_KINDS } from '#contract/redaction';
import type { RedactionRules } from '#compiler';
import { LETTERS } from '#server/engine/redaction/detectors/email';
import { sourceRedaction } from '#server/engine/redaction/source-redaction';
import { fcRuns } from '../../../support/jest/fc-runs';
import { credentialText } from '../../../support/redaction/arbitrary-credential';
import { hardText } from '../../../support/redaction/arbitrary-text';
import { readRedactionTexts } from '../../../support/redaction/texts';

const by = sourceRedaction({ kinds: REDACTION_KINDS })!;
const hard = fc.oneof(
  hardText,
  credentialText.map(({ text }) => text)
);

/** Steps with compiled patterns; `applies` follows the hints as a store does. */
function compiled({ hint, steps }: RedactionRules) {
  const all = RE2JS.compile(hint);
  const ready = steps.map((step) => ({
    hint: step.hint === null ? null : RE2JS.compile(step.hint),
    rules: step.rules.map(({ pattern, replacement }) => ({
      pattern: RE2JS.compile(pattern),
      replacement: replacement.replace(/\\(\d)/g, '$$$1'),
    })),
  }));
  const run = (text: string, isSkipped: (step: RE2JS | null) => boolean): string =>
    ready
      .filter((step) => !isSkipped(step.hint))
      .flatMap(({ rules }) => rules)
      .reduce((rest, { pattern, replacement }) => pattern.matcher(rest).replaceAll(replacement), text);
  return {
    hint: all,
    whole: (text: string) => run(text, () => false),
    withHints: (text: string) =>
      all.matcher(text).find() ? run(text, (hint) => hint !== null && !hint.matcher(text).find()) : text,
  };
}

describe.each([
  ['texts', by.text, (text: string) => text],
  ['JSON text', by.jsonText, (text: string) => JSON.stringify({ a: text, [text]: text })],
  [
    'JSON text with numbers',
    by.jsonNumbers,
    (text: string) => JSON.stringify({ token: [text], n: [4111111111111111] }),
  ],
] as const)('patterns for %s', (_, rules, written) => {
  const { hint, whole, withHints } = compiled(rules);

  test('a rule that a hint skips would change nothing', () => {
    fc.assert(
      fc.property(hard, (text) => {
        expect(withHints(written(text))).toBe(whole(written(text)));
      }),
      fcRuns(150)
    );
    for (const { text } of readRedactionTexts()) expect(withHints(written(text))).toBe(whole(written(text)));
  });

  test('no hint matches an empty text', () => {
    expect(hint.matcher('').find()).toBe(false);
    for (const step of rules.steps) if (step.hint !== null) expect(RE2JS.compile(step.hint).matches('')).toBe(false);
  });

  test('at most nine groups are kept', () => {
    for (const { pattern } of rules.steps.flatMap((step) => step.rules)) {
      expect(RE2JS.compile(pattern).groupCount()).toBeLessThanOrEqual(9);
    }
  });
});

test('the letters of an e-mail address at the source are all letters, digits and marks', () => {
  const pattern = new RegExp(`^[0-9${LETTERS}]$`, 'u');
  const missing: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (/^[\p{L}\p{N}\p{M}]$/u.test(character) && !pattern.test(character)) missing.push(character);
  }
  expect(missing).toEqual([]);
});
