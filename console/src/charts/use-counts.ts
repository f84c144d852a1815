/** Counts of the lines of a result over time. */
import { useMemo } from 'react';
import { runQuery, type RunRequest, type RunResult } from '../api/run-query';
import type { DescribedQuery } from '../api/shapes';
import { useSession } from '../app/session';
import { useLoaded } from '../app/use-loaded';
import { countRequests, firstWhole, readBuckets } from './count-request';
import { bucketWidth, countRows, fillBuckets, type TimeCounts } from './count-over-time';

export interface CountedLines {
  readonly counts: TimeCounts;
  /** Whether the whole time range was counted, not the rows of the page alone. */
  readonly isWhole: boolean;
}

interface TimeBounds {
  readonly fromMs: number;
  readonly toMs: number;
}

/** @param bounds time range of the call; null: it has none, so that a count would read all events */
export function useCounts(
  request: RunRequest | null,
  query: DescribedQuery | null,
  result: RunResult,
  bounds: TimeBounds | null
): CountedLines | null {
  const { api, may } = useSession();
  const width = bounds && bucketWidth(bounds.fromMs, bounds.toMs);
  const calls = useMemo(
    () =>
      request === null || width === null || !may('adhoc') ? [] : countRequests(request, query, result.columns, width),
    [request, query, result, width, may]
  );
  // Without an answer the rows of the page are counted.
  const { value } = useLoaded(JSON.stringify([calls, result.revision]), (signal) =>
    firstWhole(calls, (call) => runQuery(api, call, signal))
  );
  const ofPage = useMemo(() => countRows(result.rows), [result]);
  return useMemo(() => {
    if (value !== null && bounds !== null && width !== null) {
      const counts = fillBuckets(readBuckets(value), bounds.fromMs, bounds.toMs, width);
      if (counts.total > 0) return { counts, isWhole: true };
    }
    return ofPage && { counts: ofPage, isWhole: false };
  }, [value, bounds, width, ofPage]);
}
