/**
 * Counts of durations in buckets whose bounds grow by the same factor, so that quantiles have a bounded relative error.
 */

const BUCKETS_PER_OCTAVE = 4;
const OCTAVES = 21;
/** Upper bound of the first bucket; the last one begins at about 100 s. */
const FIRST_MS = 0.05;
const BUCKETS = BUCKETS_PER_OCTAVE * OCTAVES + 1;

export type DurationHistogram = Uint32Array;

export function createHistogram(): DurationHistogram {
  return new Uint32Array(BUCKETS);
}

export function addDuration(histogram: DurationHistogram, ms: number): void {
  const bucket = ms <= FIRST_MS ? 0 : Math.ceil(Math.log2(ms / FIRST_MS) * BUCKETS_PER_OCTAVE);
  histogram[Math.min(bucket, BUCKETS - 1)]! += 1;
}

export function addHistogram(sum: DurationHistogram, other: DurationHistogram): void {
  for (let bucket = 0; bucket < BUCKETS; bucket++) sum[bucket]! += other[bucket]!;
}

/**
 * Duration that the share of all calls does not pass, in milliseconds: at most 19 % above or below the true one,
 * between 0.05 ms and 100 s. Null without durations.
 */
export function quantileMs(histogram: DurationHistogram, share: number): number | null {
  let total = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) total += histogram[bucket]!;
  if (total === 0) return null;
  const wanted = Math.max(1, Math.ceil(total * share));
  let bucket = 0;
  let before = histogram[0]!;
  while (before < wanted) before += histogram[++bucket]!;
  const inBucket = histogram[bucket]!;
  const place = (wanted - (before - inBucket)) / inBucket;
  return boundMs(bucket - 1) + (boundMs(bucket) - boundMs(bucket - 1)) * place;
}

function boundMs(bucket: number): number {
  return bucket < 0 ? 0 : FIRST_MS * 2 ** (bucket / BUCKETS_PER_OCTAVE);
}
