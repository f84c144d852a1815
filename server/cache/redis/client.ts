/** Connection to Redis. Each command has a timeout; after several timeouts in a row no command is sent for a while. */
import type { Redis } from 'ioredis';
import type { Clock } from '../../common/clock';
import { errorCode } from '../../common/caught-error';

export type RedisReply =
  | { readonly kind: 'value'; readonly value: unknown }
  /** An error reply, or a timeout. */
  | { readonly kind: 'failed' }
  /** Not sent: there is no connection, or several commands just timed out. */
  | { readonly kind: 'skipped' };

export interface RedisClient {
  readonly isUp: boolean;
  /** Sends a command. Never rejects. Texts in replies are buffers. */
  send(command: readonly [string, ...(string | number | Buffer)[]]): Promise<RedisReply>;
  close(): void;
}

export interface RedisClientSettings {
  /** May contain a password: it appears in no message. */
  readonly url: string;
  readonly timeoutMs: number;
  /** Longest wait for a reply before the connection is made again. @default 2000 */
  readonly silenceMs?: number;
  readonly clock: Clock;
  readonly logger: { info(facts: object, message: string): void; warn(facts: object, message: string): void };
}

/** Timeouts in a row after which sending pauses. */
const MAX_TIMEOUTS = 3;
const PAUSE_MS = 2000;
const MAX_RECONNECT_MS = 2000;
const SILENCE_MS = 2000;

/** Connects in the background and reconnects without limit. */
export async function openRedisClient(settings: RedisClientSettings): Promise<RedisClient> {
  const { Redis: Connection } = await import('ioredis');
  const connection = new Connection(settings.url, {
    connectionName: 'log-query-endpoints',
    connectTimeout: SILENCE_MS,
    // Also of the commands that the client sends first: it would wait for them without end.
    socketTimeout: settings.silenceMs ?? SILENCE_MS,
    // After a failover the connection may be to a copy, while the address is that of the new server.
    reconnectOnError: (error) => error.message.includes('READONLY'),
    // A command that cannot be sent now counts as a miss; queueing would delay the caller.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
  });
  return new PausingClient(connection, settings);
}

/** Circuit breaker around a connection: timeouts in a row pause it. */
class PausingClient implements RedisClient {
  private timeouts = 0;
  private pausedUntilMs = -Infinity;
  /** State that was logged last; null before the first. */
  private loggedUp: boolean | null = null;

  constructor(
    private readonly connection: Redis,
    private readonly settings: RedisClientSettings
  ) {
    connection.on('ready', () => this.logState(true, ''));
    connection.on('error', (error: Error) => this.logState(false, reasonOf(error)));
    connection.on('close', () => this.logState(false, 'the connection has ended'));
  }

  get isUp(): boolean {
    return this.connection.status === 'ready' && this.settings.clock.monotonicMs() >= this.pausedUntilMs;
  }

  async send(command: readonly [string, ...(string | number | Buffer)[]]): Promise<RedisReply> {
    if (!this.isUp) return { kind: 'skipped' };
    const [name, ...args] = command;
    const reply = await this.inTime(this.connection.callBuffer(name, args));
    if (reply === TIMEOUT) return this.onTimeout();
    this.timeouts = 0;
    return reply;
  }

  close(): void {
    this.connection.disconnect();
  }

  private inTime(work: Promise<unknown>): Promise<RedisReply | typeof TIMEOUT> {
    const { clock, timeoutMs } = this.settings;
    return new Promise((resolve) => {
      // A reply that arrived while this process was busy is read first: then Redis was not late.
      const cancel = clock.setTimer(() => setImmediate(() => resolve(TIMEOUT)), timeoutMs);
      const settle = (reply: RedisReply): void => {
        cancel();
        resolve(reply);
      };
      work.then(
        (value) => settle({ kind: 'value', value }),
        () => settle({ kind: 'failed' })
      );
    });
  }

  private onTimeout(): RedisReply {
    this.timeouts += 1;
    if (this.timeouts >= MAX_TIMEOUTS) this.pause();
    return { kind: 'failed' };
  }

  private pause(): void {
    this.timeouts = 0;
    this.pausedUntilMs = this.settings.clock.monotonicMs() + PAUSE_MS;
    // Reconnects: replies that are still pending are of no use any more.
    this.connection.disconnect(true);
    this.logState(false, 'no answer in time');
  }

  private logState(isUp: boolean, reason: string): void {
    if (this.loggedUp === isUp) return;
    this.loggedUp = isUp;
    const { logger } = this.settings;
    if (isUp) logger.info({}, 'the shared cache answers');
    else logger.warn({ reason }, 'the shared cache does not answer: each server caches for itself');
  }
}

const TIMEOUT = Symbol('timeout');

/** Reason in one word: the rest of the message may contain parts of the URL. */
function reasonOf(error: Error): string {
  const code = errorCode(error) ?? /^[A-Z]{2,}/.exec(error.message)?.[0];
  return code ?? 'the connection has failed';
}
