/** Times of repeated runs, and what is said of them. */

export interface Timing {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly runs: number;
}

export function summarize(durationsMs: readonly number[]): Timing {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  return { medianMs: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95), runs: sorted.length };
}

/** @param sorted ascending, at least one */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
}
