/** Keeps one engine process alive: starts it, opens the store, sends the definitions, starts it again when it ends. */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import { createDeferred, type Deferred } from './deferred';
import { type InFlightCall, openEngineLink } from './engine-link';
import type {
  AnswerValue,
  DefinitionFailure,
  EngineCallKind,
  EngineCalls,
  EngineOptions,
  EngineStatus,
} from './messages';
import type { CallLink, PendingCall } from './pending-call';

/** Why a process is started again. */
export type RestartCause = 'crash' | 'deadline' | 'memory';

export interface SupervisorSettings {
  readonly engine: EngineOptions;
  readonly script: string;
  readonly openTimeoutMs: number;
  readonly logger: EngineLogger;
  /** A process that takes calls has ended by itself; called before the calls learn of it. */
  readonly onCrash: (calls: Iterable<InFlightCall<PendingCall | null>>) => void;
}

/** What the client needs of a logger; pino's own logger fits. */
export interface EngineLogger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

type DefineRequest = EngineCalls['define']['request'];

interface Booted {
  readonly link: CallLink;
  readonly status: EngineStatus;
  readonly failures: readonly DefinitionFailure[];
}

/** How long running calls may take to end before a store is opened in the place of theirs. */
const REOPEN_DRAIN_MS = 3000;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5000;
/** A process that lived this long starts a new count of failures. */
const STEADY_MS = 10_000;
const CLOSE_TIMEOUT_MS = 5000;
/** A restart within this time is no reason to send calls to other servers: they wait for it here. */
const RESTART_GRACE_MS = 5000;
/** A process that lived shorter than this does not end a restart: one crash after another must not look like being ready. */
const MIN_UP_MS = 1000;

export class EngineSupervisor {
  readonly kills = { deadline: 0, memory: 0 };
  restarts = 0;
  /** The process that takes calls; null while there is none. */
  link: CallLink | null = null;
  /** There is none for a moment, on purpose. */
  isReopening = false;
  private readonly listeners = new Set<(cause: RestartCause) => void>();
  private engine: EngineOptions;
  private definitions: DefineRequest | null = null;
  private upcoming: Deferred<CallLink> = createDeferred();
  private booting: CallLink | null = null;
  /** Processes that were ended on purpose: they are not started again. */
  private readonly replaced = new WeakSet<CallLink>();
  private endCause: RestartCause = 'crash';
  /** When the present process began to take calls. */
  private admittedAt = 0;
  /** When the last process that took calls for `MIN_UP_MS` ended; null before that. */
  private downSince: number | null = null;
  private failures = 0;
  private reason: string | undefined = 'The store is starting.';
  private closing: Promise<void> | null = null;
  private readonly closed = new AbortController();

  constructor(private readonly settings: SupervisorSettings) {
    this.engine = settings.engine;
  }

  /** @throws ServiceError of `open`; no process is left then. */
  async start(): Promise<EngineStatus> {
    const { link, status } = await this.boot();
    this.admit(link);
    return status;
  }

  /** Resolves with a process that takes calls. Rejects with `draining` once the keeper closes. */
  ready(): Promise<CallLink> {
    return this.upcoming.promise;
  }

  /** It took calls before, and has not been without a process for long. Calls wait. */
  get isRestarting(): boolean {
    return (
      this.link === null &&
      !this.closing &&
      this.downSince !== null &&
      performance.now() - this.downSince <= RESTART_GRACE_MS
    );
  }

  get notReadyReason(): string | undefined {
    return this.link ? undefined : this.reason;
  }

  retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.backoffMs() / 1000));
  }

  /** Sends these to each new process. */
  keepDefinitions(request: DefineRequest): void {
    this.definitions = request;
  }

  /**
   * Another process with another store in the place of the present one; calls wait meanwhile. What runs may end, for a while; what
   * does not is run again. Where a definition does not compile, the former store is opened again.
   * @throws ServiceError when that store cannot be opened: the former one is opened again
   */
  async reopen(engine: EngineOptions, definitions: DefineRequest): Promise<readonly DefinitionFailure[]> {
    let link = await this.ready();
    while (this.link !== link) link = await this.ready();
    const former = { engine: this.engine, definitions: this.definitions };
    this.replaced.add(link);
    this.retire('crash');
    this.isReopening = true;
    await this.drain(link);
    const failures = await this.openWith(engine, definitions).catch(async (error: unknown) => {
      await this.openAgain(former);
      throw error;
    });
    if (failures.length > 0) await this.openAgain(former);
    return failures;
  }

  /** @returns definitions that do not compile; no process takes calls then */
  private async openWith(engine: EngineOptions, definitions: DefineRequest): Promise<readonly DefinitionFailure[]> {
    this.engine = engine;
    this.definitions = definitions;
    const { link, failures } = await this.boot();
    if (failures.length === 0 && !this.closing) {
      this.admit(link);
      return failures;
    }
    link.kill();
    await link.exited;
    return failures;
  }

  private async openAgain(former: { readonly engine: EngineOptions; readonly definitions: DefineRequest | null }) {
    this.engine = former.engine;
    this.definitions = former.definitions;
    this.isReopening = false;
    await this.restart('crash');
  }

  /** No new call comes to it any more. */
  private async drain(link: CallLink): Promise<void> {
    const until = performance.now() + REOPEN_DRAIN_MS;
    while (link.inFlight.size > 0 && performance.now() < until) await delay(20);
    await this.sendClose(link);
  }

  private async sendClose(link: CallLink): Promise<void> {
    const { outcome } = link.send({ kind: 'close', request: {}, timeoutMs: null, owner: null });
    const timer = setTimeout(link.kill, CLOSE_TIMEOUT_MS);
    await outcome;
    await link.exited;
    clearTimeout(timer);
  }

  /** Ends a process; it is started again. Further calls for the same process do nothing. */
  end(link: CallLink, cause: 'deadline' | 'memory'): void {
    if (this.link !== link) return;
    this.kills[cause] += 1;
    this.retire(cause);
    link.kill();
  }

  onRestart(listener: (cause: RestartCause) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    const link = this.link;
    this.retire('crash');
    this.reason = 'The service is shutting down.';
    this.upcoming.reject(new ServiceError('draining', this.reason));
    this.closed.abort();
    if (link) await this.sendClose(link);
    this.booting?.kill();
    await this.booting?.exited;
  }

  private admit(link: CallLink): void {
    this.link = link;
    this.admittedAt = performance.now();
    this.isReopening = false;
    this.endCause = 'crash';
    this.upcoming.resolve(link);
    void this.watch(link);
  }

  /** No new calls for the present process. */
  private retire(cause: RestartCause): void {
    if (!this.link) return;
    const now = performance.now();
    if (this.downSince === null || now - this.admittedAt >= MIN_UP_MS) this.downSince = now;
    this.link = null;
    this.endCause = cause;
    this.reason = 'The store is starting again.';
    this.upcoming = createDeferred();
  }

  private async watch(link: CallLink): Promise<void> {
    const how = await link.exited;
    if (this.closing || this.replaced.has(link)) return;
    const cause = this.endCause;
    const livedMs = performance.now() - link.openedAt;
    if (livedMs >= STEADY_MS) this.failures = 0;
    else if (cause === 'crash') this.failures += 1;
    this.settings.logger.warn({ how, cause, livedMs: Math.round(livedMs) }, 'the engine process has ended');
    await this.restart(cause);
  }

  private async restart(cause: RestartCause): Promise<void> {
    for (;;) {
      try {
        await delay(this.backoffMs(), undefined, { signal: this.closed.signal });
      } catch {
        return;
      }
      try {
        const { link } = await this.boot();
        if (this.closing) return link.kill();
        this.restarts += 1;
        this.admit(link);
        this.settings.logger.info({ cause, pid: link.pid }, 'the engine process was started again');
        for (const listener of this.listeners) listener(cause);
        return;
      } catch (error) {
        if (this.closing) return;
        this.failures += 1;
        this.reason = error instanceof ServiceError ? error.message : 'The store cannot be started.';
        this.settings.logger.error({ err: error, failures: this.failures }, 'the engine process cannot be started');
      }
    }
  }

  /** The first start after a steady life is immediate. */
  private backoffMs(): number {
    return this.failures <= 1 ? 0 : Math.min(FIRST_BACKOFF_MS * 2 ** (this.failures - 2), MAX_BACKOFF_MS);
  }

  private async boot(): Promise<Booted> {
    const { engine } = this;
    const { script, openTimeoutMs, logger } = this.settings;
    const link: CallLink = openEngineLink(
      { script, maxConcurrentQueries: engine.maxConcurrentQueries },
      {
        onEnd: () => {
          if (this.link !== link) return;
          this.retire('crash');
          this.settings.onCrash(link.inFlight.values());
        },
        onUnexpected: (call, stack, owner) =>
          logger.error({ call, stack, trace_id: owner?.traceId ?? null }, 'the engine met an unexpected failure'),
        onProblem: (message, stack) => logger.error({ stack }, message),
      }
    );
    this.booting = link;
    const timer = setTimeout(link.kill, openTimeoutMs);
    try {
      const status = await ask(link, 'open', engine);
      const failures = this.definitions ? (await ask(link, 'define', this.definitions)).failures : [];
      for (const { endpointId, error } of failures)
        logger.error({ endpointId, code: error.code }, 'a saved query no longer compiles');
      return { link, status, failures };
    } catch (error) {
      link.kill();
      await link.exited;
      throw error;
    } finally {
      clearTimeout(timer);
      this.booting = null;
    }
  }
}

async function ask<K extends EngineCallKind>(
  link: CallLink,
  kind: K,
  request: EngineCalls[K]['request']
): Promise<AnswerValue<K>> {
  const outcome = await link.send({ kind, request, timeoutMs: null, owner: null }).outcome;
  if (outcome.kind === 'value') return outcome.value as AnswerValue<K>;
  if (outcome.kind === 'error') throw ServiceError.fromBody(outcome.error);
  throw new ServiceError(
    'backend_unavailable',
    `The engine process ended while it opened the store (${await link.exited}).`
  );
}
