/** Tokens passed from the lexer to the parser. */
import type { SourcePosition } from '../../ast/node';

export type TokenKind =
  'word' | 'quoted-name' | 'string' | 'bytes' | 'integer' | 'float' | 'parameter' | 'operator' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Symbol for the grammar: the upper-case word or the operator; empty for other kinds. */
  readonly symbol: string;
  /**
   * Word as written; decoded string or quoted name; bytes as hexadecimal digits; name of a parameter without `@`;
   * decimal digits of an integer; digits of a float as written; operator.
   */
  readonly value: string;
  readonly position: SourcePosition;
}
