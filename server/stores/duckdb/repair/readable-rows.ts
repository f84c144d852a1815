/** Reads rows of which some cannot be read, in ranges that become smaller around these. */
import { isDamaged, isOutOfMemory } from '../statements/store-errors';

const LARGEST_RANGE_ROWS = 32_768;
/** DuckDB reads a vector of rows, or none of them. */
const VECTOR_ROWS = 2_048;
/** Rows this few that do not fit into memory fail the command. */
const LEAST_ROWS = 8;

/**
 * @param rows number of rows, which are numbered from 0
 * @param use reads the rows from a number up to another, which is exclusive; a failure must undo what it has done
 * @returns the number of rows that `use` has read
 */
export async function readableRows(
  rows: number,
  use: (from: number, to: number) => Promise<void>,
  signal: AbortSignal
): Promise<number> {
  let readable = 0;
  const rest: (readonly [from: number, to: number])[] = rows > 0 ? [[0, rows]] : [];
  for (let range = rest.pop(); range !== undefined; range = rest.pop()) {
    signal.throwIfAborted();
    const [from, to] = range;
    if (to - from > LARGEST_RANGE_ROWS) {
      rest.push([from + LARGEST_RANGE_ROWS, to], [from, from + LARGEST_RANGE_ROWS]);
      continue;
    }
    try {
      await use(from, to);
      readable += to - from;
    } catch (error) {
      const isLost = isDamaged(error);
      if (!isLost && !isOutOfMemory(error)) throw error;
      if (isLost && to - from <= VECTOR_ROWS) continue;
      if (to - from <= LEAST_ROWS) throw error;
      const middle = middleOf(from, to);
      rest.push([middle, to], [from, middle]);
    }
  }
  return readable;
}

/** The begin of a vector, where the range has several. */
function middleOf(from: number, to: number): number {
  const rows = to - from;
  if (rows <= VECTOR_ROWS) return from + (rows >> 1);
  return from + Math.ceil(rows / 2 / VECTOR_ROWS) * VECTOR_ROWS;
}
