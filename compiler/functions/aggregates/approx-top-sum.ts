/** APPROX_TOP_SUM. It is written as an ARRAY_AGG of inner groups, so that the sums are exact on every store. */
import type { CallExpression, Expression, Identifier, SourcePosition } from '../../ast';
import { callExpression } from '../../ast/call';
import { isNumeric, isScalar, shortTypeName } from '../../ir/types';
import { itemAt } from '../../items';
import { argumentName, checkCount } from '../arguments';
import type { CallContext, FunctionSpec } from '../function';
import { aggregated, checkModifiers, topNumber } from './aggregate';

export const approxTopSum: FunctionSpec = {
  names: ['APPROX_TOP_SUM'],
  kind: 'aggregate',
  safe: false,
  usage: 'APPROX_TOP_SUM(value, weight, number)',
  summary:
    'The values with the largest sums of weights, each as a STRUCT of value and sum, from the largest on; NULL counts as a value. A weight must not be negative or NaN.',
  writtenAs: (call, ctx) => {
    checkCount(call, ctx, approxTopSum.usage, 3);
    checkModifiers(call, ctx, approxTopSum.usage, []);
    checkRows(call, ctx);
    const value = aggregated(call, ctx, 0);
    if (!isScalar(value.type)) {
      ctx.fail('type_mismatch', `${argumentName(call, 0)} cannot be ${shortTypeName(value.type)}`, value.position);
    }
    if (ctx.constant(value) !== undefined) {
      ctx.fail('not_supported', `${argumentName(call, 0)} must not be a constant`, value.position, 'use SUM(weight)');
    }
    const weight = aggregated(call, ctx, 1);
    if (!isNumeric(weight.type)) {
      const found = shortTypeName(weight.type);
      ctx.fail('type_mismatch', `${argumentName(call, 1)} must be a number, found ${found}`, weight.position);
    }
    topNumber(call, ctx, 2);
    return topSums(call, weight.type.kind === 'FLOAT64');
  },
  resolve: () => {
    throw new Error('APPROX_TOP_SUM is resolved as another call.');
  },
};

function checkRows(call: CallExpression, ctx: CallContext): void {
  const clause =
    call.over !== null ? 'OVER' : call.having !== null ? 'HAVING' : call.groups !== null ? 'GROUP BY' : null;
  if (clause === null) return;
  ctx.fail('not_supported', `APPROX_TOP_SUM with ${clause} is not supported`, call.namePosition);
}

/** `ARRAY_AGG(STRUCT(x AS value, SUM(w) AS sum) GROUP BY x ORDER BY SUM(w) DESC, x LIMIT n)` */
function topSums(call: CallExpression, isFloat: boolean): CallExpression {
  const { position } = call;
  const [value, written, number] = [itemAt(call.args, 0), itemAt(call.args, 1), itemAt(call.args, 2)];
  const sum = callExpression('SUM', [checked(written, isFloat, position)], position);
  const named = (name: string): Identifier => ({ name, quoted: false, position });
  const pair: Expression = {
    kind: 'struct',
    type: null,
    fields: [
      { name: named('value'), value },
      { name: named('sum'), value: sum },
    ],
    position,
  };
  return {
    ...call,
    name: 'ARRAY_AGG',
    args: [pair],
    groups: { kind: 'inner-groups', keys: [value], having: null, position },
    orderBy: [
      { kind: 'order-item', expression: sum, direction: 'DESC', nulls: null, position },
      { kind: 'order-item', expression: value, direction: 'ASC', nulls: null, position },
    ],
    limit: number,
  };
}

/** The weight, which fails where it is negative or NaN, as GoogleSQL says. */
function checked(weight: Expression, isFloat: boolean, position: SourcePosition): Expression {
  const zero: Expression = { kind: 'literal', literal: { type: 'integer', digits: '0' }, position };
  const message = 'a weight of APPROX_TOP_SUM must not be negative or NaN';
  const failed = callExpression(
    'ERROR',
    [{ kind: 'literal', literal: { type: 'string', value: message }, position }],
    position
  );
  const isNegative: Expression = { kind: 'binary', operator: '<', left: weight, right: zero, position };
  const branches = [
    { when: isNegative, then: failed },
    ...(isFloat ? [{ when: callExpression('IS_NAN', [weight], position), then: failed }] : []),
  ];
  return { kind: 'case', operand: null, branches, otherwise: weight, position };
}
