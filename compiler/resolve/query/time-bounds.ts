/** Derives time bounds from comparisons with constants in WHERE, so that the store skips parts outside of them. */
import { constantOf } from '../../ir/constant';
import type { ColumnExpr, Expr } from '../../ir/expression';
import { limitedBy, type LimitingOp, MIRRORED, setsLimit } from '../../ir/passes/conditions/time-limits';
import type { RequestTime } from '../../ir/request-time';
import { floorDivide } from '../../time/parse-iso';
import type { Resolution } from '../resolution';

export interface TimeBounds {
  readonly column: ColumnExpr;
  readonly fromMicros: number;
  readonly toMicros: number;
}

/** Short compared to the days that parts contain. */
const SPAN_MICROS = 300_000_000n;

/** Remembers the bounds that a condition sets on a relation of its own block. */
export function rememberBounds(resolution: Resolution, condition: Expr, isOwn: (relation: number) => boolean): void {
  const bounds = boundsOf(condition, resolution.input.time);
  if (bounds === undefined || !isOwn(bounds.column.relation)) return;
  const { column, fromMicros, toMicros } = bounds;
  resolution.remember({ relation: column.relation, name: column.name, fromMicros, toMicros });
}

/** Bounds set by one condition, both inclusive; undefined if it sets none. */
function boundsOf(condition: Expr, time: RequestTime): TimeBounds | undefined {
  if (condition.kind !== 'call') return undefined;
  const { fn, args } = condition;
  const [left, right, highest] = args;
  if (left === undefined || right === undefined) return undefined;
  if (fn === 'between' && highest !== undefined) {
    const [from, to] = [compared('ge', left, right, time), compared('le', left, highest, time)];
    return from && to && { column: from.column, fromMicros: from.fromMicros, toMicros: to.toMicros };
  }
  if (highest !== undefined || !setsLimit(fn)) return undefined;
  return compared(fn, left, right, time) ?? compared(MIRRORED[fn], right, left, time);
}

function compared(fn: LimitingOp, column: Expr, constant: Expr, time: RequestTime): TimeBounds | undefined {
  if (column.kind !== 'column' || column.type.kind !== 'TIMESTAMP' || constant.type.kind !== 'TIMESTAMP')
    return undefined;
  if (constant.kind === 'now') return widened(fn, column, time, time.at(constant.offsetMicros));
  const value = constantOf(constant)?.value;
  return typeof value === 'bigint' ? boundedBy(fn, column, value) : undefined;
}

/**
 * Widens a bound that depends on the request time to the edges of its time span, so that the statement is reusable
 * until the bound leaves the span. Results stay exact, because WHERE still filters the rows.
 */
function widened(fn: LimitingOp, column: ColumnExpr, time: RequestTime, micros: bigint): TimeBounds {
  const start = floorDivide(micros, SPAN_MICROS) * SPAN_MICROS;
  const end = start + SPAN_MICROS;
  const [low, high] = [boundedBy(fn, column, start), boundedBy(fn, column, end)];
  time.holdWithin(Number(micros - start), Number(end - micros));
  return { column, fromMicros: low.fromMicros, toMicros: high.toMicros };
}

function boundedBy(fn: LimitingOp, column: ColumnExpr, value: bigint): TimeBounds {
  const { from, to } = limitedBy(fn, value);
  return {
    column,
    fromMicros: from === null ? Number.NEGATIVE_INFINITY : Number(from),
    toMicros: to === null ? Number.POSITIVE_INFINITY : Number(to),
  };
}
