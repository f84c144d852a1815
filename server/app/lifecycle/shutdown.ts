/** Graceful shutdown: running calls are not interrupted within the drain timeout. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpServer } from '../../http/server';
import type { AppContext } from '../context';
import { flushTokens } from './housekeeping';
import type { SyslogReceiver } from '../../ingest/syslog/receiver';

/** What takes requests and messages. */
export interface Listening {
  readonly server: HttpServer;
  readonly syslog: SyslogReceiver | null;
}

/** Reports not ready at once; stops accepting after the delay; lets calls end within the timeout; closes the engine. */
export async function shutDown(ctx: AppContext, { server, syslog }: Listening, delayMs: number): Promise<void> {
  ctx.lifecycle.startDraining();
  ctx.queryCache.stop();
  if (delayMs > 0) await sleep(delayMs);
  ctx.lifecycle.startClosing();
  const { timeoutMs } = ctx.config.drain;
  await Promise.all([closeServer(server, timeoutMs), syslog?.stop(timeoutMs)]);
  ctx.queryCache.close();
  await flushTokens(ctx);
  await ctx.catalog?.stop();
  await ctx.engine.close();
}

/** Time for a request whose first bytes have arrived, after which its connection counts as silent. */
const SILENT_MS = 1000;

async function closeServer(server: HttpServer, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const silent = setInterval(() => server.closeSilent(), SILENT_MS);
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(silent);
  clearTimeout(timer);
}
