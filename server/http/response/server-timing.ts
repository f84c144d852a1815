/** The Server-Timing header: the time of each stage of a run. */
import type { RunTimings } from '#contract/result';

export function formatServerTiming(timings: RunTimings, traceId: string): string {
  const stages = {
    queue: timings.queueMs,
    plan: timings.planMs,
    db: timings.dbMs,
    redact: timings.redactMs,
    encode: timings.encodeMs,
  };
  const parts = Object.entries(stages).map(([name, ms]) => `${name};dur=${Math.round(ms * 100) / 100}`);
  return [...parts, `trace;desc="${traceId}"`].join(', ');
}
