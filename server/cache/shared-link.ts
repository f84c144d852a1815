/** Connection to Redis. Each command has a timeout; after several timeouts in a row no command is sent for a while. */
import type { Redis } from 'ioredis';
import type { Clock } from '../clock';

export type LinkReply =
  | { readonly kind: 'value'; readonly value: unknown }
  /** An error reply, or a timeout. */
  | { readonly kind: 'failed' }
  /** Not sent: there is no connection, or several commands just timed out. */
  | { readonly kind: 'skipped' };

export interface SharedLink {
  readonly isUp: boolean;
  /** Sends a command. Never rejects. Texts in replies are buffers. */
  send(command: readonly [string, ...(string | number | Buffer)[]]): Promise<LinkReply>;
  close(): void;
}

export interface SharedLinkSettings {
  /** May contain a password: it appears in no message. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: { info(facts: object, message: string): void; warn(facts: object, message: string): void };
}

const MAX_LATE = 3;
const PAUSE_MS = 2000;
const MAX_RECONNECT_MS = 2000;

/** Connects in the background and reconnects without limit. */
export async function openSharedLink({ url, timeoutMs, clock, logger }: SharedLinkSettings): Promise<SharedLink> {
  const { Redis: RedisClient } = await import('ioredis');
  const client: Redis = new RedisClient(url, {
    connectionName: 'log-query-endpoints',
    connectTimeout: 2000,
    // A command that cannot be sent now counts as a miss; queueing would delay the caller.
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
      // A reply that arrived while this process was busy is read first: then Redis was not late.
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
      // Replies that are still pending have no use any more.
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

/** Reason in one word: the rest of the message may contain parts of the URL. */
function reasonOf(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? /^[A-Z]{2,}/.exec(error.message)?.[0];
  return code ?? 'the connection has failed';
}
