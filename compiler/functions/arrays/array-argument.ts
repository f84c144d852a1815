/** Arguments that are arrays. */
import type { CallExpression } from '../../ast';
import type { Expr } from '../../ir/expression';
import { arrayOf, INT64, shortTypeName, type Type } from '../../ir/types';
import { argument, argumentName } from '../arguments';
import type { CallContext, Value } from '../function';

/** An array with the type of its elements. */
export interface ArrayArgument {
  readonly expr: Expr;
  readonly element: Type;
}

/** @param ofNull type of the elements of NULL. @throws ServiceError type_mismatch */
export function arrayArgument(call: CallExpression, ctx: CallContext, index: number, ofNull?: Type): ArrayArgument {
  const { expr, type } = arrayValue(argument(call, ctx, index), call, ctx, index, ofNull);
  if (type.kind !== 'ARRAY') throw new Error('An array argument is no array.');
  return { expr, element: type.element };
}

/** Requires an array that is stored as one; a record is an array in queries only. */
export function arrayValue(
  value: Value,
  call: CallExpression,
  ctx: CallContext,
  index: number,
  ofNull: Type = INT64
): Value {
  const { type } = value;
  if (type.kind === 'ARRAY') return { ...value, expr: ctx.materialize(value) };
  if (type.kind === 'NULL') return ctx.coerce(value, arrayOf(ofNull), argumentName(call, index));
  return ctx.fail(
    'type_mismatch',
    `${argumentName(call, index)} expects an array, found ${shortTypeName(type)}`,
    value.position,
    type.kind === 'SINGLE' ? 'open the array with CROSS JOIN UNNEST(...) AS x' : undefined
  );
}
