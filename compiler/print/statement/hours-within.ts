/** The hours of a cut day that a window contains as a whole, in few pieces that later windows have, too. */
import type { CatalogPart } from '../../catalog/catalog';
import type { TimeLimits } from '../../ir/passes/conditions/time-limits';

export interface Piece {
  readonly limits: TimeLimits;
  /** Whole hours; else what the window has before or after these. */
  readonly isWhole: boolean;
}

const HOUR = 3_600_000_000n;
/** Sizes in hours. A piece begins at a multiple of its size, so a window that moves keeps most of its pieces. */
const SIZES = [8n, 4n, 2n, 1n];

/** @returns pieces that together are the day within the limits; none when it has no whole hour */
export function hoursWithin({ fromMicros, toMicros }: CatalogPart, { from, to }: TimeLimits): readonly Piece[] {
  const day = BigInt(fromMicros);
  const first = from === null || from <= day ? day : from;
  const end = to === null || to >= BigInt(toMicros) - 1n ? BigInt(toMicros) : to + 1n;
  const firstHour = (first - day + HOUR - 1n) / HOUR;
  const endHour = (end - day) / HOUR;
  if (firstHour >= endHour) return [];
  const at = (hour: bigint): bigint => day + hour * HOUR;
  const pieces: Piece[] = [];
  if (first < at(firstHour)) pieces.push({ limits: { from: first, to: at(firstHour) - 1n }, isWhole: false });
  for (let hour = firstHour; hour < endHour;) {
    const size = SIZES.find((hours) => hour % hours === 0n && hour + hours <= endHour) ?? 1n;
    pieces.push({ limits: { from: at(hour), to: at(hour + size) - 1n }, isWhole: true });
    hour += size;
  }
  if (end > at(endHour)) pieces.push({ limits: { from: at(endHour), to: end - 1n }, isWhole: false });
  return pieces;
}
