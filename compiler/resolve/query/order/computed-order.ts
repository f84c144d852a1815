/** ORDER BY of expressions behind a set operation, or behind a query in parentheses. */
import type { OrderItem, QueryExpression, SelectBody, SetOperation } from '../../../ast';
import { selectAll } from '../../../ast/select';
import type { Tail } from './tail';

/** Whether some key is more than a column or its number. */
export function hasComputedKey({ orderBy }: Tail): boolean {
  return orderBy.some(({ expression }: OrderItem) => {
    if (expression.kind === 'path') return expression.parts.length > 1;
    return expression.kind !== 'literal' || expression.literal.type !== 'integer';
  });
}

/** `SELECT * FROM (body)`: its keys read the columns of the body. */
export function selectAllOf(body: SetOperation | QueryExpression): SelectBody {
  const { position } = body;
  const query: QueryExpression =
    body.kind === 'query' ? body : { kind: 'query', with: [], body, orderBy: [], limit: null, position };
  return selectAll({ kind: 'derived', query, alias: null, position }, position);
}
