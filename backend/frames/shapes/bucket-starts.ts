/** Computes the start of each time bucket, so that buckets without rows get a point too. */
import { integersOf } from '../column-data';
import type { Column } from '../frame';

export interface Buckets {
  readonly seconds: number;
  /**
   * Buckets to fill where they have no row: those of the range, or those between the first and the last row. Columns
   * that count or add up rows get zeros, the others nulls.
   */
  readonly zeros?: { readonly fromMs: number; readonly toMs: number } | 'rows';
  /** Most buckets that are filled. @default 11,000 */
  readonly maxCount?: number;
  /** For each of the last columns of the result, whether it counts or adds up rows; null: unknown. */
  readonly additivity?: ReadonlyArray<boolean | null>;
}

/** More points than any screen shows. */
export const MAX_PANEL_BUCKETS = 11_000;
/** A rule reads all of them: 69 days of minutes. */
export const MAX_RULE_BUCKETS = 100_000;

/** Why empty buckets stay empty although they are to be filled: their number, or times that are not starts of them. */
export type Unfilled = 'too_many' | 'unfit';
const NANOS_PER_MS = 1_000_000n;

/**
 * @param time in ascending order, without nulls
 * @returns ascending, including every time of the column; undefined when no filling was requested, or without rows
 * when the rows bound what is filled
 */
export function bucketStarts(
  time: Column,
  length: number,
  buckets: Buckets | undefined
): readonly bigint[] | Unfilled | undefined {
  if (buckets?.zeros === undefined) return undefined;
  const times = [...integersOf(time).subarray(0, length)];
  const width = BigInt(buckets.seconds) * 1000n * NANOS_PER_MS;
  const first = times[0];
  const offset = first === undefined ? 0n : modulo(first, width);
  if (times.some((at) => modulo(at, width) !== offset)) return 'unfit';
  const bounds = boundsOf(times, buckets.zeros, (at) => at - modulo(at - offset, width));
  if (bounds === undefined) return undefined;
  const maxCount = BigInt(buckets.maxCount ?? MAX_PANEL_BUCKETS);
  if ((bounds.last - bounds.first) / width >= maxCount) return 'too_many';
  const count = Number((bounds.last - bounds.first) / width) + 1;
  return Array.from({ length: count }, (_, at) => bounds.first + BigInt(at) * width);
}

function boundsOf(
  times: readonly bigint[],
  zeros: NonNullable<Buckets['zeros']>,
  startOf: (at: bigint) => bigint
): { first: bigint; last: bigint } | undefined {
  const ends =
    zeros === 'rows' ? [] : [zeros.fromMs, zeros.toMs].map((ms) => startOf(BigInt(Math.floor(ms)) * NANOS_PER_MS));
  const all = [...times.slice(0, 1), ...times.slice(-1), ...ends];
  if (all.length === 0) return undefined;
  return { first: all.reduce((a, b) => (b < a ? b : a)), last: all.reduce((a, b) => (b > a ? b : a)) };
}

function modulo(value: bigint, width: bigint): bigint {
  return ((value % width) + width) % width;
}
