/**
 * Work of a server in the background, such as search filters of days that were just sealed, is not that of the calls.
 */
import { setTimeout } from 'node:timers/promises';
import { cpuSeconds } from './processes';

const CHECK_MS = 1000;
/** What timers and probes take. */
const MAX_SECONDS = 0.02;
const QUIET_CHECKS = 3;
const MAX_CHECKS = 1800;

/** Resolves when the processes have hardly used a processor for three seconds. */
export async function untilAtRest(pids: readonly number[]): Promise<void> {
  const used = (): number => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  let quiet = 0;
  for (let check = 0; check < MAX_CHECKS; check++) {
    const before = used();
    await setTimeout(CHECK_MS);
    quiet = used() - before <= MAX_SECONDS ? quiet + 1 : 0;
    if (quiet === QUIET_CHECKS) return;
  }
  throw new Error('The server works in the background and does not come to rest.');
}
