/** How the parts of the canonical printer reach one another without importing in circles. */
import type { Expression } from '../../ast/expressions';
import type { QueryExpression } from '../../ast/queries';

export interface CanonicalPrinter {
  /** In parentheses when it binds looser than `level`, a `LEVEL` of the parser; any expression stands bare by default. */
  expression(expression: Expression, level?: number): string;
  query(query: QueryExpression): string;
}
