/**
 * What the compiler knows of redaction: patterns that a store replaces in a text before an expression of a caller sees it, and which names of
 * fields a caller may know. The patterns come from the detectors; the compiler decides where they stand.
 */

/** An RE2 pattern, and what stands for a match; `\\1` and `\\2` in it are the pattern's groups. */
export interface RedactionRule {
  readonly pattern: string;
  readonly replacement: string;
}

/** Applied in order to the whole of a text. */
export interface RedactionRules {
  /** Matches every text that a rule would change; the rules need not be tried on others. */
  readonly hint: string;
  readonly rules: readonly RedactionRule[];
}

export interface SourceRedaction {
  readonly text: RedactionRules;
  /** For JSON text whose escapes are in one form. A find in a number breaks the JSON. */
  readonly jsonText: RedactionRules;
  /** As `jsonText`, with replacements that are numbers: always JSON again. */
  readonly jsonNumbers: RedactionRules;
  /** False for the name of a field that is itself something to hide: such a field does not exist for a query. */
  isClean(name: string): boolean;
  /** Whether the value of a field of this name is hidden whatever it is, as that of `password` is. */
  isSecretName(name: string): boolean;
  /** What stands in the place of such a value. */
  readonly hiddenText: string;
}
