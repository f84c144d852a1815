/** How often a property runs: `FC_RUNS` says how often, `FC_PATH` goes to the counterexample that fast-check reported. */
import type { Parameters } from 'fast-check';

export function fcRuns(numRuns: number): Parameters<unknown> {
  const { FC_RUNS, FC_PATH } = process.env;
  return { numRuns: Number(FC_RUNS ?? numRuns), ...(FC_PATH !== undefined && { path: FC_PATH }) };
}
