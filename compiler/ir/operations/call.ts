/** Creates and recognizes calls of operations. */
import type { AggregateExpr, CallExpr, Expr, WindowExpr } from '../expression';
import {
  type AggregateName,
  NO_OPTIONS,
  type OperandsOf,
  type OpName,
  type OptionsArgument,
  type PlainAggregate,
} from './ops';
import type { Type } from '../types';

/** A value that is the same for all rows of a run. */
export function isConstant({ kind }: Expr): boolean {
  return kind === 'literal' || kind === 'now' || kind === 'bound';
}

export function callOf<O extends OpName>(
  fn: O,
  args: OperandsOf<O, Expr>,
  type: Type,
  ...[options]: OptionsArgument<O>
): CallExpr<O> {
  return { kind: 'call', fn, args: args as readonly Expr[], type, options: options ?? NO_OPTIONS };
}

/** An aggregate over the rows of a group, without modifiers. */
export function aggregateOf(
  fn: PlainAggregate,
  args: readonly Expr[],
  type: Type,
  over: WindowExpr | null = null
): AggregateExpr {
  return {
    kind: 'aggregate',
    fn,
    args,
    distinct: false,
    ignoreNulls: false,
    orderBy: [],
    limit: null,
    over,
    type,
    options: NO_OPTIONS,
  };
}

/** Whether an expression is a call of this operation, or of one of them. */
export function isCall<O extends OpName>(expr: Expr, ...ops: readonly O[]): expr is CallExpr<O> {
  const names: readonly OpName[] = ops;
  return expr.kind === 'call' && names.includes(expr.fn);
}

export function isAggregate<O extends AggregateName>(expr: Expr, fn: O): expr is AggregateExpr<O> {
  return expr.kind === 'aggregate' && expr.fn === fn;
}
