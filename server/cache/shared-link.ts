/** The connection to Redis. A command is answered in time, or it has failed; after a few that were late nothing is sent for a while. */
import type { Redis } from 'ioredis';
import type { Clock } from '../clock';

export type LinkReply =
  | { readonly kind: 'value'; readonly value: unknown }
  /** An error, or no answer in time. */
  | { readonly kind: 'failed' }
  /** Not sent: there is no connection, or too much has failed just now. */
  | { readonly kind: 'skipped' };

export interface SharedLink {
  readonly isUp: boolean;
  /** Never rejects. Texts come back as buffers. */
  send(command: readonly [string, ...(string | number | Buffer)[]]): Promise<LinkReply>;
  close(): void;
}

export interface SharedLinkSettings {
  /** May hold a password: it is in no message. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: { info(facts: object, message: string): void; warn(facts: object, message: string): void };
}

const MAX_LATE = 3;
const PAUSE_MS = 2000;
const MAX_RECONNECT_MS = 2000;

/** Connects in the background, as often as it must. */
export async function openSharedLink({ url, timeoutMs, clock, logger }: SharedLinkSettings): Promise<SharedLink> {
  const { Redis: RedisClient } = await import('ioredis');
  const client: Redis = new RedisClient(url, {
    connectionName: 'log-query-endpoints',
    connectTimeout: 2000,
    // What cannot be sent now is a miss now.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
  });
  let late = 0;
  let pausedUntilMs = -Infinity;
  let wasUp: boolean | null = null;
  client.on('ready', () => noteState(true, ''));
  client.on('error', (error: Error) => noteState(false, reasonOf(error)));
  client.on('close', () => noteState(false, 'the connection has ended'));

  return {
    get isUp() {
      return isOpen();
    },
    async send(command) {
      if (!isOpen()) return { kind: 'skipped' };
      const [name, ...args] = command;
      const value = await inTime(client.callBuffer(name, args as (string | number | Buffer)[]));
      if (value === LATE) return noteLate();
      late = 0;
      return value;
    },
    close: () => client.disconnect(),
  };

  function isOpen(): boolean {
    return client.status === 'ready' && clock.monotonicMs() >= pausedUntilMs;
  }

  function inTime(work: Promise<unknown>): Promise<LinkReply | typeof LATE> {
    return new Promise((resolve) => {
      // An answer that came while this process was busy is read first: it was not Redis that was late.
      const cancel = clock.setTimer(() => setImmediate(() => resolve(LATE)), timeoutMs);
      const settle = (reply: LinkReply): void => {
        cancel();
        resolve(reply);
      };
      work.then(
        (value) => settle({ kind: 'value', value }),
        () => settle({ kind: 'failed' })
      );
    });
  }

  function noteLate(): LinkReply {
    late += 1;
    if (late >= MAX_LATE) {
      late = 0;
      pausedUntilMs = clock.monotonicMs() + PAUSE_MS;
      // What is still on its way is of no use any more.
      client.disconnect(true);
      noteState(false, 'no answer in time');
    }
    return { kind: 'failed' };
  }

  function noteState(isUp: boolean, reason: string): void {
    if (wasUp === isUp) return;
    wasUp = isUp;
    if (isUp) logger.info({}, 'the shared cache answers');
    else logger.warn({ reason }, 'the shared cache does not answer: each server caches for itself');
  }
}

const LATE = Symbol('late');

/** One word: the rest of a message may hold parts of the URL. */
function reasonOf(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? /^[A-Z]{2,}/.exec(error.message)?.[0];
  return code ?? 'the connection has failed';
}
