/**
 * What several calls of a block have in common, as a column of its relation: the store prepares and computes it once.
 * Conditions are printed without it, so that the store applies them first. Not over joins, which may leave out rows.
 */
import { children } from '../../ir/walk/children';
import type { ColumnExpr, Expr, SortExpr } from '../../ir/expression';
import type { OpName } from '../../ir/operations/ops';
import { expressionKey } from '../../ir/passes/expression-key';
import type { Reachable } from '../../ir/passes/reachable';
import type { SelectPlan } from '../../ir/plan';
import type { RowNames } from '../dialect/dialect';
import { relationAlias } from './print-from';
import type { PlanDialect } from '../dialect/relation-dialect';

export interface SharedParts {
  /** Further columns of the relation, `expression AS name`. */
  readonly items: readonly string[];
  readonly expression: (expr: Expr) => string;
}

/** What is printed of SELECT and ORDER BY. */
interface SelectedParts {
  readonly selected: readonly Expr[];
  readonly order: readonly SortExpr[];
}

/** @returns undefined if no part is shared */
export function sharedParts(
  dialect: PlanDialect,
  reachable: Reachable,
  select: SelectPlan,
  { selected, order }: SelectedParts
): SharedParts | undefined {
  const { from, groupBy, groupingSets, having, qualify } = select;
  const form = dialect.sharedPart;
  if (form === null || !form.readers.some((fn) => reachable.calls(fn))) return undefined;
  if (from?.kind !== 'relation' || from.unnests.length > 0 || groupingSets) return undefined;
  if (from.input.kind === 'list' || from.input.kind === 'single-row') return undefined;
  const readers = new Map<string, { readonly column: ColumnExpr; readonly calls: Set<string> }>();
  const note = (expr: Expr): void => {
    const column = form.columnOf(expr);
    if (column?.relation === from.id) {
      const key = expressionKey(column);
      const reader = readers.get(key) ?? { column, calls: new Set() };
      readers.set(key, reader);
      reader.calls.add(expressionKey(expr));
    }
    alwaysComputed(expr).forEach(note);
  };
  for (const expr of [...selected, ...(groupBy ?? []), having, qualify]) if (expr !== null) note(expr);
  for (const { expr } of order) note(expr);
  // Behind the groups, a column that is a key is read without its row.
  for (const key of groupBy ?? []) readers.delete(expressionKey(key));
  const shared = [...readers.values()].filter(({ calls }) => calls.size > 1).map(({ column }) => column);
  if (shared.length === 0) return undefined;
  // No column of a source or a query has a blank in its name, and names of fields have a dot.
  const names = shared.map((_, index) => dialect.quoteIdentifier(`shared ${index + 1}`));
  const keys = shared.map(expressionKey);
  const row: RowNames = {
    nameOf: (expr) => {
      const column = form.columnOf(expr);
      const name = column && names[keys.indexOf(expressionKey(column))];
      return name && form.call(expr, dialect.expression(column), `${relationAlias(from.id)}.${name}`);
    },
  };
  return {
    items: shared.map((column, index) => `${form.part(dialect.expression(column))} AS ${names[index]}`),
    expression: (expr) => dialect.within([row], expr),
  };
}

/** Children that are computed for each row; of some, a store computes the others only if the first does not decide. */
function alwaysComputed(expr: Expr): readonly Expr[] {
  const all = children(expr);
  if (expr.kind === 'lambda') return [];
  const isLazy = expr.kind === 'case' || (expr.kind === 'call' && LAZY.has(expr.fn));
  return isLazy ? all.slice(0, 1) : all;
}

const LAZY: ReadonlySet<OpName> = new Set<OpName>(['and', 'or', 'coalesce']);
