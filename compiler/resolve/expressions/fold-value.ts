/** Folds values that are made of constants. */
import { foldCall } from '../../functions/fold';
import type { Value } from '../../functions/function';
import type { CallExpr, Expr, LiteralExpr } from '../../ir/expression';
import { movedNow, type RequestTime } from '../../ir/request-time';
import { foldCase, foldComparison } from './fold-conditions';
import { constantLike } from './resolve-constant';

/** @returns the value, folded if it is a choice, a comparison or a call on constants */
export function foldValue(value: Value, time: RequestTime): Value {
  const { expr } = value;
  if (expr.kind === 'case') return { ...value, expr: foldCase(expr) };
  if (expr.kind !== 'call') return value;
  const moved = movedNow(expr, time);
  if (moved !== undefined) return { ...value, expr: moved };
  const compared = foldComparison(expr);
  if (compared !== expr) return { ...value, expr: compared };
  const literal = foldAtTime(expr, time);
  if (literal === undefined) return value;
  return { ...value, expr: constantLike(expr, literal.value, literal.type) };
}

/** Folds a call on constants. One that reads the request time serves this request only. */
function foldAtTime(call: CallExpr, time: RequestTime): LiteralExpr | undefined {
  if (!call.args.some(({ kind }) => kind === 'now')) return foldCall(call);
  const args = call.args.map((arg): Expr =>
    arg.kind === 'now' ? { kind: 'literal', type: arg.type, value: time.at(arg.offsetMicros) } : arg
  );
  const literal = foldCall({ ...call, args });
  if (literal !== undefined) time.fix();
  return literal;
}
