/** The Server-Timing header: the time of each stage of a run, and how many days it read. */
import type { QueryResult } from '#contract/queries/result';

export function formatServerTiming(
  { timings, days, blocks }: Pick<QueryResult, 'timings' | 'days' | 'blocks'>,
  traceId: string
): string {
  const stages = {
    queue: timings.queueMs,
    plan: timings.planMs,
    db: timings.dbMs,
    redact: timings.redactMs,
    encode: timings.encodeMs,
  };
  const parts = Object.entries(stages).map(([name, ms]) => `${name};dur=${Math.round(ms * 100) / 100}`);
  // Days without a searched text are left out, also by events that the caller may not see.
  if (days !== undefined && blocks === undefined) parts.push(`days;desc="${days.read} read, ${days.kept} kept"`);
  return [...parts, `trace;desc="${traceId}"`].join(', ');
}
