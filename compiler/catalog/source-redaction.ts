/**
 * Redaction for the compiler: patterns that a store replaces in texts before a caller's expression reads them, and
 * rules for field names. The detectors provide the patterns; the compiler decides where to apply them.
 */

/** An RE2 pattern and its replacement, in which `\\1` and `\\2` are groups of the pattern. */
export interface RedactionRule {
  readonly pattern: string;
  readonly replacement: string;
}

/** Rules that are applied in order to the whole of a text. */
export interface RedactionStep {
  /**
   * Matches every original text that a rule of the step would change. Compiling the rules of such a step takes long: a
   * store does it only for such a text. `null`: the step is applied to every text.
   */
  readonly hint: string | null;
  readonly rules: readonly RedactionRule[];
}

/** Applied in order. */
export interface RedactionRules {
  /** Matches every text that a step would change, and never an empty text; other texts skip the steps. */
  readonly hint: string;
  readonly steps: readonly RedactionStep[];
}

export interface SourceRedaction {
  readonly text: RedactionRules;
  /** For JSON text with normalized escapes. A find in a number breaks the JSON. */
  readonly jsonText: RedactionRules;
  /** Like `jsonText`, with replacements that are numbers, so that the JSON stays valid. */
  readonly jsonNumbers: RedactionRules;
  /** False for a field name that must itself be hidden: queries cannot read such a field. */
  isClean(name: string): boolean;
  /** Whether values of a field of this name are always hidden, as for `password`. */
  isSecretName(name: string): boolean;
  /** Replacement for such a value. */
  readonly hiddenText: string;
}
