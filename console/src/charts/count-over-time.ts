/** Counts of events in buckets of time, by level. */
import { LOG_LEVELS, type LogLevel } from '#contract/plugin/levels';
import type { Row } from '../api/run-query';
import { levelOfEvent } from '../results/lines/log-level';

/** Levels in the order in which their bars stand on each other; `other` has no known level. */
export const COUNTED_LEVELS = ['other', ...[...LOG_LEVELS].reverse()] as const;
export type CountedLevel = LogLevel | 'other';

export interface TimeCounts {
  readonly bucketSeconds: number;
  /** Beginnings of all buckets of the range, seconds since 1970, also of empty ones. */
  readonly times: readonly number[];
  /** For each level that occurs, one count for each bucket. */
  readonly levels: ReadonlyMap<CountedLevel, readonly number[]>;
  readonly total: number;
}

export interface CountedBucket {
  readonly seconds: number;
  readonly level: CountedLevel;
  readonly count: number;
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];
const MAX_BUCKETS = 100;
const MAX_SECONDS = 365 * 86_400;

/** A width of which at most 100 fill the range. */
export function bucketWidth(fromMs: number, toMs: number): number {
  const seconds = (toMs - fromMs) / 1000;
  const days = Math.ceil(seconds / MAX_BUCKETS / 86_400) * 86_400;
  return STEPS.find((step) => seconds / step <= MAX_BUCKETS) ?? Math.min(days, MAX_SECONDS);
}

/** Counts of rows that are on the page. @returns null for rows without times, or of one moment */
export function countRows(rows: readonly Row[]): TimeCounts | null {
  const timed = rows.flatMap((row) => {
    const micros = row['timestamp'];
    return typeof micros === 'number' ? [{ row, ms: micros / 1000 }] : [];
  });
  if (timed.length < 2) return null;
  const [fromMs, toMs] = timed.reduce(([low, high], { ms }) => [Math.min(low, ms), Math.max(high, ms)], [
    Infinity,
    -Infinity,
  ] as const);
  if (fromMs === toMs) return null;
  const width = bucketWidth(fromMs, toMs);
  const counted = timed.map(({ row, ms }) => ({
    seconds: Math.floor(ms / 1000 / width) * width,
    level: levelOfEvent(row) ?? ('other' as const),
    count: 1,
  }));
  return fillBuckets(counted, fromMs, toMs, width);
}

/** Sums counts of equal buckets, and adds the empty ones of the range. */
export function fillBuckets(
  counted: readonly CountedBucket[],
  fromMs: number,
  toMs: number,
  bucketSeconds: number
): TimeCounts {
  const first = Math.floor(fromMs / 1000 / bucketSeconds);
  const length = Math.min(Math.floor(toMs / 1000 / bucketSeconds) - first + 1, 2 * MAX_BUCKETS);
  const sums = new Map<CountedLevel, number[]>();
  let total = 0;
  for (const { seconds, level, count } of counted) {
    const at = Math.round(seconds / bucketSeconds) - first;
    if (at < 0 || at >= length) continue;
    let values = sums.get(level);
    if (values === undefined) sums.set(level, (values = new Array<number>(length).fill(0)));
    values[at]! += count;
    total += count;
  }
  const levels = COUNTED_LEVELS.flatMap((level) => {
    const values = sums.get(level);
    return values === undefined ? [] : [[level, values] as const];
  });
  return {
    bucketSeconds,
    times: Array.from({ length }, (_, at) => (first + at) * bucketSeconds),
    levels: new Map(levels),
    total,
  };
}
