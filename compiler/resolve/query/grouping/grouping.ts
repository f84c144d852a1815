/** Checks grouped blocks: selected values must be grouped or aggregated. */
import type { SourcePosition } from '../../../ast';
import { children, some } from '../../../ir/walk/children';
import type { Expr } from '../../../ir/expression';
import { expressionKey } from '../../../ir/passes/expression-key';
import { copySites } from '../../../ir/sites';
import { isAggregate } from '../../../ir/operations/call';
import type { QueryPlan } from '../../../ir/plan';
import { failure } from '../../failure';
import type { InnerRead } from '../../names/scope';
import { itemAt } from '../../../items';

export class Grouping {
  private readonly keys: ReadonlyMap<string, Expr>;

  /** @param isOwn whether a relation is of this block's own FROM; columns of outer blocks are constants here */
  constructor(
    groups: readonly Expr[],
    private readonly isOwn: (relation: number) => boolean,
    /** Position of the block. */
    private readonly position: SourcePosition
  ) {
    this.keys = new Map(groups.map((key) => [expressionKey(key), key]));
  }

  /** @throws not_grouped `column "path" is neither grouped nor aggregated` */
  check(expr: Expr, at?: SourcePosition): void {
    const key = this.keys.get(expressionKey(expr));
    if (key !== undefined) {
      // A store takes it for the key only if it is the same text, with the same places of failures.
      if (key !== expr) copySites(key, expr);
      return;
    }
    if ((expr.kind === 'column' || expr.kind === 'lazy-record') && this.isOwn(expr.relation)) {
      throw notGrouped(expr.display, at ?? expr.position);
    }
    if (isAggregate(expr, 'grouping')) this.checkKey(itemAt(expr.args, 0));
    // Aggregates read their arguments before grouping; window calls are evaluated after it.
    if (expr.kind === 'aggregate' && (expr.over === null || expr.over.inGroup)) return;
    children(expr).forEach((child) => this.check(child));
  }

  /** Whether an expression reads the keys and nothing else of the block. */
  allows(expr: Expr): boolean {
    try {
      this.check(expr);
      return true;
    } catch {
      return false;
    }
  }

  /** @throws not_grouped for an argument of GROUPING that is no key */
  private checkKey(expr: Expr): void {
    if (this.keys.has(expressionKey(expr))) return;
    const column = firstColumn(expr);
    throw failure(
      'not_grouped',
      'the argument of GROUPING must be an expression of GROUP BY',
      column ?? this.position,
      {
        hint: 'write it as in GROUP BY',
      }
    );
  }

  /** Applies the same rule to values that subqueries read from this block, except those of the keys. */
  checkReads(reads: readonly InnerRead[], keys: readonly Expr[]): void {
    const ofKeys = keys.flatMap(subplans);
    for (const { value, subquery } of reads) {
      if (subquery === null || !ofKeys.includes(subquery)) this.check(value.expr, value.position);
    }
  }
}

function firstColumn(expr: Expr): SourcePosition | undefined {
  if (expr.kind === 'column' || expr.kind === 'lazy-record') return expr.position;
  for (const child of children(expr)) {
    const found = firstColumn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function notGrouped(name: string, position: SourcePosition): Error {
  return failure('not_grouped', `column "${name}" is neither grouped nor aggregated`, position, {
    name,
    hint: `add it to GROUP BY, or use ANY_VALUE(${name})`,
  });
}

/** Whether the expression contains a call of GROUPING. */
export function containsGrouping(expr: Expr): boolean {
  return some(expr, (part) => isAggregate(part, 'grouping'));
}

function subplans(expr: Expr): readonly QueryPlan[] {
  const own = expr.kind === 'subquery' || expr.kind === 'in-subquery' ? [expr.plan] : [];
  return [...own, ...children(expr).flatMap(subplans)];
}

/** Whether the expression contains an aggregate without OVER. */
export function containsAggregate(expr: Expr): boolean {
  return some(expr, (part) => part.kind === 'aggregate' && part.over === null);
}

/** Whether an aggregate in the expression reads rows by what their group has. */
export function readsGroup(expr: Expr): boolean {
  return some(expr, (part) => part.kind === 'aggregate' && part.over?.inGroup === true);
}

/** Whether the expression contains a window call. Rows then depend on each other, so none may be filtered out below. */
export function containsWindow(expr: Expr): boolean {
  if (expr.kind === 'aggregate') return expr.over !== null;
  return children(expr).some(containsWindow);
}
