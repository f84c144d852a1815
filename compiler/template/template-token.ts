/** Tokens of a template: SQL with the macros and variables of Grafana. */

export interface TemplateToken {
  /**
   * `variable` is also a macro such as `$__timeFilter`, without its arguments, and a parameter such as `@name`.
   * `period` is an argument of a macro: `5m`. `unclosed` is a quote or comment without an end, up to the end of the
   * text; `unknown` is what is not SQL.
   */
  readonly kind:
    | 'word'
    | 'name'
    | 'string'
    | 'bytes'
    | 'number'
    | 'period'
    | 'variable'
    | 'operator'
    | 'comment'
    | 'unclosed'
    | 'unknown';
  /** Text as written. */
  readonly text: string;
  /** Upper-case word, or operator; empty for other kinds and for a word right after a dot, which is no keyword. */
  readonly symbol: string;
  /** Decoded string or quoted name; the text for other kinds. */
  readonly value: string;
  /** Range `[offset, end)` of the text. */
  readonly offset: number;
  readonly end: number;
}
