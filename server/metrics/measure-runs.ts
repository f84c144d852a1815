/** Wraps `RunQuery`: how long runs take and how many rows they give. */
import type { Definitions } from '../definitions/definitions';
import type { RunQuery } from '../run-query';
import type { Metrics } from './metrics';

export function measureRuns(
  run: RunQuery,
  { queryDuration, queryRows }: Metrics,
  { all }: Pick<Definitions, 'all'>
): RunQuery {
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return async (request, caller) => {
    const labels = {
      endpoint: names.get(request.endpointId) ?? 'unknown',
      kind: request.adhoc ? 'adhoc' : 'saved',
    };
    const stop = queryDuration.startTimer(labels);
    try {
      const result = await run(request, caller);
      queryRows.observe(labels, result.rows);
      return result;
    } finally {
      stop();
    }
  };
}
