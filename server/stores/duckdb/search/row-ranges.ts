/** Ranges of rows to read instead of a whole part. */
import type { RowRange } from '#compiler/store';
import type { Candidates } from './candidate-blocks';
import type { Blocks } from './filter-file';
import { BLOCK_ROWS } from './filter-layout';

/**
 * What a range costs beside its blocks, in blocks of a whole scan: what DuckDB decodes around it. Measured with
 * messages of 126 bytes in row groups of 16,384 (DuckDB 1.5.6): 0.75 ms for a block by itself, 0.25 ms for one of a
 * whole scan, 0.14 ms for each further one of a range.
 */
const RANGE_BLOCKS = 3;
/** Gaps of at most this many blocks are read. */
const GAP_BLOCKS = 3;
/** Ranges are read if they cost less than this share of the part. */
const WORTHWHILE_SHARE = 0.75;

/** @param most ranges. @returns null: the whole part is read. Empty: nothing of it */
export function rowRanges({ needed, others }: Candidates, rows: number, most: number): readonly RowRange[] | null {
  if (needed === null) return null;
  const costs = others === null ? needed.map(() => 1) : others.map((isOther) => 1 - isOther);
  let ranges = joined(needed, costs, GAP_BLOCKS);
  // Smaller gaps are read until there are few ranges.
  for (let gap = 2 * GAP_BLOCKS; ranges.length > most && gap < needed.length; gap *= 2)
    ranges = joined(needed, costs, gap);
  if (ranges.length > most) return null;
  const cost = ranges.reduce((sum, { from, to }) => sum + RANGE_BLOCKS + sumOf(costs.subarray(from, to)), 0);
  if (ranges.length > 0 && cost > sumOf(costs) * WORTHWHILE_SHARE) return null;
  return ranges.map(({ from, to }) => ({ from: from * BLOCK_ROWS, to: Math.min(rows, to * BLOCK_ROWS) }));
}

/** Ranges of blocks. @param largestGap cost of what is read between two needed blocks */
function joined(needed: Blocks, costs: Blocks, largestGap: number): readonly RowRange[] {
  const ranges: { from: number; to: number }[] = [];
  let gap = 0;
  needed.forEach((bit, block) => {
    if (bit === 0) {
      gap += costs[block]!;
      return;
    }
    const last = ranges.at(-1);
    if (last !== undefined && gap <= largestGap) last.to = block + 1;
    else ranges.push({ from: block, to: block + 1 });
    gap = 0;
  });
  return ranges;
}

function sumOf(numbers: Uint8Array): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
