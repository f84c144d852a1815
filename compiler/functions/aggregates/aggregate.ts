/** Shared parts of aggregates: allowed modifiers and the call itself. */
import { keysOf } from '#contract/records';
import type { CallExpression } from '../../ast';
import type { AggregateExpr, Expr } from '../../ir/expression';
import { type AggregateName, NO_OPTIONS, type OptionsOf, type PlainAggregate } from '../../ir/operations/ops';
import { INT64, type Type } from '../../ir/types';
import { argumentName, checkCount, requiredConstant, valueOf } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { MAX_AGGREGATE_LIMIT, MAX_TOP } from '../limits';

export type Modifier = 'DISTINCT' | 'NULLS' | 'ORDER BY' | 'LIMIT';

/** @throws wrong_arguments for a modifier that the function does not take */
export function checkModifiers(
  call: CallExpression,
  ctx: CallContext,
  usage: string,
  allowed: readonly Modifier[]
): void {
  const carried: Readonly<Record<Modifier, boolean>> = {
    DISTINCT: call.distinct,
    NULLS: call.nulls !== null,
    'ORDER BY': call.orderBy.length > 0,
    LIMIT: call.limit !== null,
  };
  for (const modifier of keysOf(carried)) {
    if (!carried[modifier]) continue;
    const shown = modifier === 'NULLS' ? `${call.nulls} NULLS` : modifier;
    if (!allowed.includes(modifier)) {
      ctx.fail('wrong_arguments', `${call.name} takes no ${shown}`, call.namePosition, `write ${usage}`);
    }
    // The dialect supports ORDER BY and LIMIT only in aggregates of groups.
    if (call.over !== null && (modifier === 'ORDER BY' || modifier === 'LIMIT')) {
      ctx.fail('wrong_arguments', `${call.name} with OVER takes no ${shown} in its arguments`, call.namePosition);
    }
    if (call.over !== null && modifier === 'DISTINCT' && (call.over.orderBy.length > 0 || call.over.frame !== null)) {
      ctx.fail('wrong_arguments', `${call.name} with DISTINCT takes no ORDER BY in OVER`, call.namePosition);
    }
  }
}

/** Arguments can read FROM names only; those of a window call may contain aggregates of the grouped block. */
export function aggregated(call: CallExpression, ctx: CallContext, index: number): Value {
  const expression = call.args[index];
  if (expression === undefined) throw new Error(`${call.name} has no argument ${index + 1}`);
  return call.over === null ? ctx.resolveAggregated(expression) : ctx.resolve(expression);
}

/** A call of an aggregate without OVER, which the resolver adds. The caller has checked the number of arguments. */
export function aggregateValue<O extends AggregateName>(
  call: CallExpression,
  fn: O,
  args: readonly Expr[],
  type: Type,
  options: OptionsOf<O>,
  rest: Partial<Pick<AggregateExpr, 'ignoreNulls' | 'orderBy' | 'limit'>> = {}
): Value {
  const expr: AggregateExpr<O> = {
    kind: 'aggregate',
    fn,
    args,
    distinct: call.distinct,
    ignoreNulls: false,
    orderBy: [],
    limit: null,
    over: null,
    type,
    options,
    ...rest,
  };
  return valueOf(call, expr);
}

/** How many values are wanted. @throws not_constant, wrong_arguments */
export function topNumber(call: CallExpression, ctx: CallContext, index: number): number {
  const what = argumentName(call, index);
  const value = ctx.coerce(aggregated(call, ctx, index), INT64, what);
  const n = requiredConstant(value, ctx, what);
  if (typeof n === 'bigint' && n >= 1n && n <= BigInt(MAX_TOP)) return Number(n);
  const wanted = `a whole number from 1 to ${MAX_TOP.toLocaleString('en-US')}`;
  return ctx.fail('wrong_arguments', `${what} must be ${wanted}`, value.position);
}

/** Value of LIMIT inside an aggregate. @throws not_constant, wrong_arguments */
export function limitOf(call: CallExpression, ctx: CallContext): number | null {
  if (call.limit === null) return null;
  const what = `LIMIT of ${call.name}`;
  const value = ctx.coerce(ctx.resolve(call.limit), INT64, what);
  const constant = requiredConstant(value, ctx, what);
  const limit = typeof constant === 'bigint' ? Number(constant) : constant === null ? 0 : -1;
  if (limit >= 0 && limit <= MAX_AGGREGATE_LIMIT) return limit;
  return ctx.fail(
    'wrong_arguments',
    `${what} must be a whole number from 0 to ${MAX_AGGREGATE_LIMIT.toLocaleString('en-US')}`,
    value.position
  );
}

/**
 * Defines an aggregate of one argument. `typeOf` converts the argument if necessary and returns the type of the result.
 */
export function simpleAggregate(spec: {
  readonly names: readonly string[];
  readonly fn: PlainAggregate;
  readonly usage: string;
  readonly summary: string;
  readonly modifiers?: readonly Modifier[];
  /** Whether DISTINCT, which is a modifier then, changes nothing. */
  readonly ignoresDistinct?: true;
  readonly typeOf: (value: Value, ctx: CallContext, what: string) => { readonly value: Value; readonly type: Type };
  /** The value of a call on intervals. */
  readonly ofInterval?: (call: CallExpression, ctx: CallContext, value: Value) => Value;
}): FunctionSpec {
  const { names, fn, usage, summary } = spec;
  return {
    names,
    kind: 'aggregate',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      checkModifiers(call, ctx, usage, spec.ignoresDistinct ? ['DISTINCT'] : (spec.modifiers ?? []));
      const given = aggregated(call, ctx, 0);
      if (given.type.kind === 'INTERVAL' && spec.ofInterval !== undefined) return spec.ofInterval(call, ctx, given);
      const { value, type } = spec.typeOf(given, ctx, `argument 1 of ${call.name}`);
      const all = spec.ignoresDistinct ? { ...call, distinct: false } : call;
      return aggregateValue(all, fn, [ctx.materialize(value)], type, NO_OPTIONS);
    },
  };
}
