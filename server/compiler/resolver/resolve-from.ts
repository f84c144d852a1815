/**
 * FROM: from items as written to relations, range variables and join plans. Records of log events are opened without a join: an array of
 * length 0 or 1 joined laterally only drops rows, so opening one is a condition on its presence.
 */
import type { DerivedTable, FromItem, Identifier, JoinItem, SourcePosition, TableReference, UnnestItem } from '../ast';
import type { CatalogSource } from '../catalog';
import type { Value } from '../functions/function';
import { children } from '../ir/children';
import type { Expr } from '../ir/expression';
import type { FromPlan, JoinPlan } from '../ir/plan';
import { BOOL, INT64, type Type } from '../ir/types';
import { comparable } from './compare';
import { failure } from './failure';
import { foldAnd, TRUE } from './fold-conditions';
import { ListRelation, QueryRelation, ScanRelation, type Relation } from './relation';
import type { CommonTable, Resolution, TableScope } from './resolution';
import { ExpressionResolver, type SubqueryResolver } from './resolve-expression';
import { columnOf } from './resolve-path';
import type { ResolvedQuery } from './resolved-query';
import { constantRow, elementVariables, recordVariable, tableVariable, valueVariable } from './range-variables';
import { columnIndex, sameName, Scope, type RangeVariable } from './scope';
import { didYouMean, suggest } from './suggest';

/** A piece of FROM. `plan` null means one row without columns. */
interface Piece {
  readonly plan: FromPlan | null;
  readonly variables: readonly RangeVariable[];
  /** Relations of this piece. */
  readonly relations: readonly number[];
  /** Conditions of opened records that must hold for the rows of this piece. */
  readonly conditions: readonly Expr[];
  readonly merged: ReadonlyMap<string, (position: SourcePosition) => Value>;
  /** A list opened by LEFT JOIN UNNEST keeps the rows of its left neighbours. */
  readonly keepsLeft?: boolean;
}

export interface ResolvedFrom {
  readonly plan: FromPlan | null;
  readonly conditions: readonly Expr[];
}

export type QueryResolver = (query: DerivedTable['query'], outer: Scope | null, tables: TableScope) => ResolvedQuery;

const EMPTY: ReadonlyMap<string, never> = new Map<string, never>();

export class FromResolver {
  constructor(
    private readonly resolution: Resolution,
    private readonly tables: TableScope,
    /** The blocks around this one: an UNNEST may read their columns. */
    private readonly outer: Scope | null,
    private readonly resolveQuery: QueryResolver,
    private readonly subquery: SubqueryResolver
  ) {}

  /** Resolves FROM and puts its range variables into the scope. */
  resolve(item: FromItem, scope: Scope): ResolvedFrom {
    const piece = this.item(item, [], true);
    for (const variable of piece.variables) scope.add(variable);
    for (const [name, value] of piece.merged) scope.merged.set(name, value);
    return { plan: piece.plan, conditions: piece.conditions };
  }

  /**
   * @param left the pieces written before this one that it may read, innermost parenthesis only
   * @param crossed true when only comma and CROSS joins stand around it, so that a constant row can be read in place
   */
  private item(item: FromItem, left: readonly Piece[], crossed: boolean): Piece {
    switch (item.kind) {
      case 'table':
        return this.table(item, left, crossed);
      case 'derived': {
        const query = this.resolveQuery(item.query, this.outer, this.tables);
        return this.queryPiece(query, item.alias, '', item.position, null, crossed);
      }
      case 'unnest':
        return this.unnest(item, left, 'CROSS');
      case 'parenthesized':
        return this.item(item.item, [], crossed);
      case 'join':
        return this.join(item, left, crossed);
    }
  }

  private table(item: TableReference, left: readonly Piece[], crossed: boolean): Piece {
    const unnest = this.asUnnest(item, left);
    if (unnest) return this.unnest(unnest, left, 'CROSS');
    const name = item.path.map((part) => part.name).join('.');
    const found = this.find(name);
    const at = (item.path[0] as Identifier).position;
    if (found === undefined) throw this.notAvailable(name, at);
    const own = item.path.at(-1)?.name ?? name;
    if (found.kind === 'common') {
      found.table.plan.readers += 1;
      this.resolution.usedTables.add(found.table.name);
      return this.queryPiece(found.table.query, item.alias, own, at, found.table, crossed);
    }
    this.resolution.usedTables.add(found.source.name);
    this.resolution.sourceMentions.add(name);
    const relation = this.resolution.register((id) => new ScanRelation(id, found.source));
    return this.relationPiece(relation, item.alias?.name ?? name, item.alias?.position ?? at);
  }

  /** `t.metadata` where t stands to the left is an array to open, as UNNEST is. */
  private asUnnest(item: FromItem, left: readonly Piece[]): UnnestItem | undefined {
    if (item.kind === 'unnest') return item;
    if (item.kind !== 'table' || item.path.length < 2) return undefined;
    if (this.scopeOf(left).variable((item.path[0] as Identifier).name) === undefined) return undefined;
    const array = { kind: 'path', parts: item.path, position: item.position } as const;
    const alias = item.alias ?? (item.path.at(-1) as Identifier);
    return { kind: 'unnest', array, alias, offset: null, position: item.position };
  }

  private find(
    name: string
  ): { kind: 'common'; table: CommonTable } | { kind: 'source'; source: CatalogSource } | undefined {
    for (let scope: TableScope | null = this.tables; scope; scope = scope.parent) {
      const table = scope.tables.find((candidate) => sameName(candidate.name, name));
      if (table) return { kind: 'common', table };
    }
    if (!this.resolution.sourcesVisible) return undefined;
    const { sources } = this.resolution.input.catalog;
    const source = sources.find((s) => s.name === name) ?? sources.find((s) => s.aliases.includes(name));
    return source && { kind: 'source', source };
  }

  private notAvailable(name: string, position: SourcePosition): Error {
    const names: string[] = [];
    for (let scope: TableScope | null = this.tables; scope; scope = scope.parent) {
      names.push(...scope.tables.map((table) => table.name));
    }
    if (this.resolution.sourcesVisible) {
      names.push(...this.resolution.input.catalog.sources.flatMap((source) => [source.name, ...source.aliases]));
    }
    const near = suggest(name, names);
    return failure('table_not_available', `table "${name}" is not available here${didYouMean(name, names)}`, position, {
      name,
      ...(near === undefined ? {} : { hint: `did you mean "${near}"?` }),
      tables: [...new Set(names)],
    });
  }

  private queryPiece(
    query: ResolvedQuery,
    alias: Identifier | null,
    ownName: string,
    position: SourcePosition,
    common: CommonTable | null,
    crossed: boolean
  ): Piece {
    const name = alias?.name ?? ownName;
    const constants = crossed ? query.constants() : null;
    if (constants !== null) {
      if (common) common.plan.readers -= 1;
      const variable = constantRow(name, alias?.position ?? position, query.columns, constants);
      return { plan: null, variables: [variable], relations: [], conditions: [], merged: EMPTY };
    }
    const relation = this.resolution.register((id) => new QueryRelation(id, query, common));
    return this.relationPiece(relation, name, alias?.position ?? position);
  }

  private relationPiece(relation: Relation, name: string, position: SourcePosition): Piece {
    const variable = tableVariable(this.resolution, relation, name, position);
    return { plan: relation.plan, variables: [variable], relations: [relation.id], conditions: [], merged: EMPTY };
  }

  /** Names that an UNNEST argument sees: the pieces to its left, then the blocks around. */
  private scopeOf(pieces: readonly Piece[]): Scope {
    const scope = new Scope(this.outer);
    for (const piece of pieces) {
      for (const variable of piece.variables) scope.add(variable);
      for (const [name, value] of piece.merged) scope.merged.set(name, value);
    }
    return scope;
  }

  private expressions(scope: Scope, clause: string): ExpressionResolver {
    const place = { clause, aggregates: false, windows: false, aliases: null };
    return new ExpressionResolver(this.resolution, scope, place, this.subquery);
  }

  private unnest(item: UnnestItem, left: readonly Piece[], join: 'CROSS' | 'LEFT'): Piece {
    const scope = this.scopeOf(left);
    const resolver = this.expressions(scope, 'UNNEST');
    const argument = resolver.resolve(item.array);
    if (argument.type.kind === 'SINGLE') return this.openRecord(item, argument, left, join);
    const list = resolver.listOf(item.array);
    return this.openList(item, list, left, join);
  }

  private openRecord(item: UnnestItem, argument: Value, left: readonly Piece[], join: 'CROSS' | 'LEFT'): Piece {
    const { shape } = argument.type as { shape: { fields: ReadonlyMap<string, Type> } };
    const type: Type = { kind: 'RECORD', shape };
    const record: Value = { ...argument, expr: { ...argument.expr, type } as Expr, type };
    const variables: RangeVariable[] = [recordVariable(this.resolution, item.alias?.name ?? '', item, record)];
    if (item.offset) {
      const zero: Value = {
        expr: { kind: 'literal', type: INT64, value: 0n },
        type: INT64,
        text: null,
        position: item.offset.position,
      };
      variables.push(valueVariable(item.offset.name, item.offset.position, zero));
    }
    const condition = join === 'LEFT' ? TRUE : this.presence(argument, left);
    return {
      plan: null,
      variables,
      relations: [],
      conditions: condition === TRUE ? [] : [condition],
      merged: EMPTY,
    };
  }

  private presence(argument: Value, left: readonly Piece[]): Expr {
    const { expr } = argument;
    if (expr.kind !== 'lazy-record') {
      return { kind: 'call', fn: 'is_not_null', args: [this.resolution.materialise(argument)], type: BOOL };
    }
    const relation = this.resolution.relation(expr.relation);
    const here = left.some((piece) => piece.relations.includes(expr.relation));
    if (here && !this.resolution.isNullable(expr.relation) && relation.alwaysPresent(expr.column, expr.path))
      return TRUE;
    const mention = { display: expr.display, position: expr.position };
    return relation.demand(expr.column, expr.path, 'presence', mention);
  }

  private openList(item: UnnestItem, list: Value, left: readonly Piece[], join: 'CROSS' | 'LEFT'): Piece {
    const { element } = list.type as { element: Type };
    const owner = this.singleOwner(list.expr, left);
    if (owner !== undefined) {
      const { unnests } = owner.plan;
      const name = `u${unnests.length + 1}`;
      const offset = item.offset ? `o${unnests.length + 1}` : null;
      unnests.push({ list: list.expr, element: name, offset, keepEmpty: join === 'LEFT' });
      const variables = elementVariables(
        item,
        element,
        (which, type, mention) => ({
          kind: 'column',
          relation: owner.id,
          name: which === 'element' ? name : (offset as string),
          type,
          ...mention,
        }),
        this.resolution
      );
      return { plan: null, variables, relations: [], conditions: [], merged: EMPTY };
    }
    const ids = new Set<number>();
    const lateral =
      !collectRelations(list.expr, ids) || left.some((piece) => piece.relations.some((id) => ids.has(id)));
    const relation = this.resolution.register(
      (id) => new ListRelation(id, item.alias?.name ?? '', list.expr, element, item.offset?.name ?? null, lateral)
    );
    if (join === 'LEFT') this.resolution.markNullable([relation.id]);
    const variables = elementVariables(
      item,
      element,
      (which, _type, mention) => relation.demand(which === 'element' ? 0 : 1, [], 'value', mention),
      this.resolution
    );
    return {
      plan: relation.plan,
      variables,
      relations: [relation.id],
      conditions: [],
      merged: EMPTY,
      keepsLeft: join === 'LEFT',
    };
  }

  /** The one relation to the left that a list is read from, when opening it there means the same: its rows are not optional. */
  private singleOwner(list: Expr, left: readonly Piece[]): Relation | undefined {
    const ids = new Set<number>();
    if (!collectRelations(list, ids) || ids.size !== 1) return undefined;
    const [id] = ids as unknown as [number];
    const here = left.some((piece) => piece.relations.includes(id));
    return here && !this.resolution.isNullable(id) ? this.resolution.relation(id) : undefined;
  }

  private join(item: JoinItem, left: readonly Piece[], crossed: boolean): Piece {
    const plain = item.join === 'CROSS';
    const leftPiece = this.item(item.left, left, crossed && plain);
    const unnest = this.asUnnest(item.right, [...left, leftPiece]);
    if (unnest) return this.joinUnnest(item, unnest, leftPiece, [...left, leftPiece]);
    const seen = plain || item.join === 'INNER' ? [...left, leftPiece] : [];
    return this.joinPieces(item, leftPiece, this.item(item.right, seen, crossed && plain));
  }

  private joinUnnest(item: JoinItem, unnest: UnnestItem, leftPiece: Piece, left: readonly Piece[]): Piece {
    const piece = this.unnest(unnest, left, item.join === 'LEFT' ? 'LEFT' : 'CROSS');
    const isLateral = piece.plan?.kind !== 'relation' || piece.plan.input.kind !== 'list' || piece.plan.input.lateral;
    // A list that reads nothing to its left is a table like any other.
    if (!isLateral && (item.on !== null || item.using.length > 0)) return this.joinPieces(item, leftPiece, piece);
    if (item.join === 'RIGHT' || item.join === 'FULL') {
      throw failure('not_supported', `${item.join} JOIN UNNEST is not supported`, item.position, {
        name: `${item.join} JOIN`,
      });
    }
    if (item.using.length > 0) {
      throw failure('not_supported', 'USING does not work with UNNEST', item.position, { name: 'USING' });
    }
    if (item.on === null) return this.withOpened(leftPiece, piece);
    const on = this.expressions(this.scopeOf([...left, piece]), 'ON').resolveCondition(item.on);
    if (on.kind === 'literal' && on.value === true) return this.withOpened(leftPiece, piece);
    if (item.join === 'LEFT') {
      throw failure('not_supported', 'LEFT JOIN UNNEST of a field takes only ON TRUE', item.on.position, {
        name: 'ON',
        hint: 'put the condition on the opened fields into CASE WHEN, or open the array in a subquery',
      });
    }
    return this.withOpened(leftPiece, { ...piece, conditions: [...piece.conditions, on] });
  }

  /** An opened array beside what it was opened from: a lateral list is joined, everything else has no plan of its own. */
  private withOpened(left: Piece, opened: Piece): Piece {
    const plan: FromPlan | null =
      left.plan === null
        ? opened.plan
        : opened.plan === null
          ? left.plan
          : { kind: 'join', join: opened.keepsLeft ? 'LEFT' : 'CROSS', left: left.plan, right: opened.plan, on: [] };
    return {
      plan,
      variables: [...left.variables, ...opened.variables],
      relations: [...left.relations, ...opened.relations],
      conditions: [...left.conditions, ...opened.conditions],
      merged: left.merged,
    };
  }

  private joinPieces(item: JoinItem, left: Piece, right: Piece): Piece {
    const merged = new Map([...left.merged, ...right.merged]);
    const using = item.using.map((name) => this.using(name, item, left, right, merged));
    const on = item.on === null ? [] : [this.expressions(this.scopeOf([left, right]), 'ON').resolveCondition(item.on)];
    const conditions = [...using, ...on];
    const keepsLeft = item.join === 'LEFT' || item.join === 'FULL';
    const keepsRight = item.join === 'RIGHT' || item.join === 'FULL';
    if (item.join === 'FULL' && left.conditions.length + right.conditions.length > 0) {
      throw failure('not_supported', 'FULL JOIN of opened arrays is not supported', item.position, {
        name: 'FULL JOIN',
        hint: 'open the arrays in subqueries and join those',
      });
    }
    // Where a side's rows are optional, its conditions decide which of them can match, not which rows of the other side stay.
    if (keepsLeft) conditions.push(...right.conditions);
    if (keepsRight) conditions.push(...left.conditions);
    if (keepsRight) this.resolution.markNullable(left.relations);
    if (keepsLeft) this.resolution.markNullable(right.relations);
    const inner = [...(keepsRight ? [] : left.conditions), ...(keepsLeft ? [] : right.conditions)];
    const variables = [...left.variables, ...right.variables];
    const relations = [...left.relations, ...right.relations];
    if (item.join === 'CROSS' && (left.plan === null || right.plan === null)) {
      return { plan: left.plan ?? right.plan, variables, relations, conditions: inner, merged };
    }
    const plan: JoinPlan = {
      kind: 'join',
      join: item.join,
      left: left.plan ?? singleRow(this.resolution),
      right: right.plan ?? singleRow(this.resolution),
      on: splitAnd(foldAnd(conditions)),
    };
    return { plan, variables, relations, conditions: inner, merged };
  }

  /** USING (name): an equality, and one unqualified column instead of two. */
  private using(
    name: Identifier,
    item: JoinItem,
    left: Piece,
    right: Piece,
    merged: Map<string, (position: SourcePosition) => Value>
  ): Expr {
    const side = (piece: Piece): ((position: SourcePosition) => Value) => {
      const earlier = piece.merged.get(name.name.toLowerCase());
      if (earlier) return earlier;
      const owners = piece.variables.filter((variable) => columnIndex(variable.columns, name.name) >= 0);
      const [owner] = owners;
      if (owner === undefined || owners.length > 1) {
        const why = owner === undefined ? 'is not on both sides of the join' : 'is ambiguous';
        throw failure('unknown_column', `column "${name.name}" of USING ${why}`, name.position, { name: name.name });
      }
      return (position) => columnOf(owner, { ...name, position });
    };
    const [a, b] = [side(left), side(right)];
    const [x, y] = comparable([a(name.position), b(name.position)], name.position) as [Value, Value];
    merged.set(name.name.toLowerCase(), (position) => {
      if (item.join === 'RIGHT') return b(position);
      if (item.join !== 'FULL') return a(position);
      const type = x.type;
      return { expr: { kind: 'call', fn: 'coalesce', args: [x.expr, y.expr], type }, type, text: null, position };
    });
    return { kind: 'call', fn: 'eq', args: [x.expr, y.expr], type: BOOL };
  }
}

function singleRow(resolution: Resolution): FromPlan {
  const relation = resolution.register((id) => ({
    id,
    plan: { kind: 'relation', id, input: { kind: 'single-row' }, unnests: [] } as const,
    columns: [],
    demand: () => TRUE,
    alwaysPresent: () => false,
    narrow: () => undefined,
  }));
  return { ...relation.plan, unnests: [] };
}

function splitAnd(expr: Expr): Expr[] {
  if (expr === TRUE) return [];
  return expr.kind === 'call' && expr.fn === 'and' ? [...expr.args] : [expr];
}

/** Gathers the relations an expression reads. @returns false when it holds something that cannot move, like a subquery. */
function collectRelations(expr: Expr, ids: Set<number>): boolean {
  if (expr.kind === 'subquery' || expr.kind === 'in-subquery' || expr.kind === 'aggregate') return false;
  if (expr.kind === 'column' || expr.kind === 'lazy-record') ids.add(expr.relation);
  return children(expr).every((child) => collectRelations(child, ids));
}
