/** Arrays of written items. */
import type { ArrayExpression } from '../../../ast';
import type { Value } from '../../../functions/function';
import { arrayOf, type Type, elementOf } from '../../../ir/types';
import { failure } from '../../failure';
import { castType } from '../../types/cast-types';
import type { ExpressionContext } from '../expression-context';
import { valueOf } from './value-of';

export function resolveArray(r: ExpressionContext, expression: ArrayExpression): Value {
  const { type, values } = itemsOf(r, expression);
  if (type.kind === 'ARRAY' || type.kind === 'SINGLE') {
    throw failure('type_mismatch', 'an array cannot hold arrays', expression.position, {
      hint: 'write STRUCT(...) around each inner array',
    });
  }
  const array = arrayOf(type);
  const items = values.map((value) => r.materialize(value));
  return valueOf({ kind: 'array', items, type: array }, array, expression.position);
}

function itemsOf(
  r: ExpressionContext,
  { type: written, items }: ArrayExpression
): { readonly type: Type; readonly values: readonly Value[] } {
  const resolved = items.map((item) => r.resolve(item));
  if (written === null) return r.unify(resolved, 'the items of an array');
  const type = elementOf(castType(written));
  return { type, values: resolved.map((value, index) => r.coerce(value, type, `item ${index + 1} of the array`)) };
}
