/** Bounds that a WHERE sets on a column by comparing it with constants: parts of the store outside of them are not read. */
import type { ColumnExpr, Expr } from '../ir/expression';
import { momentOf, type RequestTime } from '../ir/moment';
import { floorDivide } from '../time/parse-iso';
import { constantOf } from './fold-conditions';

export interface TimeBounds {
  readonly column: ColumnExpr;
  readonly fromMicros: number;
  readonly toMicros: number;
}

/** Short beside the days that parts hold. */
const SPAN_MICROS = 300_000_000n;

const MIRRORED: Readonly<Record<string, string>> = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le', eq: 'eq' };

/** Bounds set by one condition, both inclusive, or undefined. */
export function boundsOf(condition: Expr): TimeBounds | undefined {
  if (condition.kind !== 'call') return undefined;
  if (condition.fn === 'between') {
    const [column, low, high] = condition.args as [Expr, Expr, Expr];
    const [from, to] = [compared('ge', column, low), compared('le', column, high)];
    return from && to && { column: from.column, fromMicros: from.fromMicros, toMicros: to.toMicros };
  }
  if (condition.args.length !== 2) return undefined;
  const [left, right] = condition.args as [Expr, Expr];
  return compared(condition.fn, left, right) ?? compared(MIRRORED[condition.fn] ?? '', right, left);
}

function compared(fn: string, column: Expr, constant: Expr): TimeBounds | undefined {
  if (column.kind !== 'column' || column.type.kind !== 'TIMESTAMP' || constant.type.kind !== 'TIMESTAMP')
    return undefined;
  const moment = momentOf(constant);
  if (moment !== undefined) return widened(fn, column, moment.time, moment.time.peek(moment.distanceMicros));
  const value = constantOf(constant)?.value;
  return typeof value === 'bigint' ? boundedBy(fn, column, value) : undefined;
}

/**
 * A bound that moves with the time of the request is set to the edges of the span of time it is in, so that the statement stays what it
 * is until the bound leaves the span. What WHERE says is exact all the same: bounds only leave out parts.
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
  switch (fn) {
    // Times are whole microseconds: before midnight is up to the microsecond before it, and the next day is not read.
    case 'gt':
      return { column, fromMicros: Number(value + 1n), toMicros: Number.POSITIVE_INFINITY };
    case 'ge':
      return { column, fromMicros: Number(value), toMicros: Number.POSITIVE_INFINITY };
    case 'lt':
      return { column, fromMicros: Number.NEGATIVE_INFINITY, toMicros: Number(value - 1n) };
    case 'le':
      return { column, fromMicros: Number.NEGATIVE_INFINITY, toMicros: Number(value) };
    case 'eq':
      return { column, fromMicros: Number(value), toMicros: Number(value) };
    default:
      return undefined;
  }
}
