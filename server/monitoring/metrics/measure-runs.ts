/** Wraps the function that runs queries: measures durations and result rows. */
import type { Definitions } from '../../catalog/definitions/definitions';
import type { RunQuery } from '../../cache/run';
import type { Metrics } from './metrics';
import { UNKNOWN_QUERY } from './query-series';

const NO_DAYS = { read: 0, kept: 0, keptBytes: null };

export function measureRuns(
  run: RunQuery,
  { queryDuration, queryRows, querySeries, redactions, days, keptCountsBytes, searchedBlocks }: Metrics,
  definitions: Pick<Definitions, 'find'>
): RunQuery {
  return async (queryRequest, caller) => {
    const labels = {
      endpoint: definitions.find(queryRequest.endpointId)?.name ?? UNKNOWN_QUERY,
      kind: queryRequest.adhoc ? 'adhoc' : 'saved',
    };
    const stop = queryDuration.startTimer(labels);
    try {
      const done = await run(queryRequest, caller);
      queryRows.observe(labels, done.result.rows);
      for (const [kind, count] of Object.entries(done.result.replaced ?? {})) redactions.inc({ kind }, count);
      const { read, kept, keptBytes } = done.result.days ?? NO_DAYS;
      days.inc({ from: 'events' }, read);
      days.inc({ from: 'kept' }, kept);
      if (keptBytes !== null) keptCountsBytes.set(keptBytes);
      const { blocks } = done.result;
      searchedBlocks.inc({ result: 'read' }, blocks?.read ?? 0);
      searchedBlocks.inc({ result: 'skipped' }, blocks?.skipped ?? 0);
      return done;
    } finally {
      stop();
      querySeries.note(labels.endpoint);
    }
  };
}
