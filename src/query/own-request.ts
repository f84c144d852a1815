/** Requests that no panel makes: the values of a filter, the lines around a line. */
import { CoreApp, dateTime, type DataQueryRequest, type ScopedVars, type TimeRange } from '@grafana/data';
import type { LogEndpointsQuery } from '../types';

export function ownRequest(
  target: LogEndpointsQuery,
  range: TimeRange,
  scopedVars: ScopedVars = {}
): DataQueryRequest<LogEndpointsQuery> {
  return {
    app: CoreApp.Unknown,
    requestId: target.refId,
    interval: '1s',
    intervalMs: 1000,
    range,
    scopedVars,
    startTime: Date.now(),
    timezone: 'utc',
    hideFromInspector: true,
    targets: [target],
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
