/** RANGE_BUCKET. The order of the array is checked while the query runs. */
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { overElements } from '../../ir/operations/lambda';
import { arrayOf, BOOL, FLOAT64, INT64, isNumeric, isScalar, shortTypeName, type Type } from '../../ir/types';
import { itemAt } from '../../items';
import { argument, argumentName, callValue, checkCount, numericValue } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { type ArrayArgument, arrayArgument } from './array-argument';

export const rangeBucket: FunctionSpec = {
  names: ['RANGE_BUCKET'],
  kind: 'scalar',
  safe: true,
  usage: 'RANGE_BUCKET(value, array)',
  summary:
    'The bucket of a value, from 0: how many elements of an ascending array are not larger. NULL for NaN; fails for an array that does not ascend, or holds NULL or NaN.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, rangeBucket.usage, 2);
    const given = argument(call, ctx, 0);
    const list = arrayArgument(call, ctx, 1, given.type.kind === 'NULL' ? INT64 : given.type);
    ctx.ensureListWork([list.expr], call.position);
    const point = fromText(given, list.element, ctx, argumentName(call, 0));
    const probe: Value = { ...point, expr: { kind: 'literal', type: list.element, value: null }, type: list.element };
    const { type, values } = ctx.unify([point, { ...probe, text: null }], 'the arguments of RANGE_BUCKET');
    if (!isScalar(type)) {
      ctx.fail('type_mismatch', `${argumentName(call, 0)} cannot be ${shortTypeName(type)}`, point.position);
    }
    const bounds: Value = { ...point, expr: elementsAs(type, list), type: arrayOf(type), text: null };
    const value = itemAt(values, 0);
    return callValue(call, 'range_bucket', [{ ...value, expr: withoutNaN(value.expr) }, bounds], INT64);
  },
};

/** A text that converts implicitly takes the type of the elements. */
function fromText(value: Value, element: Type, ctx: CallContext, what: string): Value {
  if (value.text === null) return value;
  return isNumeric(element) ? numericValue(value, ctx, what) : ctx.coerce(value, element, what);
}

function elementsAs(type: Type, { expr, element }: ArrayArgument): Expr {
  if (element.kind === type.kind) return expr;
  const converted = overElements('c0', element, (operand) => ({ kind: 'cast', operand, type, safe: false }));
  return callOf('list_map', [expr, converted], arrayOf(type));
}

/** NULL for NaN, so that the operation gives NULL for a NULL only. */
function withoutNaN(expr: Expr): Expr {
  if (expr.type.kind !== 'FLOAT64') return expr;
  const isNaN = callOf('is_nan', [expr], BOOL);
  return {
    kind: 'case',
    branches: [{ when: isNaN, then: { kind: 'literal', type: FLOAT64, value: null } }],
    otherwise: expr,
    type: FLOAT64,
  };
}
