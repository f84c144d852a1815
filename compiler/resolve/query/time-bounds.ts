/** Derives time bounds from comparisons with constants in WHERE, so that the store skips parts outside of them. */
import type { ColumnExpr, Expr } from '../../ir/expression';
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

const MIRRORED: Readonly<Record<string, string>> = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le', eq: 'eq' };

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
  if (condition.fn === 'between') {
    const [column, low, high] = condition.args as [Expr, Expr, Expr];
    const [from, to] = [compared('ge', column, low, time), compared('le', column, high, time)];
    return from && to && { column: from.column, fromMicros: from.fromMicros, toMicros: to.toMicros };
  }
  if (condition.args.length !== 2) return undefined;
  const [left, right] = condition.args as [Expr, Expr];
  return compared(condition.fn, left, right, time) ?? compared(MIRRORED[condition.fn] ?? '', right, left, time);
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
  switch (fn) {
    // Times are whole microseconds: `< midnight` ends one microsecond earlier, so the part of the next day is not read.
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
