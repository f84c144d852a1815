/**
 * Typed intermediate representation of expressions: names are resolved to physical columns of relations, functions to
 * entries of the function registry. Dialects print it. The caller's text occurs in it only as literal values.
 */
import type { SourcePosition } from '../ast/node';
import type { SourceRedaction } from '../catalog/source-redaction';
import type { BoundValue } from './bound-value';
import type { AggregateName, OpName, OptionsOf } from './operations/ops';
import type { QueryPlan } from './plan';
import type { Type } from './types';

export type Expr =
  | LiteralExpr
  | NowExpr
  | BoundExpr
  | ColumnExpr
  | LazyRecordExpr
  | CallExpr
  | CaseExpr
  | CastExpr
  | AggregateExpr
  | ElementExpr
  | LambdaExpr
  | ArrayExpr
  | StructExpr
  | StructFieldExpr
  | JsonFieldExpr
  | RedactedExpr
  | SubqueryExpr
  | InSubqueryExpr;

/** A compile-time constant. TIMESTAMP and DATETIME are microseconds, DATE days, INT64 a bigint. */
export interface LiteralExpr {
  readonly kind: 'literal';
  readonly type: Type;
  readonly value: string | bigint | number | boolean | null;
}

/**
 * The time of the request plus an offset; printed as a constant, so that a resolved statement serves later requests.
 */
export interface NowExpr {
  readonly kind: 'now';
  readonly offsetMicros: bigint;
  readonly type: Type;
}

/** A bound parameter value. Each `key` is bound once, no matter how often it is printed. */
export interface BoundExpr {
  readonly kind: 'bound';
  readonly key: string;
  readonly type: Type;
  readonly value: BoundValue;
  /** Thrown when the node is printed: a value that failed to convert matters only if it is used. */
  readonly failure: Error | null;
}

/** `relation."name"`; `display` is the caller's name for it, used in errors. */
export interface ColumnExpr {
  readonly kind: 'column';
  readonly relation: number;
  readonly name: string;
  readonly type: Type;
  readonly display: string;
  readonly position: SourcePosition;
  /** Size of the expression behind a column of a query, which a store may inline; undefined: 1. */
  readonly size?: number;
}

/**
 * A record of a log event that has not been requested as a value: reading a field requests only that field from the
 * relation. Never printed; `materialize` of the resolver converts it to a column of JSON text. The type is RECORD or
 * SINGLE.
 */
export interface LazyRecordExpr {
  readonly kind: 'lazy-record';
  readonly relation: number;
  /** Index of the relation's logical column. */
  readonly column: number;
  readonly path: readonly string[];
  readonly type: Type;
  readonly display: string;
  readonly position: SourcePosition;
}

/** A scalar operation, made by `callOf`. */
export interface CallExpr<O extends OpName = OpName> {
  readonly kind: 'call';
  readonly fn: O;
  readonly args: readonly Expr[];
  readonly type: Type;
  /** Arguments that are not expressions: units, time zones, formats. */
  readonly options: OptionsOf<O>;
  /** NULL instead of a failure of the run. */
  readonly safe?: true;
}

/** A searched CASE, also for a CASE with an operand. `otherwise` null means NULL. */
export interface CaseExpr {
  readonly kind: 'case';
  readonly branches: readonly { readonly when: Expr; readonly then: Expr }[];
  readonly otherwise: Expr | null;
  readonly type: Type;
}

/** A conversion; `safe` returns NULL instead of failing. The source type is `operand.type`. */
export interface CastExpr {
  readonly kind: 'cast';
  readonly operand: Expr;
  readonly type: Type;
  readonly safe: boolean;
}

export interface SortExpr {
  readonly expr: Expr;
  readonly direction: 'ASC' | 'DESC';
  readonly nulls: 'FIRST' | 'LAST';
}

export interface WindowExpr {
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly SortExpr[];
  readonly frame: {
    readonly unit: 'ROWS' | 'RANGE';
    readonly start: FrameEdge;
    readonly end: FrameEdge | null;
  } | null;
  /** Divides the rows of a group of the block, before they are grouped; resolving the block adds its keys. */
  readonly inGroup?: true;
}

export type FrameEdge =
  | { readonly kind: 'unbounded-preceding' | 'unbounded-following' | 'current-row' }
  | { readonly kind: 'preceding' | 'following'; readonly amount: Expr };

/** An aggregate or window function; a window call if it has `over`. */
export interface AggregateExpr<O extends AggregateName = AggregateName> {
  readonly kind: 'aggregate';
  readonly fn: O;
  readonly args: readonly Expr[];
  readonly distinct: boolean;
  readonly ignoreNulls: boolean;
  readonly orderBy: readonly SortExpr[];
  readonly limit: number | null;
  readonly over: WindowExpr | null;
  readonly type: Type;
  readonly options: OptionsOf<O>;
  /** NULL instead of a failure of the run. */
  readonly safe?: true;
}

/** A parameter of a lambda: an element of a list, or its offset from 0. */
export interface ElementExpr {
  readonly kind: 'element';
  /** Unique among the lambdas around it; it comes from the compiler, not from the text. */
  readonly name: string;
  readonly of: 'element' | 'offset';
  readonly type: Type;
}

/** An expression over the elements of a list, an operand of list operations. The type is that of the body. */
export interface LambdaExpr {
  readonly kind: 'lambda';
  /** One parameter for the element, or two: the element and its offset. */
  readonly parameters: readonly ElementExpr[];
  readonly body: Expr;
  readonly type: Type;
}

export interface ArrayExpr {
  readonly kind: 'array';
  readonly items: readonly Expr[];
  readonly type: Type;
}

export interface StructExpr {
  readonly kind: 'struct';
  readonly fields: readonly { readonly name: string; readonly expr: Expr }[];
  /** Rows are grouped by the struct: its fields are read from it, since their expressions are no keys. */
  readonly isKey?: true;
  readonly type: Type;
}

/** A field of a stored struct. */
export interface StructFieldExpr {
  readonly kind: 'struct-field';
  readonly base: Expr;
  readonly field: string;
  readonly index: number;
  readonly type: Type;
}

/**
 * A nested field read from JSON text in object form; `path` consists of key names, and the type determines how the
 * value is read.
 */
export interface JsonFieldExpr {
  readonly kind: 'json-field';
  readonly base: Expr;
  readonly path: readonly string[];
  readonly type: Type;
}

/** A value with redacted texts: the redaction border between events and the caller's expressions. */
export interface RedactedExpr {
  readonly kind: 'redacted';
  readonly operand: Expr;
  readonly by: SourceRedaction;
  readonly type: Type;
}

export interface SubqueryExpr {
  readonly kind: 'subquery';
  readonly form: 'scalar' | 'exists' | 'array';
  readonly plan: QueryPlan;
  readonly type: Type;
}

export interface InSubqueryExpr {
  readonly kind: 'in-subquery';
  readonly operand: Expr;
  readonly plan: QueryPlan;
  readonly type: Type;
}
