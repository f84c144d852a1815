/** Resolves FROM to relations, range variables and join plans. */
import type {
  DerivedTable,
  FromItem,
  Identifier,
  JoinItem,
  PivotItem,
  SampledTable,
  JoinedItem,
  SourcePosition,
  TableReference,
  UnnestItem,
  UnpivotItem,
} from '../../../ast';
import type { CatalogSource } from '../../../catalog/catalog';
import type { Value } from '../../../functions/function';
import type { Expr } from '../../../ir/expression';
import type { FromPlan } from '../../../ir/plan';
import { PipeBlock } from '../../pipes/pipe-block';
import { LIST_OF_TABLES } from '../../../sql/parse-errors';
import { printName } from '../../../sql/canonical/expressions/print-name';
import { failure } from '../../failure';
import { NOTHING_MERGED, type Piece } from './from-piece';
import { joinPieces, withOpened, withOpenedUsing } from './join-pieces';
import { onlyWhere, openedWhere } from '../joined-array';
import { lateralRows } from './lateral-table';
import { explainedInFrom } from './later-name';
import { joinedByNames } from './joined-by-names';
import { sampleBlock, sampledQuery } from './sampled-table';
import { openField, openList, openRecord, readsRow } from './open-array';
import { resolvePivot } from '../pivot/resolve-pivot';
import { resolveUnpivot } from '../pivot/resolve-unpivot';
import { constantRow, lazyVariable, tableVariable, valueVariable } from '../../relations/range-variables';
import { QueryRelation } from '../../relations/query-relation';
import { ScanRelation } from '../../relations/scan-relation';
import type { Relation } from '../../relations/relation';
import type { CommonTable, Resolution, TableScope } from '../../resolution';
import { ExpressionResolver, type SubqueryResolver } from '../../expressions/resolve-expression';
import { asList } from '../../expressions/values/as-list';
import type { ResolvedQuery } from '../resolved-query';
import { type ArrayPath, isPath, resolveArrayPath } from '../../names/array-path';
import { sameName, Scope } from '../../names/scope';
import { didYouMean, meantHint } from '#contract/nearest-name';
import { itemAt } from '../../../items';

export interface ResolvedFrom {
  readonly plan: FromPlan | null;
  readonly conditions: readonly Expr[];
}

/** Adds the names of a piece to the scope of its block. */
export function addPiece({ plan, conditions, variables, merged }: Piece, scope: Scope): ResolvedFrom {
  scope.merged.push(...merged);
  for (const variable of variables) scope.add(variable);
  return { plan, conditions };
}

export type QueryResolver = (query: DerivedTable['query'], outer: Scope | null, tables: TableScope) => ResolvedQuery;

/** A query in FROM. */
interface QueryItem {
  readonly position: SourcePosition;
  readonly alias?: Identifier | null;
  /** Its name without an alias. @default '' */
  readonly ownName?: string;
  /** The WITH query that it is. */
  readonly common?: CommonTable | null;
  /** Whether only comma and CROSS joins enclose it, so that a constant row can be read in place. */
  readonly crossed?: boolean;
}

export class FromResolver {
  constructor(
    private readonly resolution: Resolution,
    private readonly tables: TableScope,
    /** Outer blocks, whose columns an UNNEST may read. */
    private readonly outer: Scope | null,
    private readonly resolveQuery: QueryResolver,
    private readonly subquery: SubqueryResolver
  ) {}

  /** Resolves FROM and adds its range variables to the scope. */
  resolve(item: FromItem, scope: Scope): ResolvedFrom {
    return addPiece(this.piece(item), scope);
  }

  /** Resolves FROM without adding its names to a scope. */
  piece(item: FromItem): Piece {
    try {
      return this.item(item, [], true);
    } catch (error) {
      throw explainedInFrom(error, item);
    }
  }

  /** A query as an item of FROM, without a name. */
  queryAsPiece(query: ResolvedQuery, position: SourcePosition): Piece {
    return this.queryPiece(query, { position });
  }

  /**
   * @param left items to the left that it may read, within the innermost parentheses
   * @param crossed whether only comma and CROSS joins enclose it, so that a constant row can be read in place
   */
  private item(item: FromItem, left: readonly Piece[], crossed: boolean): Piece {
    switch (item.kind) {
      case 'table':
        return this.table(item, left, crossed);
      case 'derived': {
        const query = this.resolveQuery(item.query, this.outer, this.tables);
        return this.queryPiece(query, { alias: item.alias, position: item.position, crossed });
      }
      case 'unnest':
        return this.unnest(item, left);
      case 'parenthesized':
        return this.item(item.item, [], crossed);
      case 'pivot':
      case 'unpivot':
        return this.tableOperator(item);
      case 'sampled':
        return this.sampled(item, left, crossed);
      case 'join':
        return this.join(item, left, crossed);
      case 'lateral':
        throw new Error('LATERAL without a join.');
    }
  }

  private sampled(item: SampledTable, left: readonly Piece[], crossed: boolean): Piece {
    const { input } = item;
    if (input.kind === 'parenthesized') return this.sampledJoins(item, input);
    if (this.asUnnest(input, left)) {
      throw failure('wrong_arguments', 'an array takes no TABLESAMPLE', item.position, {
        hint: 'write WHERE RAND() < 0.1',
      });
    }
    return this.item(sampledQuery({ ...item, input }, this.expressions(this.scopeOf([]), 'TABLESAMPLE')), [], crossed);
  }

  /** Joins in parentheses are a query, whose names stay those of the tables. */
  private sampledJoins(item: SampledTable, joins: FromItem): Piece {
    const { resolution } = this;
    const { relationCount } = resolution;
    const block = new PipeBlock(this.item(joins, [], false), relationCount);
    sampleBlock(block, item, this.expressions(this.scopeOf([]), 'TABLESAMPLE'));
    const { query, names } = block.closed(resolution, item.position);
    const piece = this.queryPiece(query, { position: item.position });
    return { ...piece, ...names(itemAt(piece.relations, 0)) };
  }

  /** Columns of a constant row are read from a table here: they must differ from constants of the operator. */
  private tableOperator(item: PivotItem | UnpivotItem): Piece {
    const input = this.item(item.input, [], false);
    const place = { resolution: this.resolution, outer: this.outer, subquery: this.subquery };
    const query =
      item.kind === 'pivot' ? resolvePivot(item.pivot, input, place) : resolveUnpivot(item.unpivot, input, place);
    return this.queryPiece(query, { alias: item.alias, position: item.position });
  }

  private table(item: TableReference, left: readonly Piece[], crossed: boolean): Piece {
    const unnest = this.asUnnest(item, left);
    if (unnest) return this.unnest(unnest, left);
    const name = item.path.map((part) => part.name).join('.');
    const found = this.find(name);
    const at = item.path[0].position;
    if (found === undefined) throw this.notAvailable(name, at, this.columnHint(item, left));
    if (item.offset !== null) {
      const hint = 'it belongs to an array of a table, as in FROM t, t.list WITH OFFSET';
      throw failure('syntax', 'a table takes no WITH OFFSET', item.offset.position, { hint });
    }
    const own = item.path.at(-1)?.name ?? name;
    if (found.kind === 'common') {
      found.table.plan.readers += 1;
      this.resolution.usedTables.add(found.table.name);
      return this.queryPiece(found.table.query, {
        alias: item.alias,
        ownName: own,
        position: at,
        common: found.table,
        crossed,
      });
    }
    this.resolution.usedTables.add(found.source.name);
    this.resolution.usedSources.add(found.source.name);
    const { redaction, tenant } = this.resolution.input;
    const relation = this.resolution.register((id) => new ScanRelation(id, found.source, redaction, tenant));
    return this.relationPiece(relation, item.alias?.name ?? name, item.alias?.position ?? at);
  }

  /** Treats `t.metadata` as UNNEST if t is an item to the left, or of an outer block. */
  private asUnnest(item: FromItem, left: readonly Piece[]): UnnestItem | undefined {
    if (item.kind === 'unnest') return item;
    if (item.kind !== 'table' || item.path.length < 2) return undefined;
    if (!this.scopeOf(left).sees(item.path[0].name)) return undefined;
    const { path, offset, position } = item;
    const array = { kind: 'path', parts: path, position } as const;
    return { kind: 'unnest', array, alias: item.alias ?? itemAt(path, path.length - 1), offset, position };
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

  /** For an array of a table to the left, which a path begins with the name of the table to open. */
  private columnHint({ path: [name, ...fields], alias }: TableReference, left: readonly Piece[]): string | undefined {
    const column = this.scopeOf(left)
      .readableColumns()
      .find(({ written }) => sameName(written.slice(written.lastIndexOf('.') + 1), name.name));
    if (fields.length > 0 || (column?.type.kind !== 'SINGLE' && column?.type.kind !== 'ARRAY')) return undefined;
    return `write UNNEST(${column.written}) AS ${printName({ name: alias?.name ?? name.name, quoted: false })}`;
  }

  private notAvailable(name: string, position: SourcePosition, hint: string | undefined): Error {
    const names: string[] = [];
    for (let scope: TableScope | null = this.tables; scope; scope = scope.parent) {
      names.push(...(scope.names ?? scope.tables.map((table) => table.name)));
    }
    if (this.resolution.sourcesVisible) {
      names.push(...this.resolution.input.catalog.sources.flatMap((source) => [source.name, ...source.aliases]));
    }
    return failure('table_not_available', `table "${name}" is not available here${didYouMean(name, names)}`, position, {
      name,
      ...(hint === undefined ? (tableHint(name, names) ?? meantHint(name, names)) : { hint }),
      tables: [...new Set(names)],
    });
  }

  private queryPiece(
    query: ResolvedQuery,
    { position, alias = null, ownName = '', common = null, crossed = false }: QueryItem
  ): Piece {
    const name = alias?.name ?? ownName;
    const constants = crossed ? query.constants() : null;
    if (constants !== null) {
      if (common) common.plan.readers -= 1;
      const at = alias?.position ?? position;
      const [value] = constants;
      const variable =
        query.isValue && value !== undefined
          ? valueVariable(name, at, value)
          : constantRow(name, at, query.columns, constants);
      return { plan: null, variables: [variable], relations: [], conditions: [], merged: NOTHING_MERGED };
    }
    const relation = this.resolution.register((id) => new QueryRelation(id, query, common));
    return this.relationPiece(relation, name, alias?.position ?? position, query.isValue);
  }

  private relationPiece(relation: Relation, name: string, position: SourcePosition, isValue = false): Piece {
    const table = tableVariable(this.resolution, relation, name, position);
    const variable = isValue ? lazyVariable(name, position, () => table.column(0, { display: name, position })) : table;
    return {
      plan: relation.plan,
      variables: [variable],
      relations: [relation.id],
      conditions: [],
      merged: NOTHING_MERGED,
    };
  }

  /** Scope of an UNNEST argument: items to the left, then outer blocks. */
  private scopeOf(pieces: readonly Piece[]): Scope {
    const scope = new Scope(this.outer);
    for (const piece of pieces) {
      scope.merged.push(...piece.merged);
      for (const variable of piece.variables) scope.add(variable);
    }
    return scope;
  }

  private expressions(scope: Scope, clause: string): ExpressionResolver {
    const place = { clause, aggregates: false, windows: false, aliases: null };
    return new ExpressionResolver(this.resolution, scope, place, this.subquery);
  }

  private unnest(item: UnnestItem, left: readonly Piece[]): Piece {
    return this.opened(item, this.array(item, left), left, 'CROSS');
  }

  /** The array that an item opens. */
  private array(item: UnnestItem, left: readonly Piece[]): ArrayPath {
    const resolver = this.expressions(this.scopeOf(left), 'UNNEST');
    if (!isPath(item.array)) return arrayOfRow(resolver, resolver.resolve(item.array));
    const path = resolveArrayPath(item.array, resolver);
    const { kind } = path.value.type;
    if (path.record !== null && kind !== 'ARRAY' && kind !== 'SINGLE') return path;
    return arrayOfRow(resolver, resolver.flattenedPath(item.array, { ...path, record: null }));
  }

  private opened(
    item: UnnestItem,
    { value, record }: ArrayPath,
    left: readonly Piece[],
    join: 'CROSS' | 'LEFT'
  ): Piece {
    if (record !== null) return openField(this.resolution, item, record, value, left, join);
    if (value.type.kind === 'SINGLE') return openRecord(this.resolution, item, value, left, join);
    return openList(this.resolution, item, value, left, join);
  }

  private join(item: JoinItem, left: readonly Piece[], crossed: boolean): Piece {
    const leftPiece = this.item(item.left, left, crossed && item.join === 'CROSS');
    return this.joinTo(item, leftPiece, left, crossed);
  }

  /** Joins an item to what is resolved to its left. */
  joinTo(item: JoinedItem, leftPiece: Piece, left: readonly Piece[] = [], crossed = false): Piece {
    const plain = item.join === 'CROSS';
    const { right: joined } = item;
    const unnest = joined.kind === 'lateral' ? lateralRows(joined, item) : this.asUnnest(joined, [...left, leftPiece]);
    if (unnest) return this.joinUnnest(item, unnest, leftPiece, [...left, leftPiece]);
    const seen = plain || item.join === 'INNER' ? [...left, leftPiece] : [];
    const right = this.item(item.right, seen, crossed && plain);
    if (!plain && item.on === null && item.using.length === 0) {
      throw failure('syntax', `${item.join} JOIN needs ON or USING`, item.right.position, {
        hint: 'only an array of a table to its left is joined without a condition',
      });
    }
    return this.joined(item, leftPiece, right);
  }

  private joined(item: JoinedItem, left: Piece, right: Piece): Piece {
    const condition =
      item.on === null ? null : this.expressions(this.scopeOf([left, right]), 'ON').resolveCondition(item.on);
    return joinPieces(this.resolution, item, { left, right, condition });
  }

  private joinUnnest(item: JoinedItem, unnest: UnnestItem, leftPiece: Piece, left: readonly Piece[]): Piece {
    const array = this.array(unnest, left);
    const isOfRow = array.record !== null || array.value.type.kind === 'SINGLE' || readsRow(array.value.expr, left);
    // A list that reads nothing to its left is an ordinary table.
    if (!isOfRow && (item.on !== null || item.using.length > 0)) {
      return this.joined(item, leftPiece, this.opened(unnest, array, left, 'CROSS'));
    }
    if (item.join === 'RIGHT' || item.join === 'FULL') {
      throw failure('not_supported', `${item.join} JOIN UNNEST is not supported`, item.position, {
        name: `${item.join} JOIN`,
      });
    }
    if (item.join === 'LEFT') return this.leftJoinArray(item, unnest, array, leftPiece, left);
    const piece = this.opened(unnest, array, left, 'CROSS');
    if (item.using.length > 0) return withOpenedUsing(leftPiece, piece, item);
    if (item.on === null) return withOpened(leftPiece, piece);
    const on = this.expressions(this.scopeOf([...left, piece]), 'ON').resolveCondition(item.on);
    return withOpened(leftPiece, { ...piece, conditions: [...piece.conditions, on] });
  }

  private leftJoinArray(
    item: JoinedItem,
    unnest: UnnestItem,
    array: ArrayPath,
    leftPiece: Piece,
    left: readonly Piece[]
  ): Piece {
    if (item.using.length > 0 && item.right.kind !== 'lateral') {
      throw failure('not_supported', 'LEFT JOIN of an array takes no USING', item.position, {
        name: 'USING',
        hint: 'write ON a.offset = b.offset in a JOIN of two subqueries',
      });
    }
    const names = joinedByNames(item.using, leftPiece);
    const join = names.on === null ? item : { ...item, on: names.on };
    const resolver = (variables: Piece['variables']): ExpressionResolver => {
      const scope = this.scopeOf(left);
      for (const variable of variables) scope.add(variable);
      const expressions = this.expressions(scope, 'ON');
      names.know(expressions, variables);
      return expressions;
    };
    if (array.record === null && array.value.type.kind === 'ARRAY') {
      const piece = openedWhere(this.resolution, { item: unnest, join }, array.value, {
        open: (opened, list) => openList(this.resolution, opened, list, left, 'LEFT'),
        openAlone: (opened, list) => openList(this.resolution, opened, list, [], 'CROSS'),
        resolver,
      });
      return item.using.length > 0 ? withOpenedUsing(leftPiece, piece, item) : withOpened(leftPiece, piece);
    }
    const piece = this.opened(unnest, array, left, 'LEFT');
    if (item.on === null) return withOpened(leftPiece, piece);
    const on = resolver(piece.variables).resolveCondition(item.on);
    const isTrue = on.kind === 'literal' && on.value === true;
    return withOpened(leftPiece, isTrue ? piece : onlyWhere(this.resolution, piece, on));
  }
}

function arrayOfRow(resolver: ExpressionResolver, value: Value): ArrayPath {
  return { value: value.type.kind === 'SINGLE' ? value : asList(value, resolver.resolution), record: null };
}

/** What callers look for in a catalog of their own, in one table of all sources, and with a schema in front. */
function tableHint(name: string, names: readonly string[]): { readonly hint: string } | undefined {
  if (/^(?:information_schema|pg_catalog|system|sqlite_master)\b/i.test(name)) return { hint: LIST_OF_TABLES };
  const ofSource = sameName(name, 'logs') ? names.find((each) => each.endsWith('_logs')) : undefined;
  if (ofSource !== undefined) {
    return { hint: `each source is a table: write FROM ${ofSource} for FROM logs WHERE source = '${ofSource}'` };
  }
  const last = name.slice(name.lastIndexOf('.') + 1);
  const known = last === name ? undefined : names.find((each) => sameName(each, last));
  return known === undefined ? undefined : { hint: `write ${printName({ name: known, quoted: false })}` };
}
