/** Where in the caller's text an operation was written. */
import type { Expression } from './expressions';

export interface Site {
  /** Name of the function as written, or the operator: `CAST`, `PARSE_DATE`, `+`. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** What was written there; undefined for an operator of a chain. */
  readonly expression?: Expression;
}
