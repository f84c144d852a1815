/** Wraps the function that runs queries: measures durations and result rows. */
import type { Definitions } from '../catalog/definitions/definitions';
import type { RunQuery } from '../cache/run';
import type { Metrics } from './metrics';

export function measureRuns(
  run: RunQuery,
  { queryDuration, queryRows, redactions }: Metrics,
  definitions: Pick<Definitions, 'find'>
): RunQuery {
  return async (question, caller) => {
    const labels = {
      endpoint: definitions.find(question.endpointId)?.name ?? 'unknown',
      kind: question.adhoc ? 'adhoc' : 'saved',
    };
    const stop = queryDuration.startTimer(labels);
    try {
      const done = await run(question, caller);
      queryRows.observe(labels, done.result.rows);
      for (const [kind, count] of Object.entries(done.result.replaced ?? {})) redactions.inc({ kind }, count);
      return done;
    } finally {
      stop();
    }
  };
}
