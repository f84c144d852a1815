/** Interface between the parts of the canonical printer, which avoids circular imports. */
import type { Expression } from '../../ast/expressions';
import type { QueryExpression } from '../../ast/queries';

export interface CanonicalPrinter {
  /** Prints parentheses if the expression binds looser than `level`, a `LEVEL` of the parser; by default none. */
  expression(expression: Expression, level?: number): string;
  query(query: QueryExpression): string;
}
