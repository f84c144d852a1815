/**
 * Preloaded into the server and, by it, into its engine (`node --require`): records how long something blocked the main
 * thread. The time for which the thread could run and another process had the processor is not counted, so that a busy
 * machine does not look like a slow service.
 */
import childProcess, { type SpawnOptions } from 'node:child_process';
import { appendFileSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** File that lines are appended to: process, time of day and length in milliseconds. */
export const WATCH_FILE_VARIABLE = 'WATCH_THREADS_FILE';

/** Set for the process that the server starts. */
const ROLE_VARIABLE = 'WATCH_THREADS_ROLE';

const INTERVAL_MS = 5;
const LEAST_MS = 5;

const file = process.env[WATCH_FILE_VARIABLE];
if (file !== undefined && isMainThread) {
  watch(file, process.env[ROLE_VARIABLE] ?? 'server');
  watchChildren(file);
}

function watch(path: string, role: string): void {
  const schedstat = openSync('/proc/self/schedstat', 'r');
  const buffer = Buffer.alloc(128);
  const waitedMs = (): number =>
    Number(buffer.toString('latin1', 0, readSync(schedstat, buffer, 0, buffer.length, 0)).split(' ')[1]) / 1e6;
  let at = performance.now();
  let waited = waitedMs();
  setInterval(() => {
    const now = performance.now();
    const waitedNow = waitedMs();
    const heldMs = now - at - INTERVAL_MS - (waitedNow - waited);
    if (heldMs >= LEAST_MS) appendFileSync(path, `${role} ${Date.now()} ${heldMs.toFixed(1)}\n`);
    at = now;
    waited = waitedNow;
  }, INTERVAL_MS).unref();
}

/** The engine gets no environment and no arguments but its own. */
function watchChildren(path: string): void {
  const { spawn } = childProcess;
  const watched = (command: string, args: readonly string[], options: SpawnOptions): childProcess.ChildProcess => {
    const env = { ...(options.env ?? process.env), [WATCH_FILE_VARIABLE]: path, [ROLE_VARIABLE]: 'engine' };
    return spawn(command, command === process.execPath ? ['--require', __filename, ...args] : args, {
      ...options,
      env,
    });
  };
  childProcess.spawn = watched as typeof spawn;
}
