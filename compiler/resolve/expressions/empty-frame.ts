/** Frames without rows by their bounds, such as `ROWS BETWEEN 3 FOLLOWING AND 1 FOLLOWING`, which stores refuse or miscount. */
import type { AggregateExpr, Expr, FrameEdge, WindowExpr } from '../../ir/expression';
import { constantOf } from './fold-conditions';

const COUNTS: ReadonlySet<string> = new Set(['count_rows', 'count', 'count_if', 'approx_count_distinct']);
/** Functions that read a place in the partition, whatever the frame. */
const WITHOUT_FRAME: ReadonlySet<string> = new Set([
  'row_number',
  'rank',
  'dense_rank',
  'percent_rank',
  'cume_dist',
  'ntile',
  'lag',
  'lead',
]);

/** The value of a call whose frame never has a row; undefined for other frames. */
export function valueOfEmptyFrame({ fn, type }: AggregateExpr, { frame }: WindowExpr): Expr | undefined {
  if (frame === null || frame.end === null || WITHOUT_FRAME.has(fn) || !isEmpty(frame.start, frame.end))
    return undefined;
  return { kind: 'literal', type, value: COUNTS.has(fn) ? 0n : null };
}

function isEmpty(start: FrameEdge, end: FrameEdge): boolean {
  if (!('amount' in start) || !('amount' in end) || start.kind !== end.kind) return false;
  const [from, to] = [constantOf(start.amount)?.value, constantOf(end.amount)?.value];
  if (typeof from !== 'bigint' || typeof to !== 'bigint') return false;
  return start.kind === 'following' ? from > to : from < to;
}
