/** Shows that work grows in proportion to its input, on a machine of any speed and beside other tests. */

/**
 * Far above what linear work on an input of tens of kilobytes takes on a slow machine, and below what quadratic work on it takes on a
 * fast one: 65,000 characters squared are four thousand million steps.
 */
export const LINEAR_MS = 1_000;

/** @returns milliseconds of processor time of this process, of the fastest run */
export function processorMs(run: () => unknown, runs = 3): number {
  const durations = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...durations);
}
