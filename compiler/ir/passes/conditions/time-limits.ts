/** Limits of a time that comparisons with constants set. */
import { isKeyOf } from '#contract/records';
import { isConstant } from '../../operations/call';
import type { Expr } from '../../expression';
import type { OpName } from '../../operations/ops';

/** Microseconds since 1970, both inclusive; null: no limit. */
export interface TimeLimits {
  readonly from: bigint | null;
  readonly to: bigint | null;
}

export const NO_LIMITS: TimeLimits = { from: null, to: null };

/** Comparisons that set limits. */
export type LimitingOp = Extract<OpName, 'lt' | 'le' | 'gt' | 'ge' | 'eq'>;

/** The comparisons with their sides exchanged. */
export const MIRRORED: Readonly<Record<LimitingOp, LimitingOp>> = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le', eq: 'eq' };

export function setsLimit(fn: OpName): fn is LimitingOp {
  return isKeyOf(MIRRORED, fn);
}

/** Limits that `time <fn> value` sets. Times are whole microseconds: `< midnight` ends one microsecond earlier. */
export function limitedBy(fn: LimitingOp, value: bigint): TimeLimits {
  switch (fn) {
    case 'gt':
      return { from: value + 1n, to: null };
    case 'ge':
      return { from: value, to: null };
    case 'lt':
      return { from: null, to: value - 1n };
    case 'le':
      return { from: null, to: value };
    case 'eq':
      return { from: value, to: value };
  }
}

/** The limits of both. */
export function within(a: TimeLimits, b: TimeLimits): TimeLimits {
  return {
    from: a.from === null || (b.from !== null && b.from > a.from) ? b.from : a.from,
    to: a.to === null || (b.to !== null && b.to < a.to) ? b.to : a.to,
  };
}

/**
 * Limits that are equivalent to a condition on a TIMESTAMP that is never NULL; undefined for any other condition.
 * @param isTime whether an expression is that time
 */
export function exactLimits(
  condition: Expr,
  isTime: (expr: Expr) => boolean,
  nowMicros: number
): TimeLimits | undefined {
  if (condition.kind !== 'call') return undefined;
  const { fn, args } = condition;
  const compared = (name: LimitingOp, time: Expr, value: Expr): TimeLimits | undefined => {
    const micros = isTime(time) ? microsOf(value, nowMicros) : undefined;
    return micros === undefined ? undefined : limitedBy(name, micros);
  };
  const [left, right, highest] = args;
  if (left === undefined || right === undefined) return undefined;
  if (fn === 'between' && highest !== undefined) {
    const [from, to] = [compared('ge', left, right), compared('le', left, highest)];
    return from && to && within(from, to);
  }
  if (highest !== undefined || !setsLimit(fn)) return undefined;
  return compared(fn, left, right) ?? compared(MIRRORED[fn], right, left);
}

function microsOf(expr: Expr, nowMicros: number): bigint | undefined {
  if (!isConstant(expr) || expr.type.kind !== 'TIMESTAMP') return undefined;
  if (expr.kind === 'now') return BigInt(nowMicros) + expr.offsetMicros;
  const value = expr.kind === 'literal' ? expr.value : expr.kind === 'bound' && !expr.failure ? expr.value.value : null;
  return typeof value === 'bigint' ? value : undefined;
}
