/** Functions that are allowed with OVER only. */
import type { CallExpression } from '../../ast';
import { NO_OPTIONS } from '../../ir/operations/ops';
import { FLOAT64, INT64, type Type } from '../../ir/types';
import { argument, argumentName, checkCount, requiredConstant } from '../arguments';
import { aggregateValue, checkModifiers } from '../aggregates/aggregate';
import type { CallContext, FunctionSpec, Value } from '../function';

/** Maximum row count of NTILE, LAG and LEAD. */
const MAX_ROWS = 1_000_000n;

export const windowFunctions: readonly FunctionSpec[] = [
  numbering('ROW_NUMBER', 'row_number', false, 'The place of a row, from 1.'),
  numbering('RANK', 'rank', true, 'The place of a row; equal rows share one, and the next has a gap.'),
  numbering('DENSE_RANK', 'dense_rank', true, 'The place of a row; equal rows share one, without gaps.'),
  {
    names: ['NTILE'],
    kind: 'window',
    safe: 'never fails',
    usage: 'NTILE(number) OVER (... ORDER BY key)',
    summary: 'The number of the bucket, of the given number of equal buckets.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, 'NTILE(number) OVER (... ORDER BY key)', 1);
      checkOver(call, ctx, true);
      const buckets = rowCount(call, ctx, 0, 1n);
      return aggregateValue(call, 'ntile', [buckets.expr], INT64, NO_OPTIONS);
    },
  },
  sharing('PERCENT_RANK', 'percent_rank', 'How far down a row is, from 0 of the first to 1 of the last.'),
  sharing('CUME_DIST', 'cume_dist', 'The share of rows up to and with a row.'),
  neighbor('LAG', 'lag', 'before'),
  neighbor('LEAD', 'lead', 'after'),
  edge('FIRST_VALUE', 'first_value', 'first'),
  edge('LAST_VALUE', 'last_value', 'last'),
  {
    names: ['NTH_VALUE'],
    kind: 'window',
    safe: 'never fails',
    usage: 'NTH_VALUE(value, number [IGNORE NULLS]) OVER (... ORDER BY key)',
    summary: 'The value of the row with that number in the window frame, from 1; NULL where the frame is shorter.',
    resolve: (call, ctx) => {
      const usage = 'NTH_VALUE(value, number [IGNORE NULLS]) OVER (... ORDER BY key)';
      checkCount(call, ctx, usage, 2);
      checkModifiers(call, ctx, usage, ['NULLS']);
      requireOrder(call, ctx);
      const value = argument(call, ctx, 0);
      const place = rowCount(call, ctx, 1, 1n);
      const ignoreNulls = call.nulls === 'IGNORE';
      if (ignoreNulls) ensureNear(place, ctx);
      return aggregateValue(call, 'nth_value', [ctx.materialize(value), place.expr], typeOf(value), NO_OPTIONS, {
        ignoreNulls,
      });
    },
  },
];

/** Values up to this one are kept for each row. */
const MAX_PLACE = 100n;

/** @throws not_constant, wrong_arguments */
function ensureNear({ expr, position }: Value, ctx: CallContext): void {
  if (expr.kind !== 'literal') {
    ctx.fail('not_constant', 'the number of NTH_VALUE with IGNORE NULLS must be written out', position);
  }
  if (typeof expr.value === 'bigint' && expr.value <= MAX_PLACE) return;
  ctx.fail('wrong_arguments', `the number of NTH_VALUE with IGNORE NULLS must be at most ${MAX_PLACE}`, position);
}

function sharing(name: string, fn: 'percent_rank' | 'cume_dist', summary: string): FunctionSpec {
  return numbering(name, fn, true, summary, FLOAT64);
}

function numbering(
  name: string,
  fn: 'row_number' | 'rank' | 'dense_rank' | 'percent_rank' | 'cume_dist',
  ordered: boolean,
  summary: string,
  type: Type = INT64
): FunctionSpec {
  const usage = `${name}() OVER (${ordered ? '... ORDER BY key' : '...'})`;
  return {
    names: [name],
    kind: 'window',
    safe: 'never fails',
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 0);
      checkOver(call, ctx, ordered);
      return aggregateValue(call, fn, [], type, NO_OPTIONS);
    },
  };
}

function neighbor(name: string, fn: 'lag' | 'lead', side: string): FunctionSpec {
  const usage = `${name}(value[, rows[, otherwise]]) OVER (... ORDER BY key)`;
  return {
    names: [name],
    kind: 'window',
    safe: 'never fails',
    usage,
    summary: `The value of the row ${side}, or the given number of rows ${side}; the third argument where the partition has no such row.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1, 3);
      checkOver(call, ctx, true);
      const value = argument(call, ctx, 0);
      const rows = call.args.length > 1 ? [rowCount(call, ctx, 1, 0n).expr] : [];
      if (call.args.length < 3)
        return aggregateValue(call, fn, [ctx.materialize(value), ...rows], typeOf(value), NO_OPTIONS);
      const { type, values } = ctx.unify([value, argument(call, ctx, 2)], `the values of ${name}`);
      const [first, otherwise] = values.map((one) => ctx.materialize(one));
      if (first === undefined || otherwise === undefined) throw new Error(`${name} lost a value`);
      return aggregateValue(call, fn, [first, ...rows, otherwise], type, NO_OPTIONS);
    },
  };
}

function edge(name: string, fn: 'first_value' | 'last_value', place: string): FunctionSpec {
  const usage = `${name}(value [IGNORE NULLS]) OVER (... ORDER BY key)`;
  return {
    names: [name],
    kind: 'window',
    safe: 'never fails',
    usage,
    summary: `The value of the ${place} row of the window frame.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      checkModifiers(call, ctx, usage, ['NULLS']);
      requireOrder(call, ctx);
      const value = argument(call, ctx, 0);
      const ignoreNulls = call.nulls === 'IGNORE';
      return aggregateValue(call, fn, [ctx.materialize(value)], typeOf(value), NO_OPTIONS, { ignoreNulls });
    },
  };
}

function checkOver(call: CallExpression, ctx: CallContext, ordered: boolean): void {
  checkModifiers(call, ctx, `${call.name}(...) OVER (...)`, []);
  if (ordered) requireOrder(call, ctx);
  if (call.over?.frame) ctx.fail('wrong_arguments', `${call.name} takes no window frame`, call.over.position);
}

function requireOrder(call: CallExpression, ctx: CallContext): void {
  if (call.over !== null && call.over.orderBy.length > 0) return;
  ctx.fail('wrong_arguments', `${call.name} needs ORDER BY in OVER (...)`, call.over?.position ?? call.namePosition);
}

/** A constant number of rows; NULL makes the call NULL. */
function rowCount(call: CallExpression, ctx: CallContext, index: number, least: bigint): Value {
  const value = ctx.coerce(argument(call, ctx, index), INT64, argumentName(call, index));
  const constant = requiredConstant(value, ctx, argumentName(call, index));
  if (constant === null) return value;
  if (typeof constant === 'bigint' && constant >= least && constant <= MAX_ROWS) return value;
  const wanted = `a whole number from ${least} to ${MAX_ROWS.toLocaleString('en-US')}`;
  return ctx.fail('wrong_arguments', `${argumentName(call, index)} must be ${wanted}`, value.position);
}

function typeOf(value: Value): Type {
  return value.type.kind === 'NULL' ? INT64 : value.type;
}
