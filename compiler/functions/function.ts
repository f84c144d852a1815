/** Interface between functions and the resolver: a function receives the call as parsed and returns a typed value. */
import type { PatternBudget } from '#contract/pattern-limits';
import type { CallExpression, Expression, LambdaExpression, OrderItem, SourcePosition } from '../ast';
import type { Expr, LambdaExpr, SortExpr } from '../ir/expression';
import type { RequestTime } from '../ir/request-time';
import type { Type } from '../ir/types';

/**
 * A resolved expression. `text` marks values that convert implicitly: a `parameter` or a string `literal`. Values of
 * kind RECORD, SINGLE and STRUCT have no store expression until `ctx.materialize` creates one.
 */
export interface Value {
  readonly expr: Expr;
  readonly type: Type;
  readonly text: 'parameter' | 'literal' | null;
  /** Fields of a struct that the query writes, of which each may be a text that converts implicitly. */
  readonly fields?: readonly Value[];
  readonly position: SourcePosition;
}

/** Services of the resolver for functions. */
export interface CallContext {
  /** Current time of the request. */
  readonly time: RequestTime;
  /** Bounds the patterns of the statement. */
  readonly patterns: PatternBudget;
  resolve(expression: Expression): Value;
  /** Resolves an array; in a path, the fields of an array are those of all of its elements. */
  flattened(expression: Expression): Value;
  /** Resolves an argument of an aggregate: FROM names only, no nested aggregates. */
  resolveAggregated(expression: Expression): Value;
  /** Resolves ORDER BY inside an aggregate. */
  resolveOrder(items: readonly OrderItem[]): readonly SortExpr[];
  /**
   * Converts implicitly: NULL to anything, INT64 to FLOAT64, text parameters and literals to the required type.
   * @throws ServiceError type_mismatch `NAME expects STRING, found INT64; use CAST` / bad_parameter.
   */
  coerce(value: Value, type: Type, what: string): Value;
  /** The common type of values (CASE, COALESCE, IF, GREATEST, arrays), and the values converted to it. */
  unify(values: readonly Value[], what: string): { readonly type: Type; readonly values: readonly Value[] };
  /** Resolves a lambda over the elements of a list. @param convert checks and converts the body */
  lambda(
    lambda: LambdaExpression,
    list: { readonly expr: Expr; readonly element: Type },
    convert: (body: Value) => Value
  ): LambdaExpr;
  /** Bounds the steps for one row of nested loops over lists. @throws ServiceError too_complex */
  ensureListWork(lists: readonly Expr[], position: SourcePosition): void;
  /** `a = b`, for arrays and structs too. @throws ServiceError type_mismatch */
  equality(a: Value, b: Value): Expr;
  /** The fields of a STRUCT, in order. */
  fieldsOf(value: Value): readonly Value[];
  /** Store expression of a value, including a whole record (JSON text), a single array or a struct. */
  materialize(value: Value): Expr;
  /** Whether a record, or an array of one, is present (BOOL, never NULL). Cheaper than reading its value. */
  isPresent(value: Value): Expr;
  /** Value of a compile-time constant (literal, bound parameter, folded expression); undefined if it is not one. */
  constant(value: Value): { readonly value: string | bigint | number | boolean | null } | undefined;
  /** Throws a front-end error at a position: code `query_invalid` with `details.reason`. */
  fail(reason: string, message: string, position: SourcePosition, hint?: string): never;
}

/** A function with all of its names. */
export interface FunctionSpec {
  readonly names: readonly string[];
  /** `window`: only with OVER. `aggregate`: with or without. `scalar`: never. */
  readonly kind: 'scalar' | 'aggregate' | 'window';
  /**
   * Whether `SAFE.` is allowed. The call then has `safe: true`, for constants that a function refuses; the resolver
   * makes the operations of the call safe.
   */
  readonly safe: boolean | 'never fails';
  /** Signature for hints and documents: `REGEXP_CONTAINS(value, pattern)`. */
  readonly usage: string;
  /** One sentence for editors and docs/sql.md. Types and an example stand in docs/sql-functions.yaml. */
  readonly summary: string;
  /** Arguments of a scalar call that must be constant; the resolver resolves the call for each choice of constants. */
  readonly constants?: (call: CallExpression) => readonly Expression[];
  /** Checks a call, and writes it as one of another function, which the resolver resolves instead. */
  readonly writtenAs?: (call: CallExpression, ctx: CallContext) => CallExpression;
  /**
   * Resolves a call. The resolver checks DISTINCT, ORDER BY, LIMIT and OVER by kind; this reads `call.args` and allowed
   * modifiers.
   */
  readonly resolve: (call: CallExpression, ctx: CallContext) => Value;
}
