/** Conditions on the elements of an array: a lambda, or equality with a value. */
import type { CallExpression } from '../../ast';
import { callOf } from '../../ir/operations/call';
import type { ElementExpr, Expr, LambdaExpr } from '../../ir/expression';
import { overElements } from '../../ir/operations/lambda';
import { arrayOf, BOOL, INT64 } from '../../ir/types';
import { argument, argumentName } from '../arguments';
import type { CallContext, Value } from '../function';
import type { ArrayArgument } from './array-argument';

/** What a call looks for in an array. */
export interface Search {
  readonly list: ArrayArgument;
  /** Whether an element is wanted; never NULL. */
  readonly condition: LambdaExpr;
  /** The value that is looked for, which may be NULL; null for a lambda. */
  readonly target: Value | null;
}

/** The lambda in an argument. `convert` checks and converts its body. @throws ServiceError wrong_arguments */
export function lambdaArgument(
  call: CallExpression,
  ctx: CallContext,
  index: number,
  { expr, element }: ArrayArgument,
  convert: (body: Value) => Value
): LambdaExpr {
  const expression = call.args[index];
  if (expression?.kind !== 'lambda') {
    return ctx.fail(
      'wrong_arguments',
      `${argumentName(call, index)} is a lambda over the elements`,
      expression?.position ?? call.position,
      `write ${call.name}(list, e -> ...)`
    );
  }
  if (element.kind === 'NULL' && expr.kind === 'array' && expr.items.length > 0) {
    return ctx.lambda(expression, { expr, element: INT64 }, convert);
  }
  if (element.kind === 'NULL') {
    const hint = 'write ARRAY<STRING>[] for an empty array';
    return ctx.fail('type_mismatch', `the elements for the lambda of ${call.name} have no type`, call.position, hint);
  }
  return ctx.lambda(expression, { expr, element }, convert);
}

/** A condition as a lambda. */
export function lambdaCondition(
  call: CallExpression,
  ctx: CallContext,
  index: number,
  list: ArrayArgument
): LambdaExpr {
  const lambda = lambdaArgument(call, ctx, index, list, (body) => ctx.coerce(body, BOOL, `the lambda of ${call.name}`));
  return { ...lambda, body: isTrue(lambda.body) };
}

/** A condition as a lambda or as a value. */
export function searchArgument(call: CallExpression, ctx: CallContext, index: number, list: ArrayArgument): Search {
  if (call.args[index]?.kind === 'lambda') {
    return { list, condition: lambdaCondition(call, ctx, index, list), target: null };
  }
  ctx.ensureListWork([list.expr], call.position);
  const target = argument(call, ctx, index);
  return { list, condition: equalTo(target, call, ctx, list), target };
}

/** Whether an element equals a value, as a lambda. */
export function equalTo(value: Value, call: CallExpression, ctx: CallContext, { element }: ArrayArgument): LambdaExpr {
  return overElements('c0', element, (own) => isTrue(ctx.equality(valueAt(own, call), value)));
}

export function valueAt(expr: Expr, { position }: CallExpression): Value {
  return { expr, type: expr.type, text: null, position };
}

export function isTrue(condition: Expr): Expr {
  return callOf('is_true', [condition], BOOL);
}

/** Elements that satisfy the condition. */
export function foundElements({ list, condition }: Search): Expr {
  return callOf('list_filter', [list.expr, condition], arrayOf(list.element));
}

/** Offsets from 0 of the elements that satisfy the condition. */
export function foundOffsets({ list, condition }: Search): Expr {
  const [element, given] = condition.parameters as [ElementExpr, ElementExpr?];
  const offset = given ?? { kind: 'element', name: `o_${element.name}`, of: 'offset', type: INT64 };
  const body: Expr = {
    kind: 'case',
    branches: [{ when: condition.body, then: offset }],
    otherwise: null,
    type: INT64,
  };
  const all = callOf(
    'list_map',
    [list.expr, { kind: 'lambda', parameters: [element, offset], body, type: INT64 }],
    arrayOf(INT64)
  );
  const isFound = overElements('c0', INT64, (found) => callOf('is_not_null', [found], BOOL));
  return callOf('list_filter', [all, isFound], arrayOf(INT64));
}
