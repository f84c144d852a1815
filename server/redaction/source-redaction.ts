/** The patterns of the detectors as the rules that a store applies, made once for each choice of kinds. */
import { REDACTION_KINDS, type RedactionKind } from '#contract/redaction';
import type { RedactionRules, SourceRedaction } from '../compiler/source-redaction';
import { replacementOf, type Detector } from './detector';
import { inJsonText } from './escapes';
import { detectorsOf, type RedactionPolicy } from './policy';
import { findAll } from './redact-text';

const made = new Map<string, SourceRedaction>();

/** What the compiler gets for a policy: one value for each choice of kinds, so that what is made for it can be kept. */
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
  const asIs = (pattern: string): string => pattern;
  return Object.freeze({
    text: rulesOf(detectors, asIs, replacementOf),
    jsonText: rulesOf(detectors, inJsonText, replacementOf),
    // Only digits stand outside of strings, and only a card number is made of digits alone.
    jsonNumbers: rulesOf(detectors, inJsonText, (kind) => (kind === 'card' ? '0' : replacementOf(kind))),
    isClean: (name: string) => findAll(name, detectors).length === 0,
  });
}

function rulesOf(
  detectors: readonly Detector[],
  adapt: (pattern: string) => string,
  replacement: (kind: RedactionKind) => string
): RedactionRules {
  const sources = detectors.flatMap(({ kind, source }) => source.map((pattern) => ({ kind, ...pattern })));
  const rules = sources.map(({ kind, before = '', secret, after = '' }) => ({
    pattern: adapt(`(${before})(?:${secret})(${after})`),
    replacement: `\\1${replacement(kind)}\\2`,
  }));
  const hint = sources
    .map(({ before = '', secret, after = '' }) => adapt(`(?:${before})(?:${secret})(?:${after})`))
    .join('|');
  return { rules, hint };
}
