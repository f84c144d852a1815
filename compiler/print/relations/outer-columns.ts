/**
 * Outer columns as columns of a correlated query: `FROM a CROSS JOIN (SELECT t1."c1" AS "o1", 1 AS "one") AS o1`, so
 * that its aggregates and window calls read columns of its own FROM.
 */
import { ServiceError } from '#contract/errors';
import { callOf } from '../../ir/operations/call';
import { children, some } from '../../ir/walk/children';
import type { ColumnExpr, Expr } from '../../ir/expression';
import { outerReads, relationsOf } from '../../ir/passes/correlation/correlation';
import { expressionKey } from '../../ir/passes/expression-key';
import { outerOperands } from '../../ir/passes/correlation/outer-operands';
import type { SelectPlan, SortItem } from '../../ir/plan';
import { BOOL, INT64 } from '../../ir/types';
import type { RowNames } from '../dialect/dialect';
import type { PlanDialect } from '../dialect/relation-dialect';

export interface OuterColumns {
  /** The FROM item that has the columns. */
  readonly item: string;
  /** Imported columns that the block must group by, since a window call reads them. */
  readonly groups: readonly string[];
  readonly expression: (expr: Expr) => string;
}

/** @returns undefined if the block needs none */
export function outerColumns(
  dialect: PlanDialect,
  select: SelectPlan,
  orderBy: readonly SortItem[],
  alias: string
): OuterColumns | undefined {
  const { calls, columns, inWindows } = outerOperands(select, orderBy);
  if (calls.size === 0) return undefined;
  if (inWindows && (select.groupBy?.length === 0 || select.groupingSets)) throw notSupported();
  const names = new Map(columns.map((column, index) => [expressionKey(column), `${alias}."o${index + 1}"`]));
  const items = columns.map((column, index) => `${dialect.expression(column)} AS "o${index + 1}"`);
  const imported: RowNames = {
    nameOf: (expr) =>
      expr === ONE ? `${alias}."one"` : expr.kind === 'column' ? names.get(expressionKey(expr)) : undefined,
  };
  const own = new Set(select.from === null ? [] : relationsOf(select.from));
  const printing = new Set<Expr>();
  const replaced: RowNames = {
    nameOf: (expr) => {
      if (!calls.has(expr) || printing.has(expr)) return undefined;
      printing.add(expr);
      const sql = dialect.within([imported, replaced], ownRead(expr, own));
      printing.delete(expr);
      return sql;
    },
  };
  return {
    item: `(SELECT ${[...items, '1 AS "one"'].join(', ')}) AS ${alias}`,
    groups: inWindows && select.groupBy !== null ? [...names.values()] : [],
    expression: (expr) => dialect.within([replaced], expr),
  };
}

const ONE: ColumnExpr = {
  kind: 'column',
  relation: 0,
  name: 'one',
  type: INT64,
  display: 'one',
  position: { offset: 0, end: 0, line: 1, column: 1 },
};

/** Makes a call whose subqueries read outer columns read a column of the block, too. */
function ownRead(call: Expr, own: ReadonlySet<number>): Expr {
  const reads = (expr: Expr): boolean => some(expr, (part) => isCorrelated(part, own));
  if (call.kind === 'in-subquery') return reads(call.operand) ? { ...call, operand: anchored(call.operand) } : call;
  if (call.kind !== 'aggregate' || !children(call).some(reads)) return call;
  const [first, ...rest] = call.args;
  if (call.over !== null || first === undefined) throw notSupported();
  return { ...call, args: [anchored(first), ...rest] };
}

/** Whether a subquery reads columns of queries around the block. */
function isCorrelated(expr: Expr, own: ReadonlySet<number>): boolean {
  if (expr.kind !== 'subquery' && expr.kind !== 'in-subquery') return false;
  return outerReads(expr.plan).some(({ column }) => !own.has(column.relation));
}

function anchored(expr: Expr): Expr {
  const when: Expr = callOf('is_not_null', [ONE], BOOL);
  return { kind: 'case', branches: [{ when, then: expr }], otherwise: null, type: expr.type };
}

function notSupported(): ServiceError {
  const message =
    'a window function or a lambda in a subquery cannot read the columns of the query around it like this';
  return new ServiceError('query_invalid', message, {
    reason: 'not_supported',
    hint: 'join the tables instead of using a subquery',
  });
}
