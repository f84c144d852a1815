import type { RunFailure } from '../../../output/run-failure';
import { nameOnce } from './bind-once';
import { failsWhen } from './literals';

/**
 * Fails the run when the value is NULL although the text is not. ClickHouse would compute the lambda of constants at
 * planning time, and fail even in a branch that no row takes.
 */
export function orFail(x: string, value: string, safe: boolean, failure: RunFailure): string {
  if (safe) return value;
  return nameOnce(
    `materialize(tuple(${value}, ${x}))`,
    (v) => `if(${failsWhen(`${v}.1 IS NULL AND ${v}.2 IS NOT NULL`, failure)}, NULL, ${v}.1)`
  );
}
