/** Which rows an aggregate reads: those of WHERE and of HAVING MAX in its parentheses, or one of each inner group. */
import type { CallExpression, Expression, HavingExtreme } from '../../../ast';
import type { FunctionSpec, Value } from '../../../functions/function';
import { aggregateOf, callOf, isAggregate } from '../../../ir/operations/call';
import type { AggregateExpr, Expr, WindowExpr } from '../../../ir/expression';
import type { PlainAggregate } from '../../../ir/operations/ops';
import { BOOL, INT64, isComparable, isOrdered, shortTypeName, type Type } from '../../../ir/types';
import { failure } from '../../failure';
import { foldAnd } from '../fold-conditions';
import type { ExpressionContext, InnerLevel } from '../expression-context';
import { callIn, keepsNulls, restricted, restrictedList, when } from './restricted-aggregate';

/**
 * The call over the rows that its modifiers leave.
 * @param resolve resolves the call as if it read all rows
 * @throws wrong_arguments, not_supported, type_mismatch, not_grouped
 */
export function overItsRows(
  r: ExpressionContext,
  spec: FunctionSpec,
  expression: CallExpression,
  resolve: () => Value
): Value {
  const { name, where, having, groups, over, namePosition } = expression;
  const [clause, position] =
    having !== null
      ? (['HAVING', having.position] as const)
      : groups !== null
        ? (['GROUP BY', groups.position] as const)
        : (['WHERE', where?.position ?? namePosition] as const);
  if (where === null && clause === 'WHERE') return resolve();
  if (spec.kind !== 'aggregate' || name === 'GROUPING' || /^PERCENTILE_/.test(name)) {
    throw failure('wrong_arguments', `${name} takes no ${clause}`, position, { hint: 'filter the rows in a subquery' });
  }
  if (clause !== 'WHERE' && over !== null) {
    throw failure('wrong_arguments', `${name} with OVER takes no ${clause} in its arguments`, position);
  }
  if (clause !== 'WHERE' && r.place.clause === 'PIVOT') {
    throw failure('wrong_arguments', `an aggregate of PIVOT takes no ${clause}`, position);
  }
  const filter = where && r.coerce(readBy(r, expression, where), BOOL, `WHERE of ${name}`).expr;
  if (groups !== null) return ofInnerGroups(r, expression, filter, resolve);
  const value = resolve();
  if (having === null) return kept(value, filter as Expr, expression, clause);
  const isExtreme = extremeOf(r, having, filter);
  return kept(value, filter === null ? isExtreme : foldAnd([filter, isExtreme]), expression, clause);
}

function readBy(r: ExpressionContext, { over }: CallExpression, expression: Expression): Value {
  return over === null ? r.resolveAggregated(expression) : r.resolve(expression);
}

/** Whether the key of a row is the largest or smallest of the rows of its group. */
function extremeOf(r: ExpressionContext, { which, key: written }: HavingExtreme, filter: Expr | null): Expr {
  const key = r.resolveAggregated(written);
  if (!isOrdered(key.type)) {
    throw failure('type_mismatch', `HAVING ${which} cannot compare ${shortTypeName(key.type)} values`, key.position);
  }
  const read = filter === null ? key.expr : when(filter, key.expr);
  const extreme = inGroup(which === 'MAX' ? 'max' : 'min', [read], key.type, []);
  return r.equality(key, { ...key, expr: extreme, text: null });
}

/** @throws not_grouped for a column that differs between the rows of an inner group */
function ofInnerGroups(
  r: ExpressionContext,
  expression: CallExpression,
  filter: Expr | null,
  resolve: () => Value
): Value {
  const groups = expression.groups as NonNullable<CallExpression['groups']>;
  const keys = groups.keys.map((key) => innerKey(r, key));
  // Rows that the filter leaves out are partitions of their own.
  const partitionBy = filter === null ? keys : [...keys, filter];
  r.innerLevel = { partitionBy };
  const value = resolve();
  const having = groups.having && r.coerce(r.resolveAggregated(groups.having), BOOL, 'HAVING').expr;
  r.innerLevel = null;
  const call = callIn(value.expr);
  r.innerReads.push({
    keys,
    exprs: [...(call?.args ?? []), ...(call?.orderBy ?? []).map(({ expr }) => expr), ...(having ? [having] : [])],
  });
  const first = callOf('eq', [inGroup('row_number', [], INT64, partitionBy), ONE], BOOL);
  const conditions = [...(filter ? [filter] : []), first, ...(having ? [having] : [])];
  return kept(value, foldAnd(conditions), expression, 'GROUP BY');
}

function innerKey(r: ExpressionContext, written: Expression): Expr {
  if (written.kind === 'literal') throw badInnerOrdinal(written, 'GROUP BY');
  const { expr, type, position } = r.resolveAggregated(written);
  if (!isComparable(type)) throw failure('type_mismatch', `cannot group by ${shortTypeName(type)}`, position);
  return expr;
}

function badInnerOrdinal({ position }: Expression, clause: 'GROUP BY' | 'ORDER BY'): Error {
  const message = `${clause} in an aggregate takes no numbers of columns`;
  return failure('bad_ordinal', message, position, { hint: 'write the expression' });
}

/** As a constant it would sort nothing, where the caller means a value. @throws bad_ordinal */
export function refuseInnerOrdinal(key: Expression): void {
  if (key.kind === 'literal' && key.literal.type === 'integer') throw badInnerOrdinal(key, 'ORDER BY');
}

const ONE: Expr = { kind: 'literal', type: INT64, value: 1n };

/** An aggregate in the arguments of one with inner groups, over the rows of an inner group. */
export function ofInnerGroup(
  { partitionBy }: InnerLevel,
  { name, orderBy, limit, having, groups, position }: CallExpression
): WindowExpr {
  const odd =
    groups !== null
      ? 'GROUP BY'
      : having !== null
        ? 'HAVING'
        : orderBy.length > 0
          ? 'ORDER BY'
          : limit
            ? 'LIMIT'
            : null;
  if (odd !== null) {
    throw failure(
      'not_supported',
      `${odd} in ${name} inside of an aggregate with GROUP BY is not supported`,
      position,
      {
        name: odd,
        hint: 'group in a subquery, and aggregate its rows',
      }
    );
  }
  return { partitionBy, orderBy: [], frame: null, inGroup: true };
}

/** @throws not_supported for a call that reads NULL, too */
function kept(value: Value, condition: Expr, { name, over, position }: CallExpression, clause: string): Value {
  const call = callIn(value.expr);
  if (call === undefined) {
    throw failure('wrong_arguments', `${name} takes no ${clause}`, position, { hint: 'filter the rows in a subquery' });
  }
  if (!keepsNulls(call)) return { ...value, expr: restricted(value.expr, condition) };
  if (
    value.expr === call &&
    isAggregate(call, 'array_agg') &&
    !(call.distinct && call.orderBy.length > 0) &&
    over === null
  ) {
    return { ...value, expr: restrictedList(call, condition) };
  }
  throw failure('not_supported', `this form of ${name} with ${clause} is not supported`, position, {
    name: clause,
    hint: 'filter the rows in a subquery',
  });
}

/** A function over the rows of a group, for each of its rows. */
function inGroup(fn: PlainAggregate, args: readonly Expr[], type: Type, partitionBy: readonly Expr[]): AggregateExpr {
  return aggregateOf(fn, args, type, { partitionBy, orderBy: [], frame: null, inGroup: true });
}
