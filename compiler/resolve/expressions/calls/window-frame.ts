/** Frames of windows: bounds in an order that may have rows, and amounts that are constant. */
import type { FrameBound, SourcePosition, WindowFrame } from '../../../ast';
import type { FrameEdge, WindowExpr } from '../../../ir/expression';
import { FLOAT64, INT64, type Type } from '../../../ir/types';
import { failure } from '../../failure';
import type { ExpressionContext } from '../expression-context';

/** Largest number of rows that every store takes. No partition is longer, so more rows mean the same. */
const MAX_ROWS = 2n ** 31n - 2n;

/** Bounds from the first row of a partition to the last. */
const ORDER = ['unbounded-preceding', 'preceding', 'current-row', 'following', 'unbounded-following'] as const;
const WORDS: Readonly<Record<FrameBound['kind'], string>> = {
  'unbounded-preceding': 'UNBOUNDED PRECEDING',
  preceding: 'n PRECEDING',
  'current-row': 'CURRENT ROW',
  following: 'n FOLLOWING',
  'unbounded-following': 'UNBOUNDED FOLLOWING',
};

/**
 * @param orderBy keys of the window: with a FLOAT64 key, amounts of RANGE may be FLOAT64
 * @throws bad_frame, not_constant, type_mismatch
 */
export function resolveFrame(
  r: ExpressionContext,
  { unit, start, end }: WindowFrame,
  orderBy: WindowExpr['orderBy']
): NonNullable<WindowExpr['frame']> {
  checkOrder(start, end, unit);
  const [key] = orderBy;
  if (unit === 'RANGE' && key === undefined) checkUnordered(start, end);
  const type = unit === 'RANGE' && key?.expr.type.kind === 'FLOAT64' ? FLOAT64 : INT64;
  return { unit, start: edgeOf(r, start, unit, type), end: end && edgeOf(r, end, unit, type) };
}

/** A frame whose bounds have the same word may have no rows, as in `1 PRECEDING AND 2 PRECEDING`. */
function checkOrder(start: FrameBound, end: FrameBound | null, unit: WindowFrame['unit']): void {
  const first = WORDS[start.kind];
  if (start.kind === 'unbounded-following') {
    throw badFrame(
      `a frame cannot start with ${first}`,
      start.position,
      `write ${unit} BETWEEN CURRENT ROW AND ${first}`
    );
  }
  if (end?.kind === 'unbounded-preceding') {
    const last = WORDS[end.kind];
    throw badFrame(`a frame cannot end with ${last}`, end.position, `write ${unit} BETWEEN ${last} AND CURRENT ROW`);
  }
  if (ORDER.indexOf(start.kind) <= ORDER.indexOf(end?.kind ?? 'current-row')) return;
  if (end === null) {
    const hint = `write ${unit} BETWEEN CURRENT ROW AND ${first}`;
    throw badFrame(`a frame that starts with ${first} needs an end`, start.position, hint);
  }
  const last = WORDS[end.kind];
  const hint = `write ${unit} BETWEEN ${last} AND ${first}`;
  throw badFrame(`a frame that starts with ${first} cannot end with ${last}`, end.position, hint);
}

/** Without an order all rows of a partition are the current one's peers. */
function checkUnordered(start: FrameBound, end: FrameBound | null): void {
  if (start.kind === 'unbounded-preceding' && end?.kind === 'unbounded-following') return;
  const hint = 'write ORDER BY before it, or leave the frame out';
  throw badFrame('a RANGE frame without ORDER BY has all rows of its partition', start.position, hint);
}

function edgeOf(r: ExpressionContext, bound: FrameBound, unit: WindowFrame['unit'], type: Type): FrameEdge {
  if (bound.kind !== 'preceding' && bound.kind !== 'following') return { kind: bound.kind };
  const { position } = bound.amount;
  const resolved = r.resolve(bound.amount);
  const amount = r.coerce(resolved, resolved.type.kind === 'FLOAT64' ? type : INT64, 'a window frame');
  const constant = r.constant(amount);
  if (constant === undefined) {
    if (amount.expr.kind === 'bound' && amount.expr.failure !== null) throw amount.expr.failure;
    throw failure('not_constant', 'the bounds of a window frame must be constant', position, {
      hint: 'write a number or a parameter',
    });
  }
  const value = wholeOf(constant.value);
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value))
    return { kind: bound.kind, amount: { kind: 'literal', type: FLOAT64, value } };
  if (typeof value !== 'bigint' || value < 0n) {
    const numbers = type.kind === 'FLOAT64' ? 'numbers' : 'whole numbers';
    throw badFrame(`the bounds of a window frame are ${numbers} from 0`, position);
  }
  const isLonger = unit === 'ROWS' && value > MAX_ROWS;
  return { kind: bound.kind, amount: { kind: 'literal', type: INT64, value: isLonger ? MAX_ROWS : value } };
}

/** A FLOAT64 that INT64 holds exactly, as INT64, which stores take for every key. */
function wholeOf(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function badFrame(message: string, position: SourcePosition, hint?: string): Error {
  return failure('bad_frame', message, position, hint === undefined ? {} : { hint });
}
