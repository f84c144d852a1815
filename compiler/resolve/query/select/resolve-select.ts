/** Resolves a SELECT block: items, grouping, filters and order. */
import type { Expression, SelectBody, SelectItem } from '../../../ast';
import type { Value } from '../../../functions/function';
import { containsSubquery } from '../../../ir/walk/children';
import type { Expr } from '../../../ir/expression';
import { withoutImplied } from '../../../ir/passes/conditions/implied-presence';
import type { QueryPlan, SortItem } from '../../../ir/plan';
import { BOOL, isComparable, shortTypeName, unnamedField } from '../../../ir/types';
import { failure } from '../../failure';
import { conjuncts, foldAnd } from '../../expressions/fold-conditions';
import { containsAggregate, containsGrouping, containsWindow, Grouping, readsGroup } from '../grouping/grouping';
import { groupedRows } from '../grouping/grouped-rows';
import { groupingSets, oneSet, type GroupingSets } from '../grouping/grouping-sets';
import type { Resolution, TableScope } from '../../resolution';
import type { Place } from '../../expressions/expression-context';
import { ExpressionResolver, type SubqueryResolver } from '../../expressions/resolve-expression';
import { structOf } from '../../expressions/values/struct-value';
import { hoistedOrder } from '../order/hoisted-order';
import { NamedWindows } from '../named-windows';
import { orderedAround } from '../order/ordered-around';
import { checkDistinct, notSelected, type OrderKey, orderKeys, ordinal } from '../order/order-keys';
import { addPiece, FromResolver, type QueryResolver, type ResolvedFrom } from '../from/resolve-from';
import type { Piece } from '../from/from-piece';
import { ResolvedSelect } from './resolved-select';
import type { SelectColumn } from '../resolved-query';
import { Scope } from '../../names/scope';
import { withoutColumns } from '../../relations/without-columns';
import { ensureFewColumns } from './column-limit';
import { resolveLimit } from '../order/resolve-limit';
import { windowCondition } from '../row-number';
import type { Tail } from '../order/tail';
import { explainedInList, SelectAliases } from '../../names/select-aliases';
import { impliedName, named } from '../../names/select-columns';
import { StarResolver } from './select-star';
import { rememberBounds } from '../time-bounds';
import { callOf, isConstant } from '../../../ir/operations/call';
import type { QueryDraft, SelectDraft } from '../../drafts';

export interface SelectContext {
  readonly resolution: Resolution;
  readonly tables: TableScope;
  readonly outer: Scope | null;
  readonly resolveQuery: QueryResolver;
  readonly subquery: SubqueryResolver;
  /** `SELECT AS STRUCT` is allowed here. */
  readonly asStruct: boolean;
  /** What a pipe has resolved in place of FROM and WHERE. */
  readonly input?: { readonly piece: Piece; readonly relationsBefore: number };
}

/** Resolves a SELECT together with its ORDER BY and LIMIT. */
export function resolveSelect(body: SelectBody, tail: Tail, context: SelectContext): ResolvedSelect {
  return new SelectResolver(body, tail, context).resolve();
}

class SelectResolver {
  private readonly scope: Scope;
  private readonly resolution: Resolution;
  private readonly windows: NamedWindows;
  private readonly resolvers: ExpressionResolver[] = [];
  /** Whether each row is the value of its column. */
  private isValue = false;
  private isDistinct: boolean;
  private relationsBefore = 0;
  private relationsAfter = 0;

  constructor(
    private readonly body: SelectBody,
    private readonly tail: Tail,
    private readonly context: SelectContext
  ) {
    this.scope = new Scope(context.outer);
    this.resolution = context.resolution;
    this.windows = new NamedWindows(body.windows);
    this.isDistinct = body.distinct;
  }

  resolve(): ResolvedSelect {
    const { body } = this;
    const { columns, listed, aliases, from, where, grouping, having, qualify, order } = this.resolveClauses();
    const exprs = [
      ...columns.map(({ value }) => value.expr),
      ...(having ? [having] : []),
      ...(qualify ? [qualify] : []),
      ...order.map((key) => key.sort.expr),
    ];
    // An aggregate that folding has removed still makes the block one group: `SELECT COALESCE(1, SUM(x))`.
    const isOne = having !== null || this.resolvers.some((resolver) => resolver.sawAggregate);
    if (body.distinct) checkDistinct(columns);
    const isPlain = grouping === null && !isOne && !exprs.some(containsWindow);
    // Keys that DISTINCT does not select: it becomes groups, or the order goes around this block.
    const hidden = body.distinct ? order.filter((key) => key.column === null) : [];
    const isAround = hidden.length > 0 && !isPlain && !this.isStruct && !this.isValue;
    const groups = hidden.length === 0 || isAround ? grouping : this.groupsOfDistinct(listed, hidden, isPlain);
    const grouped = groups !== null || isOne;
    if (grouped) this.checkGrouped(groups?.keys ?? [], exprs);
    const block = { columns, having, qualify, order: isAround ? [] : order, from, where };
    const isSplit =
      body.groupBy?.kind === 'sets' ||
      aliases.isKeyReadInside ||
      exprs.some(containsGrouping) ||
      groups?.keys.some(containsSubquery);
    const ranks = exprs.some(readsGroup);
    const resolved =
      (groups !== null && isSplit) || aliases.areReadInside || ranks
        ? this.ofSets(groups ?? oneSet([]), aliases, ranks, block)
        : this.finish({ ...block, exprs }, grouped ? (groups?.keys ?? []) : null);
    if (!isAround) return resolved;
    return orderedAround(this.resolution, { query: resolved, columns, order }, (relation) => this.isOwn(relation));
  }

  private resolveClauses(): Clauses {
    const { body } = this;
    const from = this.from();
    this.relationsAfter = this.resolution.relationCount;

    const items = this.expressions({ clause: 'SELECT', aggregates: true, windows: true, aliases: null });
    const before = this.resolution.copiedSubqueries;
    const written = body.items.flatMap((item) => this.selectItem(item, items));
    const columns = this.asWritten(written, before);
    if (columns.length === 0) throw failure('wrong_columns', 'the query selects no columns', body.position);
    ensureFewColumns(columns.length, 'the query', body.position);
    const listed = this.isStruct ? named(written) : columns;
    const aliases = new SelectAliases(listed, () => withoutColumns(this.resolution).id);
    const reads = this.scope.readFromInside.length;
    const where = withoutImplied(this.where(from?.conditions ?? [], aliases), from?.plan ?? null);
    // Subqueries in WHERE read before grouping.
    this.scope.readFromInside.length = reads;
    const grouping = this.groupBy(listed, aliases);
    aliases.groupBy([...(grouping?.keys ?? []), ...(body.distinct ? listed.map(({ value }) => value.expr) : [])]);
    const late: Place = { clause: 'HAVING', aggregates: true, windows: false, aliases };
    try {
      const having = body.having && this.expressions(late).resolveCondition(body.having);
      const qualify = body.qualify && this.qualify(body.qualify, { ...late, clause: 'QUALIFY', windows: true });
      const order = this.orderKeys(listed, aliases);
      return { columns, listed, aliases, from: from?.plan ?? null, where, grouping, having, qualify, order };
    } catch (error) {
      throw aliases.meant(error);
    }
  }

  /** Reads the values of the block from groups of their own, see `grouped-rows`. */
  private ofSets(
    groups: GroupingSets,
    aliases: SelectAliases,
    ranks: boolean,
    parts: Omit<BlockParts, 'exprs'>
  ): ResolvedSelect {
    const isOwn = (relation: number): boolean => this.isOwn(relation);
    const block = { grouping: groups, aliases, isOwn, position: this.body.position, ranks };
    const { from, replace } = groupedRows(this.resolution, parts, block);
    const columns = parts.columns.map(({ name, value }) => ({ name, value: { ...value, expr: replace(value.expr) } }));
    const order = parts.order.map((key) => ({ ...key, sort: { ...key.sort, expr: replace(key.sort.expr) } }));
    const qualify = parts.qualify && replace(parts.qualify);
    const where = parts.having === null ? [] : [replace(parts.having)];
    const exprs = [...columns.map(({ value }) => value.expr), ...order.map(({ sort }) => sort.expr)];
    return this.finish({ columns, having: null, qualify, order, exprs, from, where }, null);
  }

  private finish(parts: BlockParts, groupBy: readonly Expr[] | null): ResolvedSelect {
    const distinct = this.isDistinct;
    const { columns: selected, order, exprs, ...rest } = parts;
    const { isValue } = this;
    // The value of a row has no name; an alias serves ORDER BY.
    const columns = isValue ? named(selected.map(({ value }) => ({ name: '', value }))) : selected;
    const select: SelectDraft = { kind: 'select', distinct, outputs: [], groupBy, groupingSets: null, ...rest };
    const plan: QueryDraft = { kind: 'query', body: select, orderBy: [], value: null, ordered: false, ...this.limit() };
    const resolved = new ResolvedSelect(this.resolution, plan, select, columns, isValue);
    const computes = groupBy !== null || rest.qualify !== null || exprs.some(containsWindow);
    this.resolution.work.note(plan, computes, exprs, this.body.position);
    if (distinct) columns.forEach((_, index) => resolved.output(index, [], 'value'));
    plan.orderBy =
      order.length > 0
        ? order.map((key) => this.sortItem(key, resolved))
        : exprs.some(containsWindow)
          ? []
          : hoistedOrder(this.resolution, select, this.body.position);
    return resolved;
  }

  private from(): ResolvedFrom | null {
    const { input } = this.context;
    this.relationsBefore = input?.relationsBefore ?? this.resolution.relationCount;
    if (input !== undefined) return addPiece(input.piece, this.scope);
    return this.body.from && this.fromResolver().resolve(this.body.from, this.scope);
  }

  private fromResolver(): FromResolver {
    const { resolution, tables, outer, resolveQuery, subquery } = this.context;
    return new FromResolver(resolution, tables, outer, resolveQuery, subquery);
  }

  private expressions(place: Place): ExpressionResolver {
    const resolver = new ExpressionResolver(this.resolution, this.scope, place, this.context.subquery);
    // As in GoogleSQL, ORDER BY cannot name a window.
    if (place.windows && place.clause !== 'ORDER BY') resolver.namedWindows = this.windows;
    this.resolvers.push(resolver);
    return resolver;
  }

  private selectItem(item: SelectItem, items: ExpressionResolver): SelectColumn[] {
    if (item.kind === 'select-star') return new StarResolver(this.scope, this.resolution).columns(item, items);
    const value = this.itemValue(item.expression, items);
    return [{ name: item.alias?.name ?? impliedName(item.expression) ?? '', value }];
  }

  private itemValue(expression: Expression, items: ExpressionResolver): Value {
    try {
      return items.resolve(expression);
    } catch (error) {
      throw explainedInList(error, this.body.items);
    }
  }

  /** Whether the rows are values of one STRUCT. */
  private get isStruct(): boolean {
    return this.body.as === 'STRUCT' && this.context.asStruct;
  }

  /**
   * Combines `SELECT AS STRUCT a, b` into one column. Where rows are not values, the columns of a record are its
   * fields.
   */
  private asWritten(columns: SelectColumn[], before: number): SelectColumn[] {
    const { as, position } = this.body;
    if (this.isStruct) {
      const fields = columns.map(({ name, value }, index) => ({
        name: name === '' ? unnamedField(index) : name,
        value,
      }));
      return [{ name: '', value: structOf(fields, position) }];
    }
    if (as !== 'VALUE') return named(columns);
    const [column] = columns;
    if (column === undefined || columns.length !== 1) {
      throw failure('wrong_columns', `SELECT AS VALUE must have one column, found ${columns.length}`, position);
    }
    if (this.context.asStruct) return named(columns);
    const { kind } = column.value.type;
    if (kind === 'STRUCT' || kind === 'RECORD') {
      return named(new StarResolver(this.scope, this.resolution).fieldsOf(column.value, before, position));
    }
    this.isValue = true;
    return named(columns);
  }

  private where(opened: readonly Expr[], aliases: SelectAliases): Expr[] {
    const written = this.body.where === null ? [] : [this.whereCondition(this.body.where, aliases)];
    const conditions = conjuncts(foldAnd([...opened, ...written]));
    for (const condition of conditions) {
      rememberBounds(this.resolution, condition, (relation) => this.isOwn(relation));
    }
    return conditions;
  }

  private whereCondition(condition: Expression, aliases: SelectAliases): Expr {
    try {
      return this.expressions({ clause: 'WHERE', aggregates: false, windows: false, aliases: null }).resolveCondition(
        condition
      );
    } catch (error) {
      throw aliases.explained(error);
    }
  }

  /**
   * Relations are numbered in order of creation, so those of this block's FROM are consecutive (including derived
   * tables in it).
   */
  private isOwn(relation: number): boolean {
    return relation > this.relationsBefore && relation <= this.relationsAfter;
  }

  /** @throws misplaced_window when neither the condition nor the select list has a window function, as in GoogleSQL */
  private qualify(condition: Expression, place: Place): Expr {
    const expr = this.expressions(place).resolveCondition(condition);
    if (containsWindow(expr)) return expr;
    if (!this.resolvers.some((resolver) => resolver.sawWindow)) {
      throw failure('misplaced_window', 'QUALIFY needs a window function', condition.position, {
        hint: 'write QUALIFY ROW_NUMBER() OVER (...) = 1, or filter with WHERE or HAVING',
      });
    }
    return windowCondition(expr);
  }

  private groupBy(columns: readonly SelectColumn[], aliases: SelectAliases): GroupingSets | null {
    const { groupBy } = this.body;
    if (groupBy === null) return null;
    const read = (item: Expression): Value => groupable(this.groupItem(item, columns, aliases));
    if (groupBy.kind === 'sets') return groupingSets(groupBy.items, read, this.resolution, this.body.position);
    const values =
      groupBy.kind === 'all'
        ? columns
            .map(({ value }) => value)
            .filter(({ expr }) => !containsAggregate(expr) && !containsWindow(expr))
            .map(groupable)
        : groupBy.items.map(read);
    return setOf(values);
  }

  /**
   * Groups in place of DISTINCT, so that ORDER BY takes expressions of the columns.
   * @throws bad_order for a key that reads anything else
   */
  private groupsOfDistinct(
    columns: readonly SelectColumn[],
    hidden: readonly OrderKey[],
    isPlain: boolean
  ): GroupingSets {
    const groups = setOf(columns.map(({ value }) => value));
    const selected = new Grouping(groups.keys, (relation) => this.isOwn(relation), this.body.position);
    for (const key of hidden) if (!isPlain || !selected.allows(key.sort.expr)) throw notSelected(key);
    this.isDistinct = false;
    return groups;
  }

  private groupItem(item: Expression, columns: readonly SelectColumn[], aliases: SelectAliases): Value {
    const selected = ordinal(item, columns, 'GROUP BY') ?? aliases.of(item);
    const value = selected
      ? { ...selected, position: item.position }
      : this.expressions({ clause: 'GROUP BY', aggregates: false, windows: false, aliases: null }).resolve(item);
    if (containsAggregate(value.expr) || containsWindow(value.expr)) {
      throw failure('misplaced_aggregate', 'an aggregate is not allowed in GROUP BY', item.position);
    }
    return value;
  }

  private checkGrouped(groups: readonly Expr[], exprs: readonly Expr[]): void {
    const grouping = new Grouping(groups, (relation) => this.isOwn(relation), this.body.position);
    for (const expr of exprs) grouping.check(expr);
    grouping.checkReads(this.scope.readFromInside, groups);
    for (const { keys, exprs: read } of this.resolvers.flatMap(({ innerReads }) => innerReads)) {
      const inner = new Grouping(keys, (relation) => this.isOwn(relation), this.body.position);
      for (const expr of read) inner.check(expr);
    }
  }

  private orderKeys(columns: readonly SelectColumn[], aliases: SelectAliases): readonly OrderKey[] {
    const resolver = this.expressions({ clause: 'ORDER BY', aggregates: true, windows: true, aliases });
    const keys = orderKeys(this.tail.orderBy, columns, aliases, resolver);
    return this.isStruct ? keys.map((key) => ({ ...key, column: null })) : keys;
  }

  private sortItem(key: OrderKey, resolved: ResolvedSelect): SortItem {
    return { ...key.sort, output: key.column === null ? null : resolved.output(key.column, [], 'value').name };
  }

  private limit(): Pick<QueryPlan, 'limit' | 'offset'> {
    return resolveLimit(
      this.tail.limit,
      this.expressions({ clause: 'LIMIT', aggregates: false, windows: false, aliases: null })
    );
  }
}

function setOf(values: readonly Value[]): GroupingSets {
  const varying = values.map(({ expr }) => expr).filter((expr) => !isConstant(expr));
  const [constant] = values;
  // Stores read a constant as an ordinal. Grouping by constants only gives one group of all rows, or none without
  // rows.
  if (varying.length > 0 || constant === undefined) return oneSet(varying);
  return oneSet([callOf('is_null', [constant.expr], BOOL)]);
}

function groupable(value: Value): Value {
  if (isComparable(value.type)) return value;
  throw failure('type_mismatch', `cannot group by ${shortTypeName(value.type)}`, value.position, {
    hint:
      value.type.kind === 'INTERVAL'
        ? 'group by its text, CAST(... AS STRING), or by TIMESTAMP_DIFF(later, earlier, unit)'
        : 'group by a field of it, or by TO_JSON_STRING(...)',
  });
}

/** The clauses of a block, in which names are resolved. */
interface Clauses extends Pick<SelectDraft, 'from' | 'where' | 'having' | 'qualify'> {
  readonly columns: SelectColumn[];
  /** Columns that GROUP BY, HAVING, QUALIFY and ORDER BY read: of SELECT AS STRUCT, its fields. */
  readonly listed: SelectColumn[];
  readonly aliases: SelectAliases;
  readonly grouping: GroupingSets | null;
  readonly order: readonly OrderKey[];
}

/** What a block reads and computes. */
interface BlockParts extends Pick<SelectDraft, 'from' | 'where' | 'having' | 'qualify'> {
  readonly columns: SelectColumn[];
  readonly order: readonly OrderKey[];
  /** All expressions behind FROM and WHERE. */
  readonly exprs: readonly Expr[];
}
