/** Number of restarts of the engine process, by the metrics of the service. */
import { setTimeout as sleep } from 'node:timers/promises';

/** @param token with the scope `metrics:read` */
export async function readEngineRestarts(url: string, token: string): Promise<number> {
  const answer = await fetch(new URL('/metrics', url), { headers: { 'X-API-KEY': token } });
  const text = await answer.text();
  const value = /^logquery_engine_restarts_total (\d+)$/m.exec(text)?.[1];
  if (value === undefined) throw new Error(`the metrics do not count restarts: ${answer.status} ${text.slice(0, 300)}`);
  return Number(value);
}

/** Waits until the service is ready and goes on being so, for a service that a hostile body has taken away. */
export async function waitUntilReady(url: string, patienceMs = 90_000): Promise<void> {
  const until = Date.now() + patienceMs;
  for (let readyTimes = 0; readyTimes < 3; await sleep(100)) {
    const answer = await fetch(new URL('/health/ready', url)).catch(() => null);
    await answer?.arrayBuffer();
    readyTimes = answer?.status === 200 ? readyTimes + 1 : 0;
    if (Date.now() > until) throw new Error('the service does not become ready again');
  }
}
