/** COUNT, COUNTIF and APPROX_COUNT_DISTINCT. */
import type { CallExpression } from '../../ast';
import { NO_OPTIONS } from '../../ir/operations/ops';
import { BOOL, INT64, isComparable, isScalar, shortTypeName } from '../../ir/types';
import { checkCount } from '../arguments';
import type { Expr } from '../../ir/expression';
import type { CallContext, FunctionSpec, Value } from '../function';
import { lengthOf } from '../time/interval-values';
import { aggregated, aggregateValue, checkModifiers, simpleAggregate } from './aggregate';
import { itemAt } from '../../items';

export const count: FunctionSpec = {
  names: ['COUNT'],
  kind: 'aggregate',
  safe: true,
  usage: 'COUNT(*) or COUNT([DISTINCT] value)',
  summary: 'The number of rows, of values that are not NULL, or of different values.',
  resolve: (call, ctx) => {
    checkModifiers(call, ctx, count.usage, ['DISTINCT']);
    if (call.star && call.args.length === 0) {
      if (call.distinct)
        ctx.fail('wrong_arguments', 'COUNT(*) takes no DISTINCT', call.namePosition, `write ${count.usage}`);
      return aggregateValue(call, 'count_rows', [], INT64, NO_OPTIONS);
    }
    if (call.distinct && call.args.length > 1) refuseSeveral(call, ctx);
    checkCount(call, ctx, count.usage, 1);
    const given = aggregated(call, ctx, 0);
    const value = call.distinct && given.type.kind === 'INTERVAL' ? ofLength(given) : given;
    if (call.distinct && !isComparable(value.type)) {
      ctx.fail(
        'type_mismatch',
        `COUNT(DISTINCT ...) cannot compare ${shortTypeName(value.type)} values`,
        value.position
      );
    }
    return aggregateValue(call, 'count', [counted(value, ctx)], INT64, NO_OPTIONS);
  },
};

/** @throws wrong_arguments, with the values as one */
function refuseSeveral({ namePosition, args }: CallExpression, ctx: CallContext): void {
  const message = `COUNT expects 1 argument, found ${args.length}`;
  ctx.fail('wrong_arguments', message, namePosition, 'to count different rows write COUNT(DISTINCT (x, y))');
}

/** Intervals of one length are equal. */
function ofLength(interval: Value): Value {
  return { ...interval, expr: lengthOf(interval.expr), type: INT64 };
}

/**
 * An expression that is NULL if the value is. For records only their presence is read; an array of one record is never
 * NULL.
 */
function counted(value: Value, ctx: CallContext): Expr {
  const yes: Expr = { kind: 'literal', type: BOOL, value: true };
  if (value.type.kind === 'SINGLE') return yes;
  if (value.type.kind !== 'RECORD') return ctx.materialize(value);
  return { kind: 'case', branches: [{ when: ctx.isPresent(value), then: yes }], otherwise: null, type: BOOL };
}

const countIfAll = simpleAggregate({
  names: ['COUNTIF'],
  fn: 'count_if',
  usage: 'COUNTIF([DISTINCT] condition)',
  summary: 'The number of rows for which a condition holds.',
  modifiers: ['DISTINCT'],
  typeOf: (value, ctx, what) => ({ value: ctx.coerce(value, BOOL, what), type: INT64 }),
});

/** With DISTINCT: 1 if the condition holds for any row, else 0. */
export const countIf: FunctionSpec = {
  ...countIfAll,
  resolve: (call, ctx) => {
    const counts = countIfAll.resolve(call, ctx);
    const { expr } = counts;
    if (!call.distinct || expr.kind !== 'aggregate') return counts;
    const when = itemAt(expr.args, 0);
    const then: Expr = { kind: 'literal', type: BOOL, value: true };
    const condition: Expr = { kind: 'case', branches: [{ when, then }], otherwise: null, type: BOOL };
    return aggregateValue(call, 'count', [condition], INT64, NO_OPTIONS);
  },
};

export const approxCountDistinct = simpleAggregate({
  names: ['APPROX_COUNT_DISTINCT'],
  fn: 'approx_count_distinct',
  usage: 'APPROX_COUNT_DISTINCT(value)',
  summary:
    'The number of different values: exact below 65,536, about 1 percent off above. Takes less memory than COUNT(DISTINCT).',
  typeOf: (value, ctx, what) => {
    if (!isScalar(value.type))
      ctx.fail('type_mismatch', `${what} cannot be ${shortTypeName(value.type)}`, value.position);
    return { value, type: INT64 };
  },
});
