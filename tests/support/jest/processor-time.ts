/** Shows that work grows in proportion to its input, on a machine of any speed and beside other tests. */

/**
 * Far above what linear work on an input of tens of kilobytes takes on a slow machine, and below what quadratic work on
 * it takes on a fast one: 65,000 characters squared are four thousand million steps.
 */
export const LINEAR_MS = 1_000;

/**
 * @param enoughMs a run that takes less is the last: where the answer is compared with this bound, further runs change
 * nothing
 * @returns milliseconds of processor time of this process, of the fastest run
 */
export function processorMs(run: () => unknown, enoughMs = 0, runs = 3): number {
  let fastest = Infinity;
  for (let done = 0; done < runs && fastest >= enoughMs; done += 1) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  return fastest;
}
