/** Converts the detectors' patterns to rules for stores, cached by the choice of kinds. */
import { REDACTION_KINDS, type RedactionKind } from '#contract/redaction';
import type { RedactionRule, RedactionRules, SourceRedaction } from '#compiler';
import { replacementOf, type Detector, type SourcePattern } from './detector';
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
  const groups = detectors.flatMap(({ kind, source }) =>
    source.map((patterns) => {
      const all = [patterns].flat() as readonly SourcePattern[];
      return { kind, patterns: all.filter((pattern) => (pattern.where ?? where) === where) };
    })
  );
  const used = groups.filter(({ patterns }) => patterns.length > 0);
  const rules = used.map(({ kind, patterns }) => ruleOf(patterns, adapt, replacementOfKind(kind)));
  const hints = used.flatMap(({ patterns }) =>
    patterns.map(({ before = '', secret, after = '', hint = `(?:${before})(?:${secret})(?:${after})` }) => adapt(hint))
  );
  return { rules, hint: [...new Set(hints)].join('|') };
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
  const alternatives = patterns.map(({ before, secret, after }) =>
    adapt(`${part(before, 'before')}(?:${secret})${part(after, 'after')}`)
  );
  const replacement = patterns[0]?.replacement ?? replacementOfKind;
  return { pattern: alternatives.join('|'), replacement: `${kept.before}${replacement}${kept.after}` };
}
