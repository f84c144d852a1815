/** Select aliases as later clauses read them: GROUP BY, HAVING, QUALIFY, ORDER BY and subqueries in these. */
import type { Expression, Identifier, SelectItem } from '../../ast';
import type { Value } from '../../functions/function';
import type { ColumnExpr, Expr } from '../../ir/expression';
import { isConstant } from '../../ir/operations/call';
import { expressionKey } from '../../ir/passes/expression-key';
import { ServiceError } from '#contract/errors';
import { nearestName } from '#contract/nearest-name';
import { failure } from '../failure';
import { containsAggregate, containsWindow } from '../query/grouping/grouping';
import type { SelectColumn } from '../query/resolved-query';

export class SelectAliases {
  private readonly values = new Map<string, Value>();
  private readonly doubled = new Set<string>();
  private readonly columns = new Map<Expr, ColumnExpr>();
  /** Values that rows are grouped by, or distinct by. */
  private keys: readonly Expr[] = [];
  /** Whether a subquery reads a computed value that rows are grouped by, which DuckDB does not find there. */
  isKeyReadInside = false;

  /** @param relation number of a relation that only `readInside` makes columns of */
  constructor(
    columns: readonly SelectColumn[],
    private readonly relation: () => number
  ) {
    for (const { name, value } of columns) {
      const key = name.toLowerCase();
      if (this.values.has(key)) this.doubled.add(key);
      this.values.set(key, value);
    }
  }

  /** Notes what rows are grouped by, or distinct by. */
  groupBy(keys: readonly Expr[]): void {
    this.keys = keys;
  }

  /** The value. Fields of a struct that rows are grouped by are read from it. */
  whole(value: Value): Value {
    const { expr } = value;
    return expr.kind === 'struct' && this.isKey(expr) ? { ...value, expr: { ...expr, isKey: true } } : value;
  }

  private isKey(expr: Expr): boolean {
    const own = expressionKey(expr);
    return this.keys.some((key) => key.kind === expr.kind && expressionKey(key) === own);
  }

  has(name: string): boolean {
    return this.values.has(name.toLowerCase());
  }

  /** @throws ambiguous_column when two select items have this name */
  named({ name, position }: Identifier): Value | undefined {
    const key = name.toLowerCase();
    if (this.doubled.has(key)) {
      throw failure('ambiguous_column', `"${name}" is ambiguous: two select items have this name`, position, {
        hint: 'give one of them another name with AS',
      });
    }
    return this.values.get(key);
  }

  /** A bare name refers to a select alias before a column. */
  of(expression: Expression): Value | undefined {
    if (expression.kind !== 'path' || expression.parts.length !== 1) return undefined;
    return this.named(expression.parts[0]);
  }

  /** The error of WHERE, with a hint if the unknown column is an alias, which only later clauses read. */
  explained(error: unknown): unknown {
    return withAliasHint(error, (name, hint) => {
      const value = this.values.get(name);
      if (value === undefined) return undefined;
      const later = containsWindow(value.expr)
        ? 'filter with QUALIFY'
        : containsAggregate(value.expr)
          ? 'filter with HAVING'
          : undefined;
      // The field that is read is its expression, as a rule.
      if (hint !== undefined && later === undefined) return undefined;
      const instead = later ?? 'repeat its expression, or filter the rows of a subquery';
      return `WHERE does not read names of the SELECT list: ${instead}`;
    });
  }

  /** The error of a clause that reads select aliases, with a hint if one of them is nearly the unknown name. */
  meant(error: unknown): unknown {
    return withAliasHint(error, (name, hint) => {
      const near = hint === undefined ? nearestName(name, this.values.keys()) : undefined;
      return near && `did you mean "${near}"?`;
    });
  }

  /**
   * The alias in a subquery. An aggregate of the block is a column there, because in the subquery it would be one of
   * the subquery's own; `behind` returns it.
   * @throws misplaced_window for a window function; misplaced_aggregate for an aggregate in another
   */
  readInside(name: Identifier, insideAggregate: boolean): Value | undefined {
    const value = this.named(name);
    if (value === undefined) return undefined;
    if (containsWindow(value.expr)) {
      throw failure(
        'misplaced_window',
        `"${name.name}" is a window function, which a subquery cannot read here`,
        name.position,
        {
          hint: 'compute it in a subquery in FROM, or in a WITH query',
        }
      );
    }
    if (!containsAggregate(value.expr)) {
      if (isComputed(value.expr) && this.isKey(value.expr)) this.isKeyReadInside = true;
      return this.whole(value);
    }
    if (insideAggregate) throw aggregated(name);
    return { ...value, expr: this.column(value.expr, name) };
  }

  /** Whether a subquery reads an aggregate of the block. */
  get areReadInside(): boolean {
    return this.columns.size > 0;
  }

  /** The aggregated value behind a column that a subquery reads. */
  behind(expr: Expr): Expr | undefined {
    if (expr.kind !== 'column') return undefined;
    for (const [value, { relation, name }] of this.columns) {
      if (expr.relation === relation && expr.name === name) return value;
    }
    return undefined;
  }

  private column(expr: Expr, { name, position }: Identifier): ColumnExpr {
    let column = this.columns.get(expr);
    if (column === undefined) {
      const relation = this.columns.values().next().value?.relation ?? this.relation();
      const place = { name: `a${this.columns.size + 1}`, display: name, position };
      column = { kind: 'column', relation, type: expr.type, ...place };
      this.columns.set(expr, column);
    }
    return column;
  }
}

/** Whether the value is neither a column nor a constant. */
function isComputed(expr: Expr): boolean {
  return expr.kind !== 'column' && !isConstant(expr);
}

/** The error of an item of the SELECT list, with a hint if the unknown column is the alias of an item. */
export function explainedInList(error: unknown, items: readonly SelectItem[]): unknown {
  return withAliasHint(error, (name, hint) =>
    items.some((item) => isNamed(item, name) && (hint === undefined || !READS.has(item.expression.kind)))
      ? 'the SELECT list does not read its own names: repeat the expression, or select from a subquery'
      : undefined
  );
}

/** Items that read a column or a field. */
const READS: ReadonlySet<Expression['kind']> = new Set(['path', 'field', 'index']);

function isNamed(item: SelectItem, name: string): item is SelectItem & { kind: 'select-expression' } {
  return item.kind === 'select-expression' && item.alias?.name.toLowerCase() === name;
}

/** @param hintOf for a name in lower case, and the hint that the error has; undefined: keep it */
function withAliasHint(
  error: unknown,
  hintOf: (name: string, hint: string | undefined) => string | undefined
): unknown {
  if (!(error instanceof ServiceError) || error.details.reason !== 'unknown_column') return error;
  const { name } = error.details;
  if (typeof name !== 'string') return error;
  // A field of a record or a column of a table that is named is no alias.
  if (error.message.startsWith(`unknown column "${name}" in `)) return error;
  const hint = hintOf(name.toLowerCase(), typeof error.details.hint === 'string' ? error.details.hint : undefined);
  return hint === undefined ? error : new ServiceError(error.code, error.message, { ...error.details, hint });
}

export function aggregated({ name, position }: Identifier): Error {
  return failure('misplaced_aggregate', `"${name}" is an aggregate, which is not allowed in an aggregate`, position, {
    hint: `use "${name}" alone, or write the table's name before the column`,
  });
}
