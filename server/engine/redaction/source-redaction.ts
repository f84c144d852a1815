/** Converts the detectors' patterns to rules for stores, cached by the choice of kinds. */
import { REDACTION_KINDS, type RedactionKind } from '#contract/redaction';
import type { RedactionRule, RedactionRules, RedactionStep, SourceRedaction } from '#compiler';
import { replacementOf, type Detector, type PartOfPattern, type SourcePattern } from './detector';
import { inJsonText } from './escapes';
import { detectorsOf, type RedactionPolicy } from './policy';
import { findAll } from './redact-text';
import { isSecretName } from './secret-names';

const made = new Map<string, SourceRedaction>();

/**
 * Redaction for the compiler. Returns one object per choice of kinds, so that derived values can be cached by identity.
 */
export function sourceRedaction(policy: RedactionPolicy): SourceRedaction | null {
  if (policy === null) return null;
  const { kinds } = policy;
  const key = REDACTION_KINDS.filter((kind) => kinds.includes(kind)).join();
  let found = made.get(key);
  if (found === undefined) {
    found = createSourceRedaction(detectorsOf(kinds));
    made.set(key, found);
  }
  return found;
}

function createSourceRedaction(detectors: readonly Detector[]): SourceRedaction {
  const hidesTokens = detectors.some(({ kind }) => kind === 'token');
  return Object.freeze({
    text: rulesOf(detectors, 'text', replacementOf),
    jsonText: rulesOf(detectors, 'json', replacementOf),
    // Only digits occur outside of strings, and only card numbers consist of digits alone.
    jsonNumbers: rulesOf(detectors, 'json', (kind) => (kind === 'card' ? '0' : replacementOf(kind))),
    isClean: (name: string) => findAll(name, detectors).length === 0,
    isSecretName: (name: string) => hidesTokens && isSecretName(name),
    hiddenText: replacementOf('token'),
  });
}

function rulesOf(
  detectors: readonly Detector[],
  where: 'text' | 'json',
  replacementOfKind: (kind: RedactionKind) => string
): RedactionRules {
  const adapt = where === 'json' ? inJsonText : (pattern: string): string => pattern;
  const hintOf = (patterns: readonly SourcePattern[]): string =>
    [...new Set(patterns.map(({ hint }) => adapt(hint)))].join('|');
  const searches = detectors.flatMap(({ kind, source }) =>
    source.map((patterns) => {
      const all = [patterns].flat() as readonly SourcePattern[];
      return { kind, patterns: all.filter((pattern) => (pattern.where ?? where) === where) };
    })
  );
  const used = searches.filter(({ patterns }) => patterns.length > 0);
  const steps: RedactionStep[] = [];
  for (const { kind, patterns } of used) {
    const hint = patterns.some(({ isLarge }) => isLarge) ? hintOf(patterns) : null;
    const rule = ruleOf(patterns, adapt, replacementOfKind(kind));
    const last = steps.at(-1);
    if (last?.hint === hint) steps[steps.length - 1] = { hint, rules: [...last.rules, rule] };
    else steps.push({ hint, rules: [rule] });
  }
  return { steps, hint: hintOf(used.flatMap(({ patterns }) => patterns)) };
}

/** Combines patterns into one rule; groups of alternatives that do not match are empty. */
function ruleOf(
  patterns: readonly SourcePattern[],
  adapt: (pattern: string) => string,
  replacementOfKind: string
): RedactionRule {
  let groups = 0;
  const kept = { before: '', after: '' };
  const part = (pattern: string | undefined, where: keyof typeof kept): string => {
    if (pattern === undefined) return '';
    groups += 1;
    kept[where] += `\\${groups}`;
    return `(${pattern})`;
  };
  const whole = ({ before, secret, after }: SourcePattern | PartOfPattern): string => {
    const start = part(before, 'before');
    const inner = typeof secret === 'string' ? secret : secret.map(whole).join('|');
    return `${start}(?:${inner})${part(after, 'after')}`;
  };
  const alternatives = patterns.map((pattern) => adapt(whole(pattern)));
  const replacement = patterns[0]?.replacement ?? replacementOfKind;
  return { pattern: alternatives.join('|'), replacement: `${kept.before}${replacement}${kept.after}` };
}
