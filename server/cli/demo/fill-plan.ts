/**
 * Order in which a long time window is filled with sample events: first one lane of all hours in order of time, which a
 * store ingests fastest; then the newest hours completely, then the other lanes. So charts of every range soon have an
 * even line, which grows denser. The plan depends only on the window, and a position in it is a number.
 */
import { LANES } from '../sample-data/live-traffic';

/** Minutes since 1970; the end is exclusive. */
export interface MinuteWindow {
  readonly fromMinute: number;
  readonly toMinute: number;
}

export interface FillPiece extends MinuteWindow {
  readonly lane: number;
}

const BLOCK_MINUTES = 60;
/** Number of hours before the end of the window that are completed first. */
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
