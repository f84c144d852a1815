/**
 * In which order a long time is filled with sample events: one lane of all hours first, in the order of time, which is what a store takes
 * fastest; then the newest hours in full, then the other lanes. So charts of every range have an even line early, which grows dense. The plan
 * is a function of the window, and a place in it is a number.
 */
import { LANES } from '../../sample-data/live-traffic';

/** Numbers of minutes since 1970; the end is exclusive. */
export interface MinuteWindow {
  readonly fromMinute: number;
  readonly toMinute: number;
}

export interface FillPiece extends MinuteWindow {
  readonly lane: number;
}

const BLOCK_MINUTES = 60;
/** Hours before the end of the window that are complete before the others. */
const DENSE_BLOCKS = 3;

export function fillPlan({ fromMinute, toMinute }: MinuteWindow): FillPiece[] {
  const blocks: MinuteWindow[] = [];
  for (let start = fromMinute; start < toMinute; start += BLOCK_MINUTES)
    blocks.push({ fromMinute: start, toMinute: Math.min(start + BLOCK_MINUTES, toMinute) });
  const inLane = (some: readonly MinuteWindow[], lane: number): FillPiece[] =>
    some.map((block) => ({ ...block, lane }));
  const older = blocks.slice(0, -DENSE_BLOCKS);
  const newest = blocks.slice(-DENSE_BLOCKS);
  const lanes = Array.from({ length: LANES - 1 }, (_, index) => index + 1);
  return [
    ...inLane(blocks, 0),
    ...lanes.flatMap((lane) => inLane(newest, lane)),
    ...lanes.flatMap((lane) => inLane(older, lane)),
  ];
}
