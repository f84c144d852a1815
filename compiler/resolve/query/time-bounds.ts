/** Derives time bounds from comparisons with constants in WHERE, so that the store skips parts outside of them. */
import type { ColumnExpr, Expr } from '../../ir/expression';
import { limitedBy, mirrored } from '../../ir/passes/time-limits';
import type { RequestTime } from '../../ir/request-time';
import { floorDivide } from '../../time/parse-iso';
import type { Resolution } from '../resolution';
import { constantOf } from '../expressions/fold-conditions';

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
  const [left, right, highest] = condition.args;
  if (left === undefined || right === undefined) return undefined;
  if (condition.fn === 'between' && highest !== undefined) {
    const [from, to] = [compared('ge', left, right, time), compared('le', left, highest, time)];
    return from && to && { column: from.column, fromMicros: from.fromMicros, toMicros: to.toMicros };
  }
  if (highest !== undefined) return undefined;
  return compared(condition.fn, left, right, time) ?? compared(mirrored(condition.fn) ?? '', right, left, time);
}

function compared(fn: string, column: Expr, constant: Expr, time: RequestTime): TimeBounds | undefined {
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
function widened(fn: string, column: ColumnExpr, time: RequestTime, micros: bigint): TimeBounds | undefined {
  const start = floorDivide(micros, SPAN_MICROS) * SPAN_MICROS;
  const end = start + SPAN_MICROS;
  const [low, high] = [boundedBy(fn, column, start), boundedBy(fn, column, end)];
  if (low === undefined || high === undefined) return undefined;
  time.holdWithin(Number(micros - start), Number(end - micros));
  return { column, fromMicros: low.fromMicros, toMicros: high.toMicros };
}

function boundedBy(fn: string, column: ColumnExpr, value: bigint): TimeBounds | undefined {
  const limits = limitedBy(fn, value);
  return (
    limits && {
      column,
      fromMicros: limits.from === null ? Number.NEGATIVE_INFINITY : Number(limits.from),
      toMicros: limits.to === null ? Number.POSITIVE_INFINITY : Number(limits.to),
    }
  );
}
