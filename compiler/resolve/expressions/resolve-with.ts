/** `WITH(a AS x, b AS a + 1, a * b)`: names for values inside of an expression. */
import type { WithExpression } from '../../ast';
import type { Value } from '../../functions/function';
import { isCall } from '../../ir/operations/call';
import { some } from '../../ir/walk/children';
import { failure } from '../failure';
import { sameName } from '../names/scope';
import type { ExpressionContext, LambdaParameter } from './expression-context';

/**
 * Each name is written out where it is read.
 * @throws duplicate_alias; not_supported for a random value, of which each reading would be another
 */
export function resolveWith(r: ExpressionContext, { variables, body }: WithExpression): Value {
  const parameters: LambdaParameter[] = [];
  return r.within({ parameters, list: null, isWith: true }, () => {
    for (const { name, expression } of variables) {
      if (parameters.some((other) => sameName(other.name, name.name))) {
        throw failure('duplicate_alias', `the name "${name.name}" is used twice in WITH`, name.position, {
          name: name.name,
        });
      }
      const value = r.resolve(expression);
      if (some(value.expr, (part) => isCall(part, 'random', 'random_uuid'))) {
        throw failure('not_supported', 'WITH of a random value is not supported', expression.position, {
          name: 'WITH',
          hint: 'compute it in a subquery in FROM',
        });
      }
      parameters.push({ name: name.name, value: { ...value, text: null } });
    }
    return r.resolve(body);
  });
}
