/** LIMIT and OFFSET. */
import type { Expression, QueryExpression } from '../../../ast';
import type { Expr } from '../../../ir/expression';
import type { QueryPlan } from '../../../ir/plan';
import { INT64 } from '../../../ir/types';
import { coerce } from '../../types/coerce';
import { failure } from '../../failure';
import type { ExpressionResolver } from '../../expressions/resolve-expression';

/** Resolves LIMIT and OFFSET: non-negative integers, or parameters with such a value or NULL, which is no limit. */
export function resolveLimit(
  limit: QueryExpression['limit'],
  resolver: Pick<ExpressionResolver, 'resolve' | 'constant'>,
  name = 'LIMIT'
): Pick<QueryPlan, 'limit' | 'offset'> {
  const count = (expression: Expression | null, clause: string): Expr | null => {
    if (expression === null) return null;
    const value = coerce(resolver.resolve(expression), INT64, clause);
    const constant = resolver.constant(value);
    if (constant === undefined && value.text !== 'parameter') {
      throw failure('bad_limit', `${clause} takes a whole number or a parameter`, expression.position);
    }
    if (typeof constant?.value === 'bigint' && constant.value < 0n) {
      throw failure('bad_limit', `${clause} must not be negative`, expression.position);
    }
    // Stores take no NULL here.
    if (constant?.value === null) return null;
    // DuckDB does not accept a bound value as the limit of a correlated subquery.
    return typeof constant?.value === 'bigint' ? { kind: 'literal', type: INT64, value: constant.value } : value.expr;
  };
  return { limit: count(limit?.count ?? null, name), offset: count(limit?.offset ?? null, 'OFFSET') };
}
