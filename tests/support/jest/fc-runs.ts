/** Number of runs of a property: `FC_RUNS` sets it, `FC_PATH` repeats a counterexample that fast-check reported. */
import type { Parameters } from 'fast-check';

export function fcRuns(numRuns: number): Parameters<unknown> {
  const { FC_RUNS, FC_PATH } = process.env;
  return { numRuns: Number(FC_RUNS ?? numRuns), ...(FC_PATH !== undefined && { path: FC_PATH }) };
}
