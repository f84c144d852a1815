/** How often a property runs: `FC_RUNS` says how often, `FC_SEED` and `FC_PATH` repeat what fast-check reported. */
import type { Parameters } from 'fast-check';

export function fcRuns(numRuns: number): Parameters<unknown> {
  const { FC_RUNS, FC_SEED, FC_PATH } = process.env;
  return {
    numRuns: Number(FC_RUNS ?? numRuns),
    ...(FC_SEED !== undefined && { seed: Number(FC_SEED) }),
    ...(FC_PATH !== undefined && { path: FC_PATH }),
  };
}
