/**
 * Queries the service, and repeats the query with wider buckets while the row limit truncates a time series: a chart
 * that ends early looks like an outage.
 */
import { isLogs } from '../frames/shapes/logs';
import type { ResultColumns } from '../frames/read-result';
import { isTimeSeries } from '../frames/shapes/time-series';
import type { QueryAnswer, QueryCall } from '../service-client/service-client';
import { wideEnough } from './buckets';
import { readColumns } from './read-columns';
import type { ReadyQuery } from './read-query';
import type { TimeContext } from './time-context';

const MAX_RETRIES = 3;

export interface CompleteAnswer {
  readonly ready: ReadyQuery;
  readonly answer: QueryAnswer;
  readonly result: ResultColumns;
  /** Interval of the last attempt. */
  readonly intervalSeconds: number;
}

export interface CompleteQuery {
  readonly time: TimeContext;
  /** Resolves the macros of the query for a time context. */
  readonly resolve: (time: TimeContext) => ReadyQuery;
  readonly run: (ready: ReadyQuery) => Promise<QueryAnswer>;
  readonly mayWiden: boolean;
}

/** The result may still be truncated if the text has a fixed bucket width or there are too many series. */
export async function queryUntilComplete({ time, resolve, run, mayWiden }: CompleteQuery): Promise<CompleteAnswer> {
  let current = time;
  let ready = resolve(time);
  for (let retry = 0; ; retry++) {
    const answer = await run(ready);
    const result = readColumns(answer.arrow, ready);
    const found = { ready, answer, result, intervalSeconds: current.intervalSeconds };
    if (!mayWiden || !answer.truncated || retry === MAX_RETRIES || !isSeries(ready, result)) return found;
    const wider = wideEnough(result, current);
    if (wider === undefined) return found;
    current = { ...current, intervalSeconds: wider };
    const next = resolve(current);
    if (next.call.adhoc?.text === ready.call.adhoc?.text && !differ(next.call.params, ready.call.params)) return found;
    ready = next;
  }
}

function isSeries({ format }: ReadyQuery, result: ResultColumns): boolean {
  if (format === 'auto') return !isLogs(result) && isTimeSeries(result);
  return format === 'time_series' && isTimeSeries(result);
}

function differ(a: QueryCall['params'], b: QueryCall['params']): boolean {
  return Object.keys(a).some((name) => a[name] !== b[name]);
}
