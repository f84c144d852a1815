/** Grafana's interval of a panel: the time range over the points, rounded to what people count in. */

/** Below the first number of milliseconds, the second. From `roundInterval` of @grafana/data. */
const STEPS: readonly (readonly [number, number])[] = [
  [10, 1],
  [15, 10],
  [35, 20],
  [75, 50],
  [150, 100],
  [350, 200],
  [750, 500],
  [1500, 1000],
  [3500, 2000],
  [7500, 5000],
  [12_500, 10_000],
  [17_500, 15_000],
  [25_000, 20_000],
  [45_000, 30_000],
  [90_000, 60_000],
  [210_000, 120_000],
  [450_000, 300_000],
  [750_000, 600_000],
  [1_050_000, 900_000],
  [1_500_000, 1_200_000],
  [2_700_000, 1_800_000],
  [5_400_000, 3_600_000],
  [9_000_000, 7_200_000],
  [16_200_000, 10_800_000],
];

export function intervalMsOf(rangeMs: number, maxDataPoints: number): number {
  const exact = rangeMs / maxDataPoints;
  return STEPS.find(([below]) => exact < below)?.[1] ?? 21_600_000;
}
