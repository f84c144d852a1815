/** Printers of one statement: its expressions, its plans, and its bound values. */
import type { BoundValue } from '../../ir/bound-value';
import type { BoundExpr, Expr } from '../../ir/expression';
import { BoundedSums } from '../../ir/passes/numbers/bounded-sums';
import { Magnitudes } from '../../ir/passes/numbers/magnitude';
import type { Reachable } from '../../ir/passes/reachable';
import type { QueryPlan } from '../../ir/plan';
import type { Site } from '../../ast/site';
import { itemAt } from '../../items';
import { STRING } from '../../ir/types';
import type { KeyForm, SortKey } from '../dialect/dialect';
import type { FailurePlaces } from '../expressions/failure-place';
import { PrintBudget } from '../expressions/print-budget';
import { printExpression, type PrintContext } from '../expressions/print-expression';
import { relationAlias } from '../relations/print-from';
import { type PlanChoices, PlanPrinter } from '../relations/print-plan';
import type { PlanDialect } from '../dialect/relation-dialect';
import type { StoreSql } from '../store-sql';

export interface PrintedWith {
  readonly plan: QueryPlan;
  readonly store: StoreSql;
  readonly reachable: Reachable;
  readonly places: FailurePlaces;
  /** Time of the request, microseconds since 1970. */
  readonly nowMicros: number;
  readonly values: BoundValues;
}

/** Values of a statement in the order of their numbers, from 1. */
export class BoundValues {
  readonly list: BoundValue[];
  private readonly numbers: Map<string, number>;

  /** @param first values that are bound already */
  constructor(first?: BoundValues) {
    this.list = [...(first?.list ?? [])];
    this.numbers = new Map(first?.numbers);
  }

  /** The values as expressions, in order. */
  get expressions(): readonly BoundExpr[] {
    return [...this.numbers].map(([key, number]) => {
      const value = itemAt(this.list, number - 1);
      return { kind: 'bound', key, type: { kind: value.type }, value, failure: null };
    });
  }

  /** Number of a value. Equal keys have one number. */
  bind({ key, value }: BoundExpr): number {
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.list.push(value);
      this.numbers.set(key, number);
    }
    return number;
  }
}

export class StatementPrinter {
  readonly plans: PlanPrinter;
  readonly dialect: PlanDialect;
  /** Whether an expression that was printed may fail on some row. */
  mayFail = false;
  /** Whether the time of the request was printed. */
  readsNow = false;

  constructor({ plan, store, reachable, places, nowMicros, values }: PrintedWith, choices: PlanChoices) {
    const numbers = new Magnitudes((id) => reachable.relation(id));
    let sums: BoundedSums | undefined;
    const context: PrintContext = {
      dialect: store.dialect,
      budget: new PrintBudget(),
      now: () => {
        this.readsNow = true;
        return BigInt(nowMicros);
      },
      bind: (bound) => values.bind(bound),
      relationAlias,
      columns: (relation) => reachable.columns(relation),
      rows: [],
      printPlan: (plan) => this.plans.subquery(plan),
      numbers,
      isBoundedSum: (call) => (sums ??= new BoundedSums(plan)).has(call),
      onMayFail: () => (this.mayFail = true),
      placeOf: (expr) => places.numberOf(expr),
    };
    const expression = (expr: Expr): string => printExpression(expr, context);
    const jsonText = (json: string, path: readonly string[]): string =>
      store.dialect.jsonField(json, { path, type: STRING });
    const keyForm = (expr: Expr): KeyForm | null => store.dialect.keyForm(expr);
    const orderKey = (key: SortKey): string => store.dialect.orderKey(key);
    const within = (rows: PrintContext['rows'], expr: Expr): string => printExpression(expr, { ...context, rows });
    const { sharedPart } = store.dialect;
    const relations = store.relations(expression);
    const placeOf = (site: Site | null): number => places.numberOfSite(site);
    this.dialect = { ...relations, expression, within, orderKey, keyForm, placeOf, sharedPart, jsonText, numbers };
    this.plans = new PlanPrinter(this.dialect, reachable, choices);
  }
}
