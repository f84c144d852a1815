/** Resolves queries: WITH, set operations, parentheses, and the ORDER BY and LIMIT of the whole query. */
import type {
  ColumnMatch,
  CommonTable as WithQuery,
  Expression,
  OrderItem,
  QueryBody,
  QueryExpression,
  SetOperation,
  SetOperator,
  SourcePosition,
} from '../../ast';
import type { Value } from '../../functions/function';
import type { LogicalColumn, SetPlan, SortItem } from '../../ir/plan';
import { INT64, NULL_TYPE, isComparable, isScalar, shortTypeName, type Type } from '../../ir/types';
import { commonType, noCommonType } from '../types/coerce';
import { failure } from '../failure';
import { nullOf } from '../expressions/fold-conditions';
import type { CommonTable, Resolution, TableScope } from '../resolution';
import { ExpressionResolver, type SubqueryResolver } from '../expressions/resolve-expression';
import { checkStep, RecursiveQuery } from './recursion/recursive-query';
import { byDependency, recursiveTerms, type RecursiveTerms } from './recursion/recursive-tables';
import { sortBy } from './order/sort-key';
import { resolveLimit } from './order/resolve-limit';
import { hasComputedKey, selectAllOf } from './order/computed-order';
import { NO_TAIL, type Tail } from './order/tail';
import { resolveSelect, type SelectContext } from './select/resolve-select';
import { PipeResolver } from '../pipes/resolve-pipe';
import { matchColumns, type Branch } from '../sets/column-match';
import { selectOf } from '../sets/derived-select';
import { numberedRows } from '../sets/numbered-rows';
import { ResolvedSet } from './resolved-set';
import type { ResolvedQuery } from './resolved-query';
import { sameName, Scope, uniqueColumnIndex, unknownColumn } from '../names/scope';
import type { QueryDraft, SetDraft } from '../drafts';
import { itemAt } from '../../items';

type SetPlace = SetOperator & Pick<SetOperation, 'position'>;

export class QueryResolver {
  constructor(private readonly resolution: Resolution) {}

  /** @param outer the blocks around a subquery, whose columns it may read; null for WITH queries */
  resolve(query: QueryExpression, outer: Scope | null, tables: TableScope, asStruct = false): ResolvedQuery {
    return this.body(query.body, query, outer, this.commonTables(query, tables), asStruct);
  }

  /** Resolves WITH queries; each can read earlier ones and the enclosing scope. */
  commonTables(query: Pick<QueryExpression, 'with' | 'recursive'>, around: TableScope): TableScope {
    if (query.with.length === 0) return around;
    const tables: CommonTable[] = [];
    ensureDifferent(query.with);
    for (const common of query.recursive ? byDependency(query.with) : query.with) {
      // A copy, because a WITH query that reuses a name reads the outer one in its own body.
      const scope = { tables: [...tables], parent: around };
      const terms = query.recursive ? recursiveTerms(common) : null;
      tables.push(terms === null ? this.commonTable(common, scope) : this.recursiveTable(common, terms, scope));
    }
    return { tables, parent: around };
  }

  private commonTable({ name: { name }, query }: WithQuery, scope: TableScope): CommonTable {
    const resolved = this.resolve(query, null, scope);
    const plan = this.resolution.addCommonTable(name, resolved.plan);
    return { name, plan, query: resolved, redaction: null };
  }

  /** The base determines names and types; the step reads the query by its name. */
  private recursiveTable(
    { name: { name, position } }: WithQuery,
    terms: RecursiveTerms,
    scope: TableScope
  ): CommonTable {
    const { operator } = terms;
    const base = this.body(terms.base, NO_TAIL, null, scope, false);
    base.columns.forEach(({ type }, index) => {
      if (type.kind === 'NULL') base.convert(index, INT64, operator);
      if (operator === 'UNION ALL' || isScalar(type)) return;
      throw failure('type_mismatch', `${operator} does not work on ${shortTypeName(type)}`, terms.base.position, {
        hint: 'select its fields, or TO_JSON_STRING(...) of it',
      });
    });
    const { line, column } = position;
    const site = this.resolution.marksSites ? { name: `"${name}"`, line, column } : null;
    const query = new RecursiveQuery(base, operator, site);
    const self: CommonTable = { name, plan: query.self, query, redaction: null };
    const step = this.body(terms.step, NO_TAIL, null, { tables: [self], parent: scope }, false);
    if (step.columns.length !== query.columns.length) {
      const counts = `${query.columns.length} and ${step.columns.length}`;
      const message = `the branches of ${operator} have different numbers of columns: ${counts}`;
      throw failure('wrong_columns', message, terms.step.position);
    }
    query.columns.forEach(({ type }, index) => step.convert(index, type, `column ${index + 1} of ${operator}`));
    query.complete(step);
    step.columns.forEach((_, index) => step.output(index, [], 'value'));
    checkStep(step, query, name, terms.step);
    const plan = this.resolution.addCommonTable(name, query.plan, (own) => {
      query.self.name = operator === 'UNION ALL' ? own : `${own}_steps`;
      return { self: query.self, site };
    });
    return { name, plan, query, redaction: null };
  }

  body(body: QueryBody, tail: Tail, outer: Scope | null, tables: TableScope, asStruct: boolean): ResolvedQuery {
    if ((body.kind === 'set-operation' || body.kind === 'query') && hasComputedKey(tail)) {
      return this.body(selectAllOf(body), tail, outer, tables, asStruct);
    }
    switch (body.kind) {
      case 'select':
        return resolveSelect(body, tail, this.context(outer, tables, asStruct));
      case 'set-operation':
        return this.set(body, tail, outer, tables, asStruct);
      case 'from':
        return new PipeResolver(this, this.context(outer, tables, asStruct)).resolve(body, []);
      case 'pipe':
        return new PipeResolver(this, this.context(outer, tables, asStruct)).resolve(body.source, body.steps);
      case 'query': {
        const inner = this.resolve(body, outer, tables, asStruct);
        return tail.orderBy.length === 0 && tail.limit === null ? inner : this.reordered(inner, tail, outer, tables);
      }
    }
  }

  context(outer: Scope | null, tables: TableScope, asStruct: boolean): SelectContext {
    return {
      resolution: this.resolution,
      tables,
      outer,
      resolveQuery: (query, around, scope) => this.resolve(query, around, scope),
      subquery: this.subqueries(tables),
      asStruct,
    };
  }

  private subqueries(tables: TableScope): SubqueryResolver {
    return (query, scope) => this.resolve(query, scope, tables, true);
  }

  /** `(query) ORDER BY .. LIMIT ..`: a set operation of one branch. */
  private reordered(inner: ResolvedQuery, tail: Tail, outer: Scope | null, tables: TableScope): ResolvedQuery {
    return this.setOf('UNION ALL', [inner], [...inner.columns], tail, outer, tables);
  }

  private set(
    body: SetOperation,
    tail: Tail,
    outer: Scope | null,
    tables: TableScope,
    asStruct: boolean
  ): ResolvedQuery {
    const branches = body.branches.map((branch) => ({
      query: this.body(branch, NO_TAIL, outer, tables, asStruct),
      position: branch.position,
    }));
    return this.combined(body, branches, tail, outer, tables);
  }

  /** A set operation of resolved branches. */
  combined(
    body: SetPlace,
    written: readonly Branch[],
    tail: Tail,
    outer: Scope | null,
    tables: TableScope
  ): ResolvedQuery {
    const parts = body.match === null ? written : this.matched(body.match, written, body.position);
    const branches = parts.map(({ query }) => query);
    const first = itemAt(branches, 0);
    for (const { query, position } of parts) {
      if (query.columns.length === first.columns.length) continue;
      throw failure(
        'wrong_columns',
        `the branches of ${body.operator} have different numbers of columns: ${first.columns.length} and ${query.columns.length}`,
        position
      );
    }
    const columns = first.columns.map(({ name }, index) => ({ name, type: this.unify(body, branches, index) }));
    const set = (operator: SetPlan['operator'], queries: readonly ResolvedQuery[], end: Tail): ResolvedSet =>
      this.setOf(operator, queries, columns, end, outer, tables);
    const { operator } = body;
    if (operator !== 'INTERSECT ALL' && operator !== 'EXCEPT ALL') return set(operator, branches, tail);
    const [, ...others] = branches;
    // The rows of all but the first branch are taken from the first one together.
    const rest = operator === 'EXCEPT ALL' && others.length > 1 ? [set('UNION ALL', others, NO_TAIL)] : others;
    const numbered = [first, ...rest].map((query) => numberedRows(this.resolution, query, body.position));
    const distinct = set(operator === 'EXCEPT ALL' ? 'EXCEPT DISTINCT' : 'INTERSECT DISTINCT', numbered, tail);
    distinct.compare(columns.length, INT64);
    return distinct;
  }

  /** The branches with the columns of the result, in its order. */
  private matched(match: ColumnMatch, branches: readonly Branch[], position: SourcePosition): readonly Branch[] {
    const columns = matchColumns(match, branches, position);
    return branches.map(({ query, position: at }, branch) => {
      const places = columns.map((column) => column.places[branch] ?? null);
      if (places.length === query.columns.length && places.every((place, index) => place === index)) {
        return { query, position: at };
      }
      const selected = selectOf(this.resolution, query, at, (read) =>
        columns.map(({ name }, index) => {
          const place = places[index] ?? null;
          return { name, value: place === null ? nullValue(at) : read(place) };
        })
      );
      return { query: selected, position: at };
    });
  }

  private unify(body: SetPlace, branches: readonly ResolvedQuery[], index: number): Type {
    const values = branches.map((branch): Value => {
      const literal = branch.literal(index);
      if (literal !== null) return literal;
      const { type } = itemAt(branch.columns, index);
      return { expr: nullOf(type), type, text: null, position: branch.positions[index] ?? body.position };
    });
    const type = commonType(values);
    const what = `column ${index + 1} of ${body.operator}`;
    if (type === undefined) throw noCommonType(values, what, itemAt(values, 1).position);
    if (body.operator !== 'UNION ALL' && !isComparable(type)) {
      throw failure(
        'type_mismatch',
        `${body.operator} does not work on ${shortTypeName(type)} (${what})`,
        itemAt(values, 0).position,
        {
          hint: 'select its fields, or TO_JSON_STRING(...) of it',
        }
      );
    }
    for (const branch of branches) branch.convert(index, type, what);
    return type;
  }

  private setOf(
    operator: SetPlan['operator'],
    branches: readonly ResolvedQuery[],
    columns: LogicalColumn[],
    tail: Tail,
    outer: Scope | null,
    tables: TableScope
  ): ResolvedSet {
    const set: SetDraft = { kind: 'set', operator, branches: branches.map((branch) => branch.plan), outputs: [] };
    const place = { clause: 'LIMIT', aggregates: false, windows: false, aliases: null };
    const limits = new ExpressionResolver(this.resolution, new Scope(outer), place, this.subqueries(tables));
    const plan: QueryDraft = {
      kind: 'query',
      body: set,
      orderBy: [],
      value: null,
      ordered: false,
      ...resolveLimit(tail.limit, limits),
    };
    const resolved = new ResolvedSet(plan, set, branches, columns);
    // Operators other than UNION ALL compare whole rows, so no column can be pruned.
    if (operator !== 'UNION ALL') columns.forEach((_, index) => resolved.output(index, [], 'value'));
    plan.orderBy = tail.orderBy.map((item) => setOrder(item, resolved));
    return resolved;
  }
}

function nullValue(position: SourcePosition): Value {
  return { expr: nullOf(NULL_TYPE), type: NULL_TYPE, text: null, position };
}

function ensureDifferent(tables: readonly WithQuery[]): void {
  tables.forEach(({ name }, index) => {
    if (!tables.slice(0, index).some((table) => sameName(table.name.name, name.name))) return;
    throw failure('duplicate_alias', `the name "${name.name}" is used twice in WITH`, name.position, {
      name: name.name,
    });
  });
}

function setOrder(item: OrderItem, resolved: ResolvedSet): SortItem {
  const { expression } = item;
  const index = orderedColumn(expression, resolved.columns);
  const { type } = itemAt(resolved.columns, index);
  if (!isScalar(type)) throw failure('type_mismatch', `cannot order by ${shortTypeName(type)}`, expression.position);
  const { name } = resolved.output(index, [], 'value');
  return { ...sortBy(nullOf(type), item), output: name };
}

/** A key that names an output column of the first branch, or its ordinal. */
function orderedColumn(expression: Expression, columns: readonly LogicalColumn[]): number {
  const { position } = expression;
  if (expression.kind === 'literal' && expression.literal.type === 'integer') {
    const { digits } = expression.literal;
    const index = Number(digits) - 1;
    if (columns[index] !== undefined) return index;
    throw failure('bad_ordinal', `ORDER BY ${digits} is not one of the ${columns.length} columns`, position);
  }
  if (expression.kind !== 'path') throw new Error('other keys are read by a SELECT around the set operation');
  const [name] = expression.parts;
  const index = uniqueColumnIndex(columns, name, 'the set operation');
  if (index >= 0) return index;
  const names = columns.map((column) => column.name);
  throw unknownColumn(name, 'the result of the set operation', names);
}
