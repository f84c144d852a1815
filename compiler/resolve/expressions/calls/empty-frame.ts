/**
 * Frames without rows by their bounds, such as `ROWS BETWEEN 3 FOLLOWING AND 1 FOLLOWING`, which stores refuse or
 * miscount.
 */
import { constantOf } from '../../../ir/constant';
import type { AggregateExpr, Expr, FrameEdge, WindowExpr } from '../../../ir/expression';
import { callOf } from '../../../ir/operations/call';
import type { AggregateName } from '../../../ir/operations/ops';
import { BOOL } from '../../../ir/types';

const COUNTS: ReadonlySet<AggregateName> = new Set<AggregateName>([
  'count_rows',
  'count',
  'count_if',
  'approx_count_distinct',
]);
/** Functions that read a place in the partition, for any frame. */
const WITHOUT_FRAME: ReadonlySet<AggregateName> = new Set<AggregateName>([
  'row_number',
  'rank',
  'dense_rank',
  'percent_rank',
  'cume_dist',
  'ntile',
  'lag',
  'lead',
]);

/**
 * The value of a call whose frame has no row by its bounds; undefined for other frames. Of RANGE frames only: rows
 * whose key is NULL, NaN or infinite are at no distance from others, so that their peers are in the frame, as in
 * GoogleSQL.
 */
export function valueOfEmptyFrame(call: AggregateExpr, over: WindowExpr): Expr | undefined {
  const { fn, type } = call;
  const { frame, orderBy } = over;
  if (frame === null || frame.end === null || WITHOUT_FRAME.has(fn) || !isEmpty(frame.start, frame.end))
    return undefined;
  const empty: Expr = { kind: 'literal', type, value: COUNTS.has(fn) ? 0n : null };
  const [key] = orderBy;
  if (frame.unit !== 'RANGE' || key === undefined) return empty;
  const peers: AggregateExpr = { ...call, over: { ...over, frame: { unit: 'RANGE', start: CURRENT, end: CURRENT } } };
  return { kind: 'case', branches: [{ when: isWithoutDistance(key.expr), then: peers }], otherwise: empty, type };
}

const CURRENT: FrameEdge = { kind: 'current-row' };

function isWithoutDistance(key: Expr): Expr {
  const isNull = callOf('is_null', [key], BOOL);
  if (key.type.kind !== 'FLOAT64') return isNull;
  return callOf('or', [isNull, callOf('is_nan', [key], BOOL), callOf('is_inf', [key], BOOL)], BOOL);
}

function isEmpty(start: FrameEdge, end: FrameEdge): boolean {
  if (!('amount' in start) || !('amount' in end) || start.kind !== end.kind) return false;
  const [from, to] = [constantOf(start.amount)?.value, constantOf(end.amount)?.value];
  if (!isNumber(from) || !isNumber(to)) return false;
  return start.kind === 'following' ? from > to : from < to;
}

/** An INT64 or FLOAT64; JavaScript compares the two by their values. */
function isNumber(value: unknown): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
