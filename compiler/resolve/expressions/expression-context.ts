/** What resolving one kind of expression needs of the resolver of them all. */
import type { Expression, OrderItem, PathExpression, QueryExpression } from '../../ast';
import type { CallContext, Value } from '../../functions/function';
import type { Expr, SortExpr } from '../../ir/expression';
import type { Scope } from '../names/scope';
import type { FieldStep } from '../names/resolve-path';
import type { SelectAliases } from '../names/select-aliases';
import type { NamedWindows } from '../query/named-windows';
import type { ResolvedQuery } from '../query/resolved-query';
import type { Resolution } from '../resolution';

/** What is allowed at the position of an expression. */
export interface Place {
  /** The clause, for errors: `WHERE`. */
  readonly clause: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
  /** Select aliases in scope, which take precedence over FROM names (HAVING, QUALIFY, ORDER BY). */
  readonly aliases: SelectAliases | null;
}

/** Inner groups of an aggregate, while its arguments are resolved. */
export interface InnerLevel {
  /** Makes the rows of one inner group one partition of a group. */
  readonly partitionBy: readonly Expr[];
}

export interface InnerReads {
  readonly keys: readonly Expr[];
  readonly exprs: readonly Expr[];
}

export interface LambdaParameter {
  readonly name: string;
  readonly value: Value;
}

/** A lambda around an expression. */
export interface LambdaFrame {
  readonly parameters: readonly LambdaParameter[];
  /** Its list; null for the names of `WITH(..)`. */
  readonly list: Expr | null;
  /** Set for the names of `WITH(..)`, which is no lambda. */
  readonly isWith?: true;
}

export interface ExpressionContext extends CallContext {
  readonly resolution: Resolution;
  readonly scope: Scope;
  readonly place: Place;
  /** Windows that OVER may name; null: none may be named here. */
  readonly namedWindows: NamedWindows | null;
  /** Already resolved values of expressions that a rewritten expression contains. */
  readonly known: Map<Expression, Value>;
  readonly insideAggregate: boolean;
  /** Set when an aggregate without OVER was resolved. */
  sawAggregate: boolean;
  /** Set when a call with OVER was resolved. */
  sawWindow: boolean;
  insideWindow: boolean;
  /** The inner groups over which aggregates in the arguments of an aggregate are computed; null: there are none. */
  innerLevel: InnerLevel | null;
  /** What aggregates with inner groups read of these, to be checked when the columns of the block are known. */
  readonly innerReads: InnerReads[];
  /** Set when lambdas were resolved whose number of steps is known only for each row. */
  stepsNeedLimit: boolean;
  /** Number of lambdas around the expression. */
  readonly lambdaLevel: number;
  /** Resolves inside of a lambda. */
  within(lambda: LambdaFrame, resolve: () => Value): Value;
  /** Value of a lambda's parameter; undefined for any other name. */
  parameter(name: string): Value | undefined;
  /** Resolves with each of these expressions resolved once. Their values may be set in `known`. */
  resolvingOnce(expressions: readonly Expression[], resolve: () => Value): Value;
  /** Resolves a query inside of this expression. */
  inner(query: QueryExpression): ResolvedQuery;
  /** Resolves an order key. By default NULLs come first ascending and last descending. */
  sortItem(item: OrderItem, resolve: (expression: Expression) => Value): SortExpr;
  /** Resolves a name with its fields. @param step reads a field */
  path(expression: PathExpression, step?: FieldStep): Value;
  /** Resolves a list; the text of a parameter is split at commas. */
  listOf(expression: Expression): Value;
  /** Applies redaction to a call, see `redact-border`. */
  guarded(expr: Expr): Expr;
  /** Folds function calls on constants. */
  folded(value: Value): Value;
}
