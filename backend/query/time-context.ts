/** Time range and interval of a query, clamped: alert rules have settings that no panel has. */
import type { DataQuery } from '../proto/messages';
import { PluginError } from '../service-client/failures/plugin-error';

export interface TimeContext {
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Interval in whole seconds, at least one. */
  readonly intervalSeconds: number;
}

/** More points than any screen shows. */
const MAX_POINTS = 11_000;

export function timeContextOf({ timeRange, intervalMs, maxDataPoints }: DataQuery): TimeContext {
  if (!timeRange) throw new PluginError('query_incomplete', 'The query has no time range.', { status: 400 });
  return createTimeContext(timeRange.fromEpochMs, timeRange.toEpochMs, intervalMs, maxDataPoints);
}

export function createTimeContext(
  fromMs: number,
  toMs: number,
  intervalMs: number,
  maxDataPoints: number
): TimeContext {
  if (toMs < fromMs)
    throw new PluginError('query_incomplete', 'The time range ends before it begins.', { status: 400 });
  const points = Math.min(Math.max(maxDataPoints || MAX_POINTS, 1), MAX_POINTS);
  const wanted = Math.max(intervalMs || 0, (toMs - fromMs) / points, 1000);
  return { fromMs, toMs, intervalSeconds: Math.ceil(wanted / 1000) };
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** Formats 90 as `90s` and 3600 as `1h`. */
export function formatSeconds(seconds: number): string {
  for (const [unit, size] of UNITS) if (seconds % size === 0) return `${seconds / size}${unit}`;
  return `${seconds}s`;
}
