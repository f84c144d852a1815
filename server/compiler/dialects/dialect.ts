/**
 * What a store's SQL looks like, as far as expressions go. A dialect gets operands that are printed already and are safe to put next to
 * any operator; it gives back text with the same promise. It never sees a byte of the caller's text but as literal values.
 */
import type { AggregateExpr, CallExpr, CastExpr, JsonFieldExpr, LiteralExpr, RedactedExpr } from '../ir/expression';
import type { Type } from '../ir/types';

export interface Dialect {
  readonly name: string;
  quoteIdentifier(name: string): string;
  /** The store's name of a logical type. */
  typeName(type: Type): string;
  literal(literal: LiteralExpr): string;
  /** The place where bound value number `index` (from 1) goes, read as `type`. */
  placeholder(index: number, type: Type): string;
  cast(operand: string, cast: CastExpr): string;
  array(items: readonly string[], type: Type): string;
  struct(fields: readonly { readonly name: string; readonly sql: string }[]): string;
  structField(base: string, index: number): string;
  jsonField(base: string, field: JsonFieldExpr): string;
  redacted(operand: string, redacted: RedactedExpr): string;
  /** Scalar functions and operators by `CallExpr.fn`. */
  readonly calls: ReadonlyMap<string, CallPrinter>;
  /** Aggregates and window functions by `AggregateExpr.fn`. */
  readonly aggregates: ReadonlyMap<string, AggregatePrinter>;
}

export type CallPrinter = (args: readonly string[], call: CallExpr) => string;

export interface AggregateParts {
  readonly args: readonly string[];
  /** `x ASC NULLS FIRST, ...`, or empty. */
  readonly orderBy: string;
  /** ` OVER (...)`, or empty; stands right after the call. */
  readonly over: string;
}

export type AggregatePrinter = (parts: AggregateParts, call: AggregateExpr) => string;
