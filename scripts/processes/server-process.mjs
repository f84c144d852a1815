/** Starts the built server as a process of its own and sees to its end. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../setup.mjs';

const READY_POLL_MS = 40;
const STOP_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM']);

/**
 * The server gets a process group of its own: Ctrl-C reaches every process of the terminal's group, and npm passes it
 * on once more, while the server should hear of it exactly once: a second signal makes it give up what still runs. The
 * first signal to this process is passed on, further ones are not.
 *
 * @typedef {ReturnType<typeof startServer>} ServerProcess
 * @param {{ env?: Record<string, string>, stdio?: 'inherit' | 'ignore', onStop?: () => void }} options
 */
export function startServer({ env = {}, stdio = 'inherit', onStop = () => undefined } = {}) {
  const preload = join(ROOT, 'scripts', 'processes', 'stop-with-parent.cjs');
  const child = spawn(process.execPath, ['--require', preload, join(ROOT, 'build', 'bin', 'server.js')], {
    cwd: ROOT,
    env: { ...serverVariables(), ...env },
    stdio: ['ignore', stdio, stdio, 'ipc'],
    detached: true,
  });
  const stopping = new AbortController();

  /**
   * Asks the server to stop; asking again changes nothing.
   *
   * @param {NodeJS.Signals} signal
   */
  function stop(signal = 'SIGINT') {
    if (stopping.signal.aborted) return;
    stopping.abort();
    onStop();
    child.kill(signal);
  }
  for (const signal of STOP_SIGNALS) process.on(signal, stop);

  /**
   * The exit code of the server; 0 for one that was asked to stop and did.
   *
   * @type {Promise<number>}
   */
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code, signal) => {
      for (const each of STOP_SIGNALS) process.off(each, stop);
      // One that is asked to stop before it listens for signals ends by the signal itself.
      const isAsked = stopping.signal.aborted && STOP_SIGNALS.some((each) => each === signal);
      resolve(isAsked ? 0 : (code ?? 1));
    });
  });

  /**
   * @param {string} url
   * @returns whether the server became ready; false when it ended instead.
   */
  async function ready(url) {
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    while (!hasEnded) {
      const answer = await fetch(new URL('/health/ready', url)).catch(() => undefined);
      if (answer?.ok) return true;
      await sleep(READY_POLL_MS);
    }
    return false;
  }

  return { pid: child.pid, stop, ended, ready, stopping: stopping.signal };
}

/**
 * The environment without the one variable of ours that is for `lqe`, not for the server; the server refuses what it
 * does not know.
 */
export function serverVariables() {
  const variables = { ...process.env };
  delete variables.LQE_TOKEN;
  return variables;
}

/**
 * The port itself when nothing listens there, a free one for 0, undefined when it is taken.
 *
 * @param {string} host
 * @param {number} port
 * @returns {Promise<number | undefined>}
 */
export function freePort(host, port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) =>
      'code' in error && error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)
    );
    probe.listen({ host, port, exclusive: true }, () => {
      const address = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(address.port));
    });
  });
}
