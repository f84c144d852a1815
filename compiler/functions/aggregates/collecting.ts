/** ARRAY_AGG and STRING_AGG. */
import type { CallExpression } from '../../ast';
import type { Expr, SortExpr } from '../../ir/expression';
import { NO_OPTIONS } from '../../ir/operations/ops';
import { arrayOf, BYTES, INT64, isComparable, shortTypeName, STRING, type Type } from '../../ir/types';
import { argumentName, callValue, checkCount, requiredConstant } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { aggregated, aggregateValue, checkModifiers, limitOf } from './aggregate';

export const arrayAgg: FunctionSpec = {
  names: ['ARRAY_AGG'],
  kind: 'aggregate',
  safe: true,
  usage: 'ARRAY_AGG([DISTINCT] value [IGNORE NULLS] [ORDER BY key] [LIMIT n])',
  summary: 'The values of a group as an array; NULL for no rows.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arrayAgg.usage, 1);
    checkModifiers(call, ctx, arrayAgg.usage, ['DISTINCT', 'NULLS', 'ORDER BY', 'LIMIT']);
    const value = aggregated(call, ctx, 0);
    const expr = ctx.materialize(value);
    const rest = {
      ignoreNulls: call.nulls === 'IGNORE',
      orderBy: orderOf(call, ctx, value, expr),
      limit: limitOf(call, ctx),
    };
    if (rest.limit === 0) return nothing(call, arrayOf(elementOf(value, ctx)));
    return aggregateValue(call, 'array_agg', [expr], arrayOf(elementOf(value, ctx)), NO_OPTIONS, rest);
  },
};

export const stringAgg: FunctionSpec = {
  names: ['STRING_AGG'],
  kind: 'aggregate',
  safe: true,
  usage: 'STRING_AGG([DISTINCT] text[, separator] [ORDER BY key] [LIMIT n])',
  summary:
    'The texts, or bytes, of a group in one, with a separator between them ("," unless given); NULL is left out.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, stringAgg.usage, 1, 2);
    checkModifiers(call, ctx, stringAgg.usage, ['DISTINCT', 'ORDER BY', 'LIMIT']);
    const given = aggregated(call, ctx, 0);
    const type = given.type.kind === 'BYTES' ? BYTES : STRING;
    const value = ctx.coerce(given, type, argumentName(call, 0));
    const rest = { orderBy: orderOf(call, ctx, value, value.expr), limit: limitOf(call, ctx) };
    const separator = separatorOf(call, ctx, type);
    if (rest.limit === 0) return nothing(call, type);
    return aggregateValue(call, 'string_agg', [value.expr, separator], type, NO_OPTIONS, rest);
  },
};

export const arrayConcatAgg: FunctionSpec = {
  names: ['ARRAY_CONCAT_AGG'],
  kind: 'aggregate',
  safe: true,
  usage: 'ARRAY_CONCAT_AGG(array [ORDER BY key] [LIMIT n])',
  summary: 'The arrays of a group one after the other; NULL arrays are left out, and for none the result is NULL.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arrayConcatAgg.usage, 1);
    checkModifiers(call, ctx, arrayConcatAgg.usage, ['ORDER BY', 'LIMIT']);
    const value = aggregated(call, ctx, 0);
    const { type } = value;
    if (type.kind !== 'ARRAY') {
      const message = `${argumentName(call, 0)} expects an array, found ${shortTypeName(type)}`;
      return ctx.fail('type_mismatch', message, value.position);
    }
    const rest = { ignoreNulls: true, orderBy: ctx.resolveOrder(call.orderBy), limit: limitOf(call, ctx) };
    if (rest.limit === 0) return nothing(call, type);
    const lists = aggregateValue(call, 'array_agg', [ctx.materialize(value)], arrayOf(type), NO_OPTIONS, rest);
    return callValue(call, 'list_flatten', [lists], type);
  },
};

/**
 * An aggregate that is NULL, as one of no values. It remains one, so that the block still returns one row per group.
 */
function nothing(call: CallExpression, type: Type): Value {
  const none: Expr = { kind: 'literal', type, value: null };
  return aggregateValue({ ...call, distinct: false }, 'any_value', [none], type, NO_OPTIONS);
}

function separatorOf(call: CallExpression, ctx: CallContext, type: Type): Expr {
  if (call.args.length < 2) return { kind: 'literal', type, value: type.kind === 'BYTES' ? '2C' : ',' };
  const value = ctx.coerce(aggregated(call, ctx, 1), type, argumentName(call, 1));
  const what = `the separator of ${call.name}`;
  if (requiredConstant(value, ctx, what) === null) {
    ctx.fail('wrong_arguments', `${what} must not be NULL`, value.position);
  }
  return value.expr;
}

/** With DISTINCT the list can be ordered by its values only. */
function orderOf(call: CallExpression, ctx: CallContext, value: Value, expr: Expr): readonly SortExpr[] {
  if (call.distinct && !isComparable(value.type)) {
    ctx.fail(
      'type_mismatch',
      `${call.name} with DISTINCT cannot compare ${shortTypeName(value.type)} values`,
      value.position
    );
  }
  const keys = ctx.resolveOrder(call.orderBy);
  if (!call.distinct) return keys;
  const other = keys.findIndex((key) => !sameExpression(key.expr, expr));
  if (other === -1) return keys;
  return ctx.fail(
    'wrong_arguments',
    `${call.name} with DISTINCT can be ordered only by its own argument`,
    call.orderBy[other]?.position ?? call.namePosition
  );
}

/** Compares expressions by structure, ignoring positions. */
function sameExpression(a: Expr, b: Expr): boolean {
  return shapeOf(a) === shapeOf(b);
}

function shapeOf(expr: Expr): string {
  return JSON.stringify(expr, (key, value: unknown) => {
    if (key === 'position' || key === 'display' || key === 'plan') return undefined;
    return typeof value === 'bigint' ? value.toString() : value;
  });
}

function elementOf(value: Value, ctx: CallContext): Type {
  if (value.type.kind === 'ARRAY') {
    return ctx.fail('type_mismatch', 'an array cannot hold arrays', value.position, 'use STRUCT(value) as the element');
  }
  if (value.type.kind === 'NULL') return INT64;
  return value.type.kind === 'SINGLE' ? { kind: 'RECORD', shape: value.type.shape } : value.type;
}
