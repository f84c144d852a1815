/** Prints a resolved statement as SQL of its store, with its bound values. */
import type { CatalogPart } from '../catalog/catalog';
import type { BoundValue, CompiledStatement } from '../compiled-query';
import type { BoundExpr, Expr } from '../ir/expression';
import { Magnitudes } from '../ir/passes/magnitude';
import { newestFirstScan } from '../ir/passes/newest-first';
import type { ScanInput } from '../ir/plan';
import { pushedOrder } from '../ir/passes/push-order';
import { findReachable, type Reachable } from '../ir/passes/reachable';
import { STRING } from '../ir/types';
import type { ResolvedStatement } from '../resolve/resolve-statement';
import type { FailurePlace } from '../failure-places';
import { FailurePlaces } from './failure-place';
import { PrintBudget } from './print-budget';
import { printExpression, type PrintContext } from './print-expression';
import type { SortKey } from './dialect';
import { relationAlias } from './print-from';
import { capped, PlanPrinter } from './print-plan';
import { partsInBounds } from './print-scan';
import type { StoreSql } from './store-sql';

export interface PrintedStatement extends CompiledStatement {
  /** Statements over older parts, see `CompiledQuery.older`. */
  readonly older: Iterable<CompiledStatement>;
  readonly rowLimit: number;
  readonly places: readonly FailurePlace[];
}

interface PrintChoices {
  readonly places: FailurePlaces;
  readonly reachable: Reachable;
  readonly only: Only | null;
  readonly guarded: boolean;
}

type Only = { readonly scan: ScanInput; readonly parts: readonly CatalogPart[] };

export interface PrintOptions {
  readonly store: StoreSql;
  /** Caps the rows of the result. */
  readonly limit: number;
  /** Of the request, microseconds since 1970. */
  readonly nowMicros: number;
}

export function printStatement(statement: ResolvedStatement, options: PrintOptions): PrintedStatement {
  const { limit } = options;
  const { plan } = statement.query;
  const reachable = findReachable(plan, statement.outputs);
  const { tenant, parameters } = statement.resolution.input;
  const places = new FailurePlaces(parameters, statement.adhoc !== null);
  const print = (only: Only | null): CompiledStatement => {
    const printed = printOnce(statement, options, { reachable, only, guarded: false, places });
    if (tenant === null) return printed;
    return printed.mayFail ? printOnce(statement, options, { reachable, only, guarded: true, places }) : printed;
  };
  const rows = capped(plan.limit, limit);
  const rowLimit = rows.kind === 'literal' ? Number(rows.value) : limit;
  const scan = newestFirstScan(plan, reachable);
  const groups = scan ? partGroups(partsInBounds(scan)) : [];
  if (scan === undefined || groups.length < 2) return { ...print(null), older: [], rowLimit, places: places.list };
  const [newest, ...rest] = groups as [readonly CatalogPart[], ...(readonly CatalogPart[])[]];
  const older = {
    *[Symbol.iterator]() {
      for (const parts of rest) yield print({ scan, parts });
    },
  };
  return { ...print({ scan, parts: newest }), older, rowLimit, places: places.list };
}

/** Groups parts newest first, of sizes one, one, then doubling, so that a search for rare rows takes few statements. */
function partGroups(parts: readonly CatalogPart[]): readonly (readonly CatalogPart[])[] {
  const groups: (readonly CatalogPart[])[] = [];
  for (let from = 0; from < parts.length;) {
    const size = Math.max(1, from);
    groups.push(parts.slice(from, from + size));
    from += size;
  }
  return groups;
}

function printOnce(
  { query, outputs, resolution }: ResolvedStatement,
  { store, limit, nowMicros }: PrintOptions,
  { reachable, only, guarded, places }: PrintChoices
): CompiledStatement & { readonly mayFail: boolean } {
  let mayFail = false;
  const values: BoundValue[] = [];
  const numbersOfValues = new Map<string, number>();
  const bind = (bound: BoundExpr): number => {
    let number = numbersOfValues.get(bound.key);
    if (number === undefined) {
      number = values.push(bound.value);
      numbersOfValues.set(bound.key, number);
    }
    return number;
  };
  const numbers = new Magnitudes((id) => reachable.relation(id));
  const context: PrintContext = {
    dialect: store.dialect,
    budget: new PrintBudget(),
    nowMicros,
    bind,
    relationAlias,
    columns: (relation) => reachable.columns(relation),
    rows: [],
    printPlan: (plan) => printer.subquery(plan),
    numbers,
    onMayFail: () => (mayFail = true),
    placeOf: (expr) => places.numberOf(expr),
  };
  const expression = (expr: Expr): string => printExpression(expr, context);
  const order = store.pushesOrder ? pushedOrder(query.plan, reachable) : undefined;
  const pushed = order && { ...order, limit: capped(query.plan.limit, limit) };
  const jsonText = (json: string, path: readonly string[]): string =>
    store.dialect.jsonField(json, { path, type: STRING });
  const orderKey = (key: SortKey): string => store.dialect.orderKey(key);
  const within = (rows: PrintContext['rows'], expr: Expr): string => printExpression(expr, { ...context, rows });
  const dialect = { ...store.relations(expression), expression, within, orderKey, jsonText, numbers };
  const printer = new PlanPrinter(dialect, reachable, { only, pushed, guarded, tenant: resolution.input.tenant });
  return { sql: printer.statement(query.plan, outputs, resolution.commonTables, limit), values, mayFail };
}
