/** What a function of the dialect is to the resolver: it gets the call as written and gives a typed value. */
import type { CallExpression, Expression, OrderItem, SourcePosition } from '../ast';
import type { Expr, SortExpr } from '../ir/expression';
import type { RequestTime } from '../ir/moment';
import type { Type } from '../ir/types';

/**
 * A resolved expression. `text` marks what converts to other types by itself: a `parameter`, or a string `literal`.
 * Values of kind RECORD, SINGLE and STRUCT keep no store expression until one is needed; `ctx.materialise` makes one.
 */
export interface Value {
  readonly expr: Expr;
  readonly type: Type;
  readonly text: 'parameter' | 'literal' | null;
  readonly position: SourcePosition;
}

/** What a function may ask of the resolver. */
export interface CallContext {
  /** The one "now" of the request. */
  readonly time: RequestTime;
  resolve(expression: Expression): Value;
  /** Arguments of an aggregate: FROM names only, and no aggregate inside. */
  resolveAggregated(expression: Expression): Value;
  /** ORDER BY inside an aggregate. */
  resolveOrder(items: readonly OrderItem[]): readonly SortExpr[];
  /**
   * Converts where the dialect does so by itself: NULL to anything, INT64 to FLOAT64, text parameters and literals to the type wanted.
   * @throws ServiceError type_mismatch `NAME expects STRING, found INT64; use CAST` / bad_parameter.
   */
  coerce(value: Value, type: Type, what: string): Value;
  /** The common type of values (CASE, COALESCE, IF, GREATEST, arrays) and the values converted to it. */
  unify(values: readonly Value[], what: string): { readonly type: Type; readonly values: readonly Value[] };
  /** The store expression of a value, also of a whole record (JSON text), a single array or a struct. */
  materialise(value: Value): Expr;
  /** Whether a record, or an array of one, holds a record (BOOL, never NULL). Reads less than its value. */
  isPresent(value: Value): Expr;
  /** A constant known at compile time (literal, bound parameter, folded expression), or undefined when it is not one. */
  constant(value: Value): { readonly value: string | bigint | number | boolean | null } | undefined;
  /** An error of the front end at a place: code `query_invalid` with `details.reason`. */
  fail(reason: string, message: string, position: SourcePosition, hint?: string): never;
}

/** One function, with all names it goes by. */
export interface FunctionSpec {
  readonly names: readonly string[];
  /** `window`: only with OVER. `aggregate`: with or without. `scalar`: never. */
  readonly kind: 'scalar' | 'aggregate' | 'window';
  /** Whether `SAFE.` may stand before it. The call then has `safe: true`, which means nothing to a function that never fails on a value. */
  readonly safe: boolean | 'never fails';
  /** How a caller writes it, for hints and documents: `REGEXP_CONTAINS(value, pattern)`. */
  readonly usage: string;
  /** One sentence for editors and docs/sql.md. */
  readonly summary: string;
  /** The resolver adds DISTINCT, ORDER BY, LIMIT and OVER checks by kind; a spec reads `call.args` and the modifiers it allows. */
  readonly resolve: (call: CallExpression, ctx: CallContext) => Value;
}
