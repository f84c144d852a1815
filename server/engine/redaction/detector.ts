/**
 * Detector: finds one kind of personal data in a text, and provides patterns with which stores find at least as much.
 */
import type { RedactionKind } from '#contract/redaction';

/** Reports a find by offsets in UTF-16 units; `end` is exclusive. */
export type Report = (start: number, end: number) => void;

export interface Detector {
  readonly kind: RedactionKind;
  /** Whether it also searches the text with percent and backslash escapes decoded. */
  readonly seesThroughEscapes: boolean;
  /** Reports finds in any order; they may overlap. Linear in the length of the text. */
  readonly find: (text: string, report: Report) => void;
  /**
   * Patterns for stores. A nested list is one search for several patterns, with at most nine kept groups. A store
   * applies them before a caller's expression sees the text, so they match at least what `find` reports, see
   * docs/redaction.md.
   */
  readonly source: readonly (SourcePattern | readonly SourcePattern[])[];
}

/**
 * A pattern in RE2 syntax; a match is `before` (kept), `secret` (replaced) and `after` (kept). No part has a capture
 * group. `secret` may match more than `find` reports, but must match everything that it reports.
 */
export interface SourcePattern {
  readonly before?: string;
  /** A list has alternatives that share what is before and after them. */
  readonly secret: string | readonly PartOfPattern[];
  readonly after?: string;
  /** Small pattern that matches every text which the pattern matches, and never an empty text. */
  readonly hint: string;
  /** Whether compiling the pattern takes so long that a store waits for a text that the hint matches. */
  readonly isLarge?: true;
  /** Restricts the pattern to texts or to JSON text; default: both. */
  readonly where?: 'text' | 'json';
  /** Replacement for the secret; default: that of the kind. */
  readonly replacement?: string;
}

export type PartOfPattern = Pick<SourcePattern, 'before' | 'after'> & { readonly secret: string };

/** Replacement for a find. */
export function replacementOf(kind: RedactionKind): string {
  return `[REDACTED:${kind}]`;
}
