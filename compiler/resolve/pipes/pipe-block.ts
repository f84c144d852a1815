/** A block of a pipe: the operators that one SELECT of the store can run. */
import type { SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import { isCall } from '../../ir/operations/call';
import { some } from '../../ir/walk/children';
import type { Expr, SortExpr } from '../../ir/expression';
import { expressionKey } from '../../ir/passes/expression-key';
import { withoutImplied } from '../../ir/passes/conditions/implied-presence';
import type { QueryPlan } from '../../ir/plan';
import type { Type } from '../../ir/types';
import type { QueryDraft, SelectDraft } from '../drafts';
import { structOf } from '../expressions/values/struct-value';
import { conjuncts, foldAnd } from '../expressions/fold-conditions';
import type { RangeVariable } from '../names/scope';
import { named } from '../names/select-columns';
import type { Piece } from '../query/from/from-piece';
import { containsWindow } from '../query/grouping/grouping';
import { hoistedOrder } from '../query/order/hoisted-order';
import { rememberBounds } from '../query/time-bounds';
import { ResolvedSelect } from '../query/select/resolved-select';
import type { SelectColumn } from '../query/resolved-query';
import { columnValue } from '../relations/demand';
import type { Mention } from '../relations/relation';
import type { Resolution } from '../resolution';
import { isHeavy, listedColumns, type PipeColumn } from './pipe-variables';
import { itemAt } from '../../items';

export class PipeBlock {
  order: readonly SortExpr[] = [];
  limit: Pick<QueryPlan, 'limit' | 'offset'> | null = null;
  /** A condition with windows. */
  qualify: Expr | null = null;
  /** Whether a column has a window function. */
  isWindowed = false;
  /** Whether a condition chooses rows at random, which joins would multiply. */
  isSampled = false;
  /** Names of columns to compute before they are used again, lower case. */
  readonly heavy = new Set<string>();
  /** Names of columns with random values, which must be computed before they are used again. */
  readonly random = new Set<string>();

  constructor(
    public piece: Piece,
    /** Number of relations before those of this block. */
    readonly relationsBefore: number
  ) {}

  /** Whether the rows may not be filtered, joined or grouped in the same block. */
  get isSealed(): boolean {
    return this.limit !== null || this.qualify !== null || this.isWindowed || this.isSampled;
  }

  /** Notes what later operators have to know about a computed column. */
  note(name: string, value: Value): void {
    if (isHeavy(value)) this.heavy.add(name.toLowerCase());
    if (some(value.expr, (part) => isCall(part, 'random', 'random_uuid'))) this.random.add(name.toLowerCase());
    if (containsWindow(value.expr)) this.isWindowed = true;
  }

  /** The block as a query with the listed columns. */
  finished(resolution: Resolution, position: SourcePosition): ResolvedSelect {
    const columns = named(listedColumns(this.piece, position).map((column) => new LazyColumn(column, position)));
    const query = this.query(resolution, columns, position);
    if (this.order.length === 0) return query;
    const keys = columns.map(({ value }) => expressionKey(value.expr));
    query.plan.orderBy = query.plan.orderBy.map((item) => {
      const column = keys.indexOf(expressionKey(item.expr));
      return column < 0 ? item : { ...item, output: query.output(column, [], 'value').name };
    });
    return query;
  }

  /** The block as an inner query, and its names as they read that query's columns. */
  closed(
    resolution: Resolution,
    position: SourcePosition
  ): { readonly query: ResolvedSelect; readonly names: (relation: number) => Pick<Piece, 'variables' | 'merged'> } {
    const columns: PipeColumn[] = [];
    const { variables, merged } = this.piece;
    const places = variables.map((variable) => {
      const first = columns.length;
      variable.columns.forEach(({ name, type }, index) =>
        columns.push({ name, type, read: (mention) => variable.column(index, mention) })
      );
      if (variable.kind === 'record') {
        const { type } = variable.whole(position);
        columns.push({ name: variable.name, type, read: (mention) => variable.whole(mention.position) });
      }
      return { variable, first };
    });
    const shared = merged.map((column) => {
      const { type } = column.value(position);
      columns.push({ name: column.name, type, read: (mention) => column.value(mention.position) });
      return { column, index: columns.length - 1 };
    });
    const query = this.query(
      resolution,
      columns.map((column) => new LazyColumn(column, position)),
      position
    );
    const names = (relation: number): Pick<Piece, 'variables' | 'merged'> => {
      const read = (index: number, mention: Mention): Value =>
        columnValue(resolution, relation, index, itemAt(columns, index).type, mention);
      const again = new Map(places.map(({ variable, first }) => [variable, reread(variable, first, read)]));
      const after = (variable: RangeVariable): RangeVariable => again.get(variable) ?? variable;
      return {
        variables: [...again.values()],
        merged: shared.map(({ column, index }) => ({
          name: column.name,
          owners: column.owners.map(after),
          first: after(column.first),
          value: (at) => read(index, { display: column.name, position: at }),
        })),
      };
    };
    return { query, names };
  }

  private query(resolution: Resolution, columns: SelectColumn[], position: SourcePosition): ResolvedSelect {
    const { piece, order, limit, qualify } = this;
    const conditions = conjuncts(foldAnd(piece.conditions));
    const last = resolution.relationCount;
    for (const condition of conditions) {
      rememberBounds(resolution, condition, (relation) => relation > this.relationsBefore && relation <= last);
    }
    const select: SelectDraft = {
      kind: 'select',
      distinct: false,
      outputs: [],
      from: piece.plan,
      where: withoutImplied(conditions, piece.plan),
      groupBy: null,
      having: null,
      qualify,
    };
    const plan: QueryDraft = {
      kind: 'query',
      body: select,
      orderBy: [],
      value: null,
      ordered: false,
      limit: limit?.limit ?? null,
      offset: limit?.offset ?? null,
    };
    plan.orderBy =
      order.length > 0
        ? order.map((sort) => ({ ...sort, output: null }))
        : this.isWindowed || qualify !== null
          ? []
          : hoistedOrder(resolution, select, position);
    return new ResolvedSelect(resolution, plan, select, columns);
  }
}

/** The same name over columns of a relation, from an index on. */
function reread(
  variable: RangeVariable,
  first: number,
  read: (index: number, mention: Mention) => Value
): RangeVariable {
  const column: RangeVariable['column'] = (index, mention) => read(first + index, mention);
  const whole: RangeVariable['whole'] =
    variable.kind === 'record'
      ? (at) => read(first + variable.columns.length, { display: variable.name, position: at })
      : (at) => wholeOf(variable, column, at);
  return { ...variable, column, whole };
}

function wholeOf(variable: RangeVariable, column: RangeVariable['column'], position: SourcePosition): Value {
  const fields = variable.columns.map(({ name }, index) => ({
    name,
    value: column(index, { display: name, position }),
  }));
  return structOf(fields, position);
}

/** A column whose value is created when it is read: most columns of an inner query never are. */
class LazyColumn implements SelectColumn {
  readonly name: string;
  private known: Value | undefined;

  constructor(
    private readonly column: PipeColumn,
    private readonly position: SourcePosition
  ) {
    this.name = column.name;
  }

  get type(): Type {
    return this.known?.type ?? this.column.type;
  }

  get value(): Value {
    this.known ??= this.column.read({ display: this.name, position: this.position });
    return this.known;
  }

  set value(value: Value) {
    this.known = value;
  }
}
