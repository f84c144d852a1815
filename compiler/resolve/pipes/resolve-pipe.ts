/**
 * Resolves pipe queries. Operators that one SELECT of the store can run become one block: filters, computed columns and
 * joins, then windows, order and LIMIT. An operator that cannot follow those of its block reads it as a derived table.
 */
import type {
  PipeAggregate,
  PipeDistinct,
  PipeExtend,
  PipeJoin,
  PipeOrderBy,
  PipePivot,
  PipeSelect,
  PipeSetOperation,
  PipeStep,
  PipeUnpivot,
  PipeWhere,
  PipeWith,
  QueryBody,
  QueryExpression,
  SelectItem,
  SourcePosition,
} from '../../ast';
import type { Place } from '../expressions/expression-context';
import { ExpressionResolver } from '../expressions/resolve-expression';
import { structOf } from '../expressions/values/struct-value';
import { failure } from '../failure';
import { Scope } from '../names/scope';
import { impliedName, named } from '../names/select-columns';
import { NOTHING_MERGED } from '../query/from/from-piece';
import { containsWindow } from '../query/grouping/grouping';
import { NamedWindows } from '../query/named-windows';
import { addPiece, FromResolver } from '../query/from/resolve-from';
import { sampleBlock } from '../query/from/sampled-table';
import { ensureFewColumns } from '../query/select/column-limit';
import { resolveLimit } from '../query/order/resolve-limit';
import { windowCondition } from '../query/row-number';
import { NO_TAIL, type Tail } from '../query/order/tail';
import { resolvePivot } from '../query/pivot/resolve-pivot';
import { resolveUnpivot } from '../query/pivot/resolve-unpivot';
import { resolveSelect, type SelectContext } from '../query/select/resolve-select';
import type { ResolvedQuery, SelectColumn } from '../query/resolved-query';
import { StarResolver } from '../query/select/select-star';
import type { TableScope } from '../resolution';
import { distinctOf, groupedBody, tailBehind } from './grouped-body';
import { editColumns } from './edit-columns';
import { PipeBlock } from './pipe-block';
import { sortedBy } from './sorted-by';
import { columnsVariable, computedVariables, listedColumns } from './pipe-variables';
import { mentionsOf, type Mentions } from './step-mentions';
import { KEEP_ROWS, structOfAll, withStructsLast } from './struct-rows';
import { itemAt } from '../../items';

/** Operators whose result is a query of its own; the others add to a block, or change it. */
type TableStep = PipeAggregate | PipeDistinct | PipeSetOperation | PipeWith | PipeSelect | PipePivot | PipeUnpivot;
type RowStep = Exclude<PipeStep, TableStep>;

/** What pipes need of the resolver of queries. */
export interface PipeQueries {
  body(body: QueryBody, tail: Tail, outer: Scope | null, tables: TableScope, asStruct: boolean): ResolvedQuery;
  resolve(query: QueryExpression, outer: Scope | null, tables: TableScope): ResolvedQuery;
  commonTables(query: Pick<QueryExpression, 'with'>, around: TableScope): TableScope;
  context(outer: Scope | null, tables: TableScope, asStruct: boolean): SelectContext;
  combined(
    operation: Pick<PipeSetOperation, 'operator' | 'match' | 'position'>,
    parts: readonly { readonly query: ResolvedQuery; readonly position: SourcePosition }[],
    tail: Tail,
    outer: Scope | null,
    tables: TableScope
  ): ResolvedQuery;
}

/** Derived tables of one statement's pipes. They nest, so this bounds the depth of the printed SQL. */
const MAX_BLOCKS = 50;

export class PipeResolver {
  /** The result so far: a block that operators are added to, or a query that the next one reads. */
  private current!: PipeBlock | ResolvedQuery;
  private context: SelectContext;
  private computedColumns = 0;
  /** Whether each row is still the struct of a SELECT AS VALUE, whose fields are its columns. */
  private areStructs = false;

  constructor(
    private readonly queries: PipeQueries,
    context: SelectContext
  ) {
    this.context = context;
  }

  resolve(source: QueryBody, written: readonly PipeStep[]): ResolvedQuery {
    const { outer, tables, asStruct } = this.context;
    const steps = withStructsLast(source, written, asStruct);
    if (source.kind === 'from') {
      const { relationCount } = this.context.resolution;
      this.current = new PipeBlock(this.from().piece(source.from), relationCount);
    } else {
      this.current = this.queries.body(source, NO_TAIL, outer, tables, false);
    }
    let end = source.position;
    for (let at = 0; at < steps.length; at += 1) {
      const step = itemAt(steps, at);
      if (!KEEP_ROWS.has(step.kind)) this.areStructs = false;
      at += this.step(step, steps.slice(at + 1, at + 3));
      end = step.position;
    }
    if (this.areStructs && asStruct) this.select(structOfAll({ position: end }), []);
    return this.result(end);
  }

  private result(position: SourcePosition): ResolvedQuery {
    if (!(this.current instanceof PipeBlock)) return this.current;
    const query = this.current.finished(this.context.resolution, position);
    ensureFewColumns(query.columns.length, 'the query', position);
    if (query.columns.length === 0) throw failure('wrong_columns', 'the query selects no columns', position);
    return query;
  }

  /** @returns the number of following operators that it has taken in */
  private step(step: PipeStep, following: readonly PipeStep[]): number {
    switch (step.kind) {
      case 'pipe-aggregate':
        return this.aggregate(step, following);
      case 'pipe-distinct':
        return this.distinct(step.position, following);
      case 'pipe-set-operation':
        this.setOperation(step);
        return 0;
      case 'pipe-pivot':
      case 'pipe-unpivot':
        this.tableOperator(step);
        return 0;
      case 'pipe-with':
        this.context = this.contextOf(this.queries.commonTables({ with: step.tables }, this.context.tables));
        return 0;
      case 'pipe-select': {
        const taken = this.select(step, following);
        return taken + (step.distinct ? this.distinct(step.position, following.slice(taken)) : 0);
      }
      default:
        this.rowStep(step);
        return 0;
    }
  }

  private rowStep(step: RowStep): void {
    switch (step.kind) {
      case 'pipe-extend':
        return this.extend(step);
      case 'pipe-where':
        return this.where(step);
      case 'pipe-join':
        return this.join(step);
      case 'pipe-order-by':
        return this.orderBy(step);
      case 'pipe-limit': {
        const block = this.open(step, (current) => current.limit !== null);
        block.limit = resolveLimit(step.limit, this.expressions(block, place('|> LIMIT', false)));
        return;
      }
      case 'pipe-sample': {
        const block = this.open(step, (current) => current.isSealed);
        sampleBlock(block, step, this.expressions(block, place('|> TABLESAMPLE', false)));
        return;
      }
      case 'pipe-as': {
        const block = this.open(step);
        const columns = listedColumns(block.piece, step.position);
        const variable = columnsVariable(columns, step.position, step.alias.name);
        block.piece = { ...block.piece, variables: [variable], merged: NOTHING_MERGED };
        return;
      }
      default:
        return this.edit(step);
    }
  }

  /** @returns the number of following operators that it has taken in */
  private select(step: PipeSelect, following: readonly PipeStep[]): number {
    const block = this.open(step, (current, mentions) => mustClose(current, mentions));
    const resolver = this.expressions(block, place('|> SELECT', true), step.windows);
    const selected = this.columns(step.items, resolver);
    const isLast = following.length === 0 && !step.distinct;
    const { columns, taken } = this.rowsAs(step, selected, isLast ? null : following, resolver, block);
    this.computedColumns = 0;
    block.heavy.clear();
    block.random.clear();
    const variables = this.computed(block, columns, step.position);
    block.piece = { ...block.piece, variables, merged: NOTHING_MERGED };
    return taken;
  }

  /**
   * Columns of SELECT AS STRUCT and AS VALUE. The fields of a value are columns; another value has the name that an AS
   * behind it gives.
   *
   * @param following null for the last operator
   */
  private rowsAs(
    { as, position }: PipeSelect,
    columns: SelectColumn[],
    following: readonly PipeStep[] | null,
    { scope }: ExpressionResolver,
    block: PipeBlock
  ): { readonly columns: readonly SelectColumn[]; readonly taken: number } {
    const isValueOfQuery = this.context.asStruct && following === null;
    if (as === null) return { columns, taken: 0 };
    if (as === 'STRUCT') return { columns: [{ name: '', value: structOf(named(columns), position) }], taken: 0 };
    const [column] = columns;
    if (column === undefined || columns.length !== 1) {
      throw failure('wrong_columns', `SELECT AS VALUE must have one column, found ${columns.length}`, position);
    }
    if (isValueOfQuery) return { columns, taken: 0 };
    const { value } = column;
    if (value.type.kind === 'STRUCT' || value.type.kind === 'RECORD') {
      this.areStructs = true;
      const fields = new StarResolver(scope, this.context.resolution).fieldsOf(value, block.relationsBefore, position);
      return { columns: fields, taken: 0 };
    }
    const [next] = following ?? [];
    return next?.kind === 'pipe-as'
      ? { columns: [{ name: next.alias.name, value }], taken: 1 }
      : { columns: [{ name: '', value }], taken: 0 };
  }

  private extend(step: PipeExtend): void {
    const block = this.open(step, (current, mentions) => mustClose(current, mentions));
    const resolver = this.expressions(block, place(`|> ${step.operator}`, true), step.windows);
    const columns = step.items.flatMap((item) => {
      const added = this.columns([item], resolver);
      if (step.operator === 'WINDOW' && !added.some(({ value }) => containsWindow(value.expr))) {
        throw failure('misplaced_window', '|> WINDOW takes window functions only', item.position, {
          hint: 'write |> EXTEND',
        });
      }
      return added;
    });
    const variables = this.computed(block, columns, step.position);
    block.piece = { ...block.piece, variables: [...block.piece.variables, ...variables] };
  }

  private edit(step: Extract<PipeStep, { kind: 'pipe-set' | 'pipe-drop' | 'pipe-rename' }>): void {
    const block = this.open(step, (current, mentions) => step.kind === 'pipe-set' && mustClose(current, mentions));
    editColumns(step, block, () => this.expressions(block, place('|> SET', true)));
  }

  private where(step: PipeWhere): void {
    const block = this.open(step, (current) => current.isSealed);
    const condition = this.expressions(block, place('|> WHERE', true)).resolveCondition(step.condition);
    if (containsWindow(condition)) {
      block.qualify = windowCondition(condition);
      return;
    }
    block.piece = { ...block.piece, conditions: [...block.piece.conditions, condition] };
  }

  private join(step: PipeJoin): void {
    const keepsRight = step.join === 'RIGHT' || step.join === 'FULL';
    const block = this.open(step, (current) => current.isSealed || keepsRight);
    block.order = [];
    block.piece = this.from().joinTo(step, block.piece);
  }

  private orderBy(step: PipeOrderBy): void {
    const block = this.open(
      step,
      (current, mentions) =>
        current.limit !== null || current.random.size > 0 || (mentions.hasWindow && current.isWindowed)
    );
    const resolver = this.expressions(block, place('|> ORDER BY', true));
    block.order = sortedBy(step, block, resolver);
    if (block.order.some(({ expr }) => containsWindow(expr))) block.isWindowed = true;
  }

  private aggregate(step: PipeAggregate, following: readonly PipeStep[]): number {
    const block = this.open(step, (current) => current.isSealed);
    const { body, names, orderBy } = groupedBody(step);
    const { tail, taken } = tailBehind(following, names, orderBy);
    const query = resolveSelect(body, tail, { ...this.context, asStruct: false, input: block });
    this.finish(query);
    return taken;
  }

  private distinct(position: SourcePosition, following: readonly PipeStep[]): number {
    const block = this.open({ kind: 'pipe-distinct', position }, (current) => current.isSealed);
    const columns = listedColumns(block.piece, position);
    const names = columns.map(({ name }) => name);
    const { tail, taken } = tailBehind(following, names, []);
    const piece = { ...block.piece, variables: [columnsVariable(columns, position)], merged: NOTHING_MERGED };
    const input = { piece, relationsBefore: block.relationsBefore };
    this.finish(resolveSelect(distinctOf(position), tail, { ...this.context, asStruct: false, input }));
    return taken;
  }

  private setOperation(step: PipeSetOperation): void {
    const { outer, tables } = this.context;
    const first = { query: this.result(step.position), position: step.position };
    const others = step.branches.map((branch) => ({
      query: this.queries.resolve(branch, outer, tables),
      position: branch.position,
    }));
    this.finish(this.queries.combined(step, [first, ...others], NO_TAIL, outer, tables));
  }

  private tableOperator(step: PipePivot | PipeUnpivot): void {
    const { resolution, outer, subquery } = this.context;
    const { piece } = this.reading(this.result(step.position), step.position);
    const at = { resolution, outer, subquery };
    this.finish(
      step.kind === 'pipe-pivot' ? resolvePivot(step.pivot, piece, at) : resolveUnpivot(step.unpivot, piece, at)
    );
    if (step.alias !== null) this.rowStep({ kind: 'pipe-as', alias: step.alias, position: step.position });
  }

  private finish(query: ResolvedQuery): void {
    this.current = query;
    this.computedColumns = 0;
  }

  /** The block to add an operator to: a new one if this one cannot take it. */
  private open(step: PipeStep, isFull?: (block: PipeBlock, mentions: Mentions) => boolean): PipeBlock {
    const block = this.current;
    if (!(block instanceof PipeBlock)) return this.reading(block, step.position);
    const mentions = mentionsOf(step);
    const usesHeavy = [...mentions.names].some(
      (name) => block.random.has(name) || (mentions.computes && block.heavy.has(name))
    );
    // In a subquery, a window would be over the rows of that.
    const readsWindows = block.isWindowed && mentions.hasQuery;
    if (!usesHeavy && !readsWindows && isFull?.(block, mentions) !== true) return block;
    const { query, names } = block.closed(this.context.resolution, step.position);
    const opened = this.reading(query, step.position);
    opened.piece = { ...opened.piece, ...names(itemAt(opened.piece.relations, 0)) };
    return opened;
  }

  private reading(query: ResolvedQuery, position: SourcePosition): PipeBlock {
    const { resolution } = this.context;
    resolution.pipeBlocks += 1;
    if (resolution.pipeBlocks > MAX_BLOCKS) {
      throw failure(
        'too_complex',
        `the query has more than ${MAX_BLOCKS} pipe operators that need the rows before them computed first`,
        position,
        { limit: MAX_BLOCKS, hint: 'combine operators: several columns in one |> EXTEND, conditions in one |> WHERE' }
      );
    }
    const { relationCount } = resolution;
    const block = new PipeBlock(this.from().queryAsPiece(query, position), relationCount);
    this.current = block;
    return block;
  }

  private from(): FromResolver {
    const { resolution, tables, outer, resolveQuery, subquery } = this.context;
    return new FromResolver(resolution, tables, outer, resolveQuery, subquery);
  }

  private contextOf(tables: TableScope): SelectContext {
    return this.queries.context(this.context.outer, tables, this.context.asStruct);
  }

  private expressions(block: PipeBlock, at: Place, windows: PipeSelect['windows'] = []): ExpressionResolver {
    const { resolution, outer, subquery } = this.context;
    const scope = new Scope(outer);
    addPiece(block.piece, scope);
    const resolver = new ExpressionResolver(resolution, scope, at, subquery);
    resolver.namedWindows = new NamedWindows(windows);
    return resolver;
  }

  private columns(items: readonly SelectItem[], resolver: ExpressionResolver): SelectColumn[] {
    return items.flatMap((item) => {
      if (item.kind === 'select-star') {
        return new StarResolver(resolver.scope, this.context.resolution).columns(item, resolver);
      }
      const value = resolver.resolve(item.expression);
      return [{ name: item.alias?.name ?? impliedName(item.expression) ?? '', value }];
    });
  }

  private computed(block: PipeBlock, columns: readonly SelectColumn[], position: SourcePosition) {
    this.computedColumns += columns.length;
    ensureFewColumns(this.computedColumns, 'the query', position);
    for (const { name, value } of columns) block.note(name, value);
    return computedVariables(columns, position);
  }
}

/** Whether new columns need a block of their own: behind LIMIT unless they only rename, and windows over windows. */
function mustClose(block: PipeBlock, { hasWindow, computes }: Mentions): boolean {
  if (block.limit !== null) return computes;
  return hasWindow && (block.isWindowed || block.qualify !== null);
}

function place(clause: string, windows: boolean): Place {
  return { clause, aggregates: false, windows, aliases: null };
}
