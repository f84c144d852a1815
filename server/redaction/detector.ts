/** What a detector is: it finds one kind of personal data in a text, and tells the stores how to find at least as much. */
import type { RedactionKind } from '#contract/redaction';

/** Offsets in UTF-16 units; `end` is the first one after the find. */
export type Report = (start: number, end: number) => void;

export interface Detector {
  readonly kind: RedactionKind;
  /** Also looks at the text behind percent escapes and backslash escapes. */
  readonly seesThroughEscapes: boolean;
  /** Reports finds in any order; they may overlap. Its time grows with the length of the text alone. */
  find(text: string, report: Report): void;
  /** A list in the list is one search for several patterns, at most nine of whose parts beside secrets are kept. What a store redacts before an expression of a caller sees the text: at least what `find` reports, see docs/redaction.md. */
  readonly source: readonly (SourcePattern | readonly SourcePattern[])[];
}

/**
 * A pattern in RE2 syntax; a match is `before` (kept), `secret` (replaced) and `after` (kept). No part has a capture group.
 * What `secret` matches, `find` need not; what `find` reports in a text, `secret` matches there.
 */
export interface SourcePattern {
  readonly before?: string;
  readonly secret: string;
  readonly after?: string;
  /** Matches every text that the pattern matches, and is faster. */
  readonly hint?: string;
  /** Where it is applied, when not everywhere: in texts, or in JSON text. */
  readonly where?: 'text' | 'json';
  /** What stands in the place of the secret when it is not the kind's own. */
  readonly replacement?: string;
}

/** What stands in the place of a find. */
export function replacementOf(kind: RedactionKind): string {
  return `[REDACTED:${kind}]`;
}
