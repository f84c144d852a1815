/** Resolves expressions to typed values, with one method per kind of node. */
import type {
  Expression,
  FieldExpression,
  Identifier,
  LambdaExpression,
  OrderItem,
  PathExpression,
  QueryExpression,
  SourcePosition,
} from '../../ast';
import type { CallContext, Value } from '../../functions/function';
import { resolveExtract } from '../../functions/time/extract';
import { constantOf } from '../../ir/constant';
import { sizeOf } from '../../ir/walk/children';
import { withOperandsOnce } from './values/operands-once';
import { markSite } from '../../ir/sites';
import type { Expr, LambdaExpr, SortExpr } from '../../ir/expression';
import type { RequestTime } from '../../ir/request-time';
import { BOOL, isOrdered, shortTypeName, type Type } from '../../ir/types';
import { coerce, commonType, fieldsOf, noCommonType } from '../types/coerce';
import { equality } from '../types/equality';
import { settle } from '../relations/demand';
import { ScanRelation } from '../relations/scan-relation';
import { failure } from '../failure';
import { refuseInnerOrdinal } from './calls/aggregate-rows';
import { overChoices, present } from './calls/constant-choices';
import { TRUE } from './fold-conditions';
import { foldValue } from './fold-value';
import { containsAggregate, containsWindow } from '../query/grouping/grouping';
import { redactedReading, redactedSearch, secretReading } from '../relations/redact-border';
import type { Resolution } from '../resolution';
import type { ExpressionContext, InnerLevel, InnerReads, LambdaFrame, Place } from './expression-context';
import { resolveArray } from './values/resolve-array';
import { resolveCall } from './calls/resolve-call';
import { resolveCase } from './conditions/resolve-case';
import type { PatternBudget } from '#contract/pattern-limits';
import { resolveCast } from './casts/resolve-cast';
import { resolveLiteral, resolveParameter, resolveTypedLiteral } from './resolve-constant';
import { resolveIndex } from './values/resolve-index';
import { resolveInterval } from './resolve-interval';
import { resolveUnary, resolveBinary } from './conditions/resolve-operators';
import { type ArrayPath, isPath, listOfPath, resolveArrayPath } from '../names/array-path';
import { fieldOf, resolvePath, UNNAMED, type FieldStep } from '../names/resolve-path';
import { writtenPlace } from '../names/written-place';
import { resolveBetween, resolveIn, resolveIs, resolveLike } from './conditions/resolve-predicates';
import { resolveArraySubquery, resolveExists, resolveScalarSubquery } from './resolve-subquery';
import type { NamedWindows } from '../query/named-windows';
import type { ResolvedQuery } from '../query/resolved-query';
import { sameName, type Scope } from '../names/scope';
import { aggregated } from '../names/select-aliases';
import { sortBy } from '../query/order/sort-key';
import { ensureFewSteps } from './calls/list-work';
import { misplacedLambda, resolveLambda } from './resolve-lambda';
import { resolveWith } from './resolve-with';
import { resolveStruct, resolveTuple } from './values/struct-value';
import { asList } from './values/as-list';
import { callOf, isCall } from '../../ir/operations/call';
import { itemAt } from '../../items';

/** Resolves a query inside an expression. */
export type SubqueryResolver = (query: QueryExpression, scope: Scope) => ResolvedQuery;

/** Maximum number of nodes; shared nodes count each time. */
const MAX_EXPRESSION_SIZE = 10_000;

export class ExpressionResolver implements ExpressionContext {
  sawAggregate = false;
  sawWindow = false;
  namedWindows: NamedWindows | null = null;
  readonly known = new Map<Expression, Value>();
  /** Expressions that are resolved once, however often they are read. */
  private readonly once = new Set<Expression>();
  /** Fields that are read from what a field expression gives, for messages. */
  private readonly fieldsBehind = new WeakMap<FieldExpression, readonly Identifier[]>();
  insideAggregate = false;
  insideWindow = false;
  innerLevel: InnerLevel | null = null;
  readonly innerReads: InnerReads[] = [];
  stepsNeedLimit = false;
  /** The lambdas around the expression, innermost last. */
  private readonly lambdas: LambdaFrame[] = [];

  constructor(
    readonly resolution: Resolution,
    readonly scope: Scope,
    readonly place: Place,
    private readonly resolveQuery: SubqueryResolver
  ) {}

  get lambdaLevel(): number {
    return this.lambdas.filter(({ isWith }) => isWith !== true).length;
  }

  within(lambda: LambdaFrame, resolve: () => Value): Value {
    this.lambdas.push(lambda);
    const value = resolve();
    this.lambdas.pop();
    return value;
  }

  parameter(name: string): Value | undefined {
    for (const { parameters, isWith } of this.lambdas.toReversed()) {
      const found = parameters.find((parameter) => sameName(parameter.name, name));
      if (found === undefined) continue;
      if (isWith !== true || !(this.insideAggregate || this.insideWindow)) return found.value;
      const what = this.insideAggregate ? 'an aggregate' : 'a window function';
      const { position } = found.value;
      throw failure('not_supported', `"${name}" of WITH cannot be read in ${what}`, position, {
        name: 'WITH',
        hint: 'write the expression itself',
      });
    }
    return undefined;
  }

  /** The value of a name of `WITH(..)`, in a subquery. @throws not_supported for an aggregate or a window */
  private withName({ name, position }: Identifier): Value | undefined {
    const value = this.parameter(name);
    if (value === undefined || !(containsAggregate(value.expr) || containsWindow(value.expr))) return value;
    throw failure('not_supported', `"${name}" is computed from groups, which a subquery cannot read here`, position, {
      name: 'WITH',
      hint: 'compute it in a subquery in FROM',
    });
  }

  /** @throws not_supported inside of a lambda: stores do not run queries there */
  subquery(query: QueryExpression, scope: Scope): ResolvedQuery {
    if (this.lambdaLevel === 0) return this.resolveQuery(query, scope);
    throw failure('not_supported', 'a subquery inside a lambda is not supported', query.position, {
      name: 'subquery in a lambda',
      hint: 'write ARRAY(SELECT ... FROM UNNEST(list) AS e WHERE ...) instead of the function with the lambda',
    });
  }

  get time(): RequestTime {
    return this.resolution.input.time;
  }

  get patterns(): PatternBudget {
    return this.resolution.patterns;
  }

  resolvingOnce(expressions: readonly Expression[], resolve: () => Value): Value {
    const added = expressions.filter((expression) => !this.once.has(expression));
    for (const expression of added) this.once.add(expression);
    const value = resolve();
    for (const expression of added) {
      this.once.delete(expression);
      this.known.delete(expression);
    }
    return value;
  }

  resolve(expression: Expression): Value {
    const value = this.known.get(expression) ?? this.withOperandsOnce(this.resolveNode(expression));
    if (this.once.has(expression)) this.known.set(expression, value);
    this.resolution.insideSafe?.add(value.expr);
    if (this.resolution.marksSites) markSite(value.expr, expression);
    if (sizeOf(value.expr) > MAX_EXPRESSION_SIZE) {
      throw failure('too_complex', 'an expression is too large once it is written out', expression.position, {
        maximum: MAX_EXPRESSION_SIZE,
      });
    }
    return value;
  }

  /** Computes large operands once. Fields of a struct keep their own expressions. */
  private withOperandsOnce(value: Value): Value {
    const { operands } = this.resolution;
    const expr = value.fields === undefined ? withOperandsOnce(value.expr, (part) => operands.has(part)) : value.expr;
    operands.add(expr);
    return expr === value.expr ? value : { ...value, expr };
  }

  private resolveNode(expression: Expression): Value {
    switch (expression.kind) {
      case 'literal':
        return resolveLiteral(expression);
      case 'typed-literal':
        return resolveTypedLiteral(expression);
      case 'interval':
        return resolveInterval(this, expression);
      case 'parameter':
        return resolveParameter(this, expression);
      case 'path':
        return this.path(expression);
      case 'field':
        return this.field(expression);
      case 'index':
        return resolveIndex(this, expression);
      case 'unary':
        return resolveUnary(this, expression.operator, expression.operand, expression.position);
      case 'binary':
        return resolveBinary(this, expression);
      case 'is':
        return resolveIs(this, expression);
      case 'like':
        return resolveLike(this, expression);
      case 'between':
        return resolveBetween(this, expression);
      case 'in':
        return resolveIn(this, expression);
      case 'case':
        return resolveCase(this, expression);
      case 'cast':
        return resolveCast(this, expression);
      case 'extract':
        return overChoices(this, present(expression.timeZone), [expression.operand], () =>
          this.folded(resolveExtract(expression, this))
        );
      case 'call':
        return resolveCall(this, expression);
      case 'array':
        return resolveArray(this, expression);
      case 'struct':
        return resolveStruct(this, expression);
      case 'tuple':
        return resolveTuple(this, expression);
      case 'with':
        return resolveWith(this, expression);
      case 'lambda':
        throw misplacedLambda(expression);
      case 'subquery':
        return resolveScalarSubquery(this, expression.query, expression.position);
      case 'exists':
        return resolveExists(this, expression);
      case 'array-subquery':
        return resolveArraySubquery(this, expression);
    }
  }

  private field(expression: FieldExpression): Value {
    const { base, field } = expression;
    const path = [field, ...(this.fieldsBehind.get(expression) ?? [])];
    if (base.kind === 'field') this.fieldsBehind.set(base, path);
    const owner = writtenPlace(base) ?? UNNAMED;
    return this.guardedValue(settle(this.resolution, fieldOf(this.resolve(base), field, owner, path)));
  }

  inner(query: QueryExpression): ResolvedQuery {
    const { scope, place } = this;
    const { aliases } = scope;
    const reads = scope.readFromInside.length;
    const own = place.aliases;
    const hasNames = own !== null || this.lambdas.some(({ isWith }) => isWith === true);
    scope.aliases = hasNames
      ? { readInside: (name) => this.withName(name) ?? own?.readInside(name, this.insideAggregate) }
      : null;
    const resolved = this.subquery(query, scope);
    scope.aliases = aliases;
    scope.attribute(reads, resolved.plan);
    return resolved;
  }

  /** Resolves a condition: BOOL, or a text parameter with a boolean value. */
  resolveCondition(expression: Expression): Expr {
    return this.coerce(this.resolve(expression), BOOL, this.place.clause).expr;
  }

  resolveAggregated(expression: Expression): Value {
    // Arguments of a window call may contain aggregates of the grouped block.
    if (this.insideAggregate || this.insideWindow) return this.resolve(expression);
    const reads = this.scope.readFromInside.length;
    const inner = new ExpressionResolver(
      this.resolution,
      this.scope,
      { clause: 'an aggregate', aggregates: false, windows: false, aliases: this.place.aliases },
      this.resolveQuery
    );
    inner.insideAggregate = true;
    inner.innerLevel = this.innerLevel;
    inner.lambdas.push(...this.lambdas.filter(({ isWith }) => isWith === true));
    const value = inner.resolve(expression);
    // Subqueries inside an aggregate read before grouping.
    this.scope.readFromInside.length = reads;
    return value;
  }

  resolveOrder(items: readonly OrderItem[]): readonly SortExpr[] {
    return items.map((item) => {
      refuseInnerOrdinal(item.expression);
      return this.sortItem(item, (expression) => this.resolveAggregated(expression));
    });
  }

  sortItem(item: OrderItem, resolve: (expression: Expression) => Value): SortExpr {
    const value = resolve(item.expression);
    if (!isOrdered(value.type)) {
      throw failure('type_mismatch', `cannot order by ${shortTypeName(value.type)}`, item.expression.position);
    }
    return sortBy(value.expr, item);
  }

  coerce(value: Value, type: Type, what: string): Value {
    return coerce(value, type, what);
  }

  unify(values: readonly Value[], what: string): { readonly type: Type; readonly values: readonly Value[] } {
    const type = commonType(values);
    if (type === undefined) {
      throw noCommonType(values, what, (values[1] ?? values[0])?.position as SourcePosition);
    }
    return { type, values: values.map((value) => coerce(value, type, what)) };
  }

  lambda(
    expression: LambdaExpression,
    list: { readonly expr: Expr; readonly element: Type },
    convert: (body: Value) => Value
  ): LambdaExpr {
    const lambda = resolveLambda(this, expression, list, convert);
    this.resolution.operands.add(lambda);
    return lambda;
  }

  ensureListWork(lists: readonly Expr[], position: SourcePosition): void {
    const around = this.lambdas.map(({ list }) => list).filter((list) => list !== null);
    if (ensureFewSteps([...around, ...lists], position)) this.stepsNeedLimit = true;
  }

  equality(a: Value, b: Value): Expr {
    return equality(a, b, a.position);
  }

  fieldsOf(value: Value): readonly Value[] {
    return fieldsOf(value);
  }

  materialize(value: Value): Expr {
    return this.resolution.materialize(value);
  }

  isPresent(value: Value): Expr {
    const { expr } = value;
    if (expr.kind !== 'lazy-record') {
      return callOf('is_not_null', [this.materialize(value)], BOOL);
    }
    const relation = this.resolution.relation(expr.relation);
    const isCertain = relation.alwaysPresent(expr.column, expr.path) && !this.resolution.isNullable(expr.relation);
    if (isCertain) return TRUE;
    const mention = { display: expr.display, position: expr.position };
    const there = relation.demand(expr.column, expr.path, 'presence', mention);
    return callOf('is_true', [there], BOOL);
  }

  constant(value: Value): ReturnType<CallContext['constant']> {
    if (value.expr.kind === 'now') return { value: this.time.fix(value.expr.offsetMicros) };
    return constantOf(value.expr);
  }

  fail(reason: string, message: string, position: SourcePosition, hint?: string): never {
    throw failure(reason, message, position, hint === undefined ? {} : { hint });
  }

  path(expression: PathExpression, step: FieldStep = fieldOf): Value {
    const { parts } = expression;
    const [first, ...rest] = parts;
    const parameter = this.parameter(first.name);
    if (parameter) {
      let value = parameter;
      for (const [index, field] of rest.entries()) {
        value = step(value, field, itemAt(parts, index).name, parts);
      }
      return { ...settle(this.resolution, value), position: expression.position };
    }
    const alias = this.aliasNamed(expression, step);
    if (alias) return { ...this.allowedAlias(alias, expression), position: expression.position };
    const value = settle(this.resolution, resolvePath(parts, this.scope, step, this.resolution.input.parameters));
    return { ...this.guardedValue(value), position: expression.position };
  }

  /** @throws misplaced_window, misplaced_aggregate for an alias of a call that is not allowed here */
  private allowedAlias(alias: Value, { parts, position }: PathExpression): Value {
    if (this.insideAggregate && containsAggregate(alias.expr)) throw aggregated(parts[0]);
    if ((this.place.windows && !this.insideWindow) || !containsWindow(alias.expr)) return alias;
    const place = this.insideWindow ? 'another window function' : this.place.clause;
    throw failure(
      'misplaced_window',
      `"${parts[0].name}" is a window function, which is not allowed in ${place}`,
      position,
      { hint: this.insideWindow ? 'compute it in a subquery first' : 'filter with QUALIFY' }
    );
  }

  private aliasNamed(expression: PathExpression, step: FieldStep): Value | undefined {
    const { aliases } = this.place;
    if (aliases === null) return undefined;
    const [first, ...rest] = expression.parts;
    const named = aliases.named(first);
    if (named === undefined) return undefined;
    let value = aliases.whole(named);
    for (const field of rest) value = step(value, field, first.name, expression.parts);
    return this.guardedValue(settle(this.resolution, value));
  }

  /** Resolves an array; a path opens the arrays along it. */
  flattened(expression: Expression): Value {
    if (!isPath(expression) || this.known.has(expression)) return this.resolve(expression);
    return this.flattenedPath(expression, resolveArrayPath(expression, this));
  }

  /** The array of a path that is resolved. */
  flattenedPath(expression: Expression, path: ArrayPath): Value {
    this.known.set(expression, listOfPath(path, this));
    const value = this.resolve(expression);
    this.known.delete(expression);
    return value;
  }

  listOf(expression: Expression): Value {
    return asList(this.flattened(expression), this.resolution);
  }

  /** Applies redaction to a member of a JSON value. */
  private guardedValue(value: Value): Value {
    return isCall(value.expr, 'json_query') ? { ...value, expr: this.guarded(value.expr) } : value;
  }

  guarded(expr: Expr): Expr {
    const { redaction } = this.resolution.input;
    if (redaction === null) return expr;
    const read = secretReading(expr, redaction);
    if (!this.resolution.sourcesVisible) return redactedReading(read, redaction);
    return redactedSearch(
      read,
      redaction,
      ({ relation }) => this.resolution.relation(relation) instanceof ScanRelation
    );
  }

  folded(value: Value): Value {
    return foldValue(value, this.time);
  }
}
