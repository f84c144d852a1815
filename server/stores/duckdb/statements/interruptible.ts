/**
 * Interrupts statements when a signal aborts. DuckDB forgets an interrupt that arrives before a thread of the driver
 * has begun the statement, so it is repeated until the work has ended.
 */
import type { DuckDBConnection } from '@duckdb/node-api';

const REPEAT_MS = 20;

/**
 * Runs work on a connection that nothing else uses meanwhile.
 * @throws the reason of the signal; errors of the work
 */
export async function interruptible<T>(
  connection: Pick<DuckDBConnection, 'interrupt'>,
  signal: AbortSignal,
  work: () => Promise<T>
): Promise<T> {
  signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), REPEAT_MS);
  };
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(timer);
  }
}
