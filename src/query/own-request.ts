/** Requests of the data source itself: values of a filter, context of a line. */
import { CoreApp, dateTime, type DataQueryRequest, type ScopedVars, type TimeRange } from '@grafana/data';
import type { LogEndpointsQuery } from '../types';

/** Grafana cancels a request when another with the same id starts, so each needs its own id. */
let made = 0;

export function ownRequest(
  target: LogEndpointsQuery,
  range: TimeRange,
  scopedVars: ScopedVars = {}
): DataQueryRequest<LogEndpointsQuery> {
  return {
    app: CoreApp.Unknown,
    requestId: `lqe-${target.refId}-${++made}`,
    interval: '1s',
    intervalMs: 1000,
    range,
    scopedVars,
    startTime: Date.now(),
    timezone: 'utc',
    hideFromInspector: true,
    targets: [{ ...target, isUnfiltered: true }],
  };
}

const HOUR_MS = 3_600_000;

export function lastHour(nowMs = Date.now()): TimeRange {
  return rangeOf(nowMs - HOUR_MS, nowMs);
}

export function rangeOf(fromMs: number, toMs: number): TimeRange {
  const range = { from: dateTime(fromMs), to: dateTime(toMs) };
  return { ...range, raw: range };
}
