/** Logs that connections are refused: at most once a minute, with their number since the last line. */
import type { Logger } from 'pino';
import type { Clock } from '../../common/clock';

const PAUSE_MS = 60_000;

/** @returns a function to call for each refused connection */
export function createRefusalLog(logger: Pick<Logger, 'warn'>, clock: Pick<Clock, 'monotonicMs'>, max: number) {
  let refused = 0;
  let loggedAtMs = -Infinity;
  return (): void => {
    refused++;
    const nowMs = clock.monotonicMs();
    if (nowMs - loggedAtMs < PAUSE_MS) return;
    logger.warn({ refused, max_connections: max }, 'connections are refused, since all are in use and none is idle');
    refused = 0;
    loggedAtMs = nowMs;
  };
}
