/**
 * Keeps one engine process running: starts it, opens the store, sends the definitions, and restarts it when it ends.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import { createDeferred, type Deferred } from '../deferred';
import { defineInPieces, onceCompiled } from '../define-in-pieces';
import { type InFlightCall, openEngineLink } from './engine-link';
import { RefusedFieldsWarning } from './refused-fields-warning';
import type {
  AmendRequest,
  AnswerValue,
  DefineRequest,
  DefinitionFailure,
  EngineCallKind,
  EngineCalls,
  EngineOptions,
  EngineStatus,
} from '../../protocol/messages';
import { type CallLink, draining, notStarted, type PendingCall } from '../pending-call';

/** Cause of a restart. */
export type RestartCause = 'crash' | 'deadline' | 'memory';

export interface SupervisorSettings {
  readonly engine: EngineOptions;
  readonly script: string;
  readonly openTimeoutMs: number;
  readonly logger: EngineLogger;
  /** Called when a process that takes calls has ended by itself, before the calls learn of it. */
  readonly onCrash: (calls: Iterable<InFlightCall<PendingCall | null>>) => void;
}

/** The logger functions that the client needs; pino's logger fits. */
export interface EngineLogger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

interface StartedEngine {
  readonly link: CallLink;
  readonly status: EngineStatus;
  readonly failures: readonly DefinitionFailure[];
}

/** How long running calls may take to end before the store is reopened. */
const REOPEN_DRAIN_MS = 3000;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5000;
/** A process that ran this long resets the count of failures. */
const STEADY_MS = 10_000;
const CLOSE_TIMEOUT_MS = 5000;
/** Maximum restart time in which the server stays ready, so that calls wait here and are not sent to other servers. */
const RESTART_GRACE_MS = 5000;
/** A process that ran shorter than this does not end a restart: repeated crashes must not look ready. */
const MIN_UP_MS = 1000;

export class EngineSupervisor {
  readonly kills = { deadline: 0, memory: 0 };
  restarts = 0;
  /** The process that takes calls; null while no process does. */
  link: CallLink | null = null;
  /** True while the store is being reopened. */
  isReopening = false;
  private readonly listeners = new Set<(cause: RestartCause) => void>();
  private engine: EngineOptions;
  private definitions: DefineRequest | null = null;
  private nextLink: Deferred<CallLink> = createDeferred();
  /** True while `nextLink` is rejected, since the store cannot be started. */
  private areCallsRefused = false;
  private starting: CallLink | null = null;
  /** Processes that were replaced on purpose: they are not restarted. */
  private readonly retired = new WeakSet<CallLink>();
  private exitCause: RestartCause = 'crash';
  /** When the present process began to take calls. */
  private attachedAt = 0;
  /** When the last process that took calls for `MIN_UP_MS` ended; null before that. */
  private downSince: number | null = null;
  private failures = 0;
  private reason: string | undefined = 'The store is starting.';
  private closing: Promise<void> | null = null;
  /** Settles when no reopening runs. */
  private reopened: Promise<unknown> = Promise.resolve();
  private readonly closed = new AbortController();
  private readonly refusedFields: RefusedFieldsWarning;

  constructor(private readonly settings: SupervisorSettings) {
    this.engine = settings.engine;
    this.refusedFields = new RefusedFieldsWarning(settings.logger);
  }

  /** @throws ServiceError of `open`; no process is left running. */
  async start(): Promise<EngineStatus> {
    const { link, status } = await this.startProcess(null);
    this.attach(link);
    return status;
  }

  /**
   * Resolves with a process that takes calls. Rejects with `backend_unavailable` while the store cannot be started, and
   * with `draining` once the supervisor closes.
   */
  ready(): Promise<CallLink> {
    return this.nextLink.promise;
  }

  /** True for a short time after a process that took calls has ended. Calls wait. */
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

  /** Stores the definitions, which are sent to each new process. */
  keepDefinitions(request: DefineRequest): void {
    this.definitions = request;
  }

  /** Opens the store with this source, too, in each new process. */
  keepSource(source: Source): void {
    const { sources, ...engine } = this.engine;
    if (!sources.some(({ name }) => name === source.name)) this.engine = { ...engine, sources: [...sources, source] };
  }

  /** Changes the stored definitions. */
  amendDefinitions({ changed, removed }: AmendRequest): void {
    if (!this.definitions) return;
    const replaced = new Set([...removed, ...changed.map(({ id }) => id)]);
    const stored = this.definitions.stored.filter(({ id }) => !replaced.has(id));
    this.definitions = { ...this.definitions, stored: [...stored, ...changed] };
  }

  /**
   * Replaces the process by one with another store; calls wait until then. Running calls have a while to end; those
   * that do not are run again. When a definition does not compile, the former store is opened again.
   * @throws ServiceError when the new store cannot be opened: the former one is opened again; `draining` once the
   * supervisor closes
   */
  async reopen(engine: EngineOptions, definitions: DefineRequest): Promise<readonly DefinitionFailure[]> {
    let link = await this.ready();
    while (this.link !== link) link = await this.ready();
    const replaced = this.replace(link, engine, definitions);
    this.reopened = replaced.catch(() => undefined);
    return replaced;
  }

  private async replace(
    link: CallLink,
    engine: EngineOptions,
    definitions: DefineRequest
  ): Promise<readonly DefinitionFailure[]> {
    const former = { engine: this.engine, definitions: this.definitions };
    this.retired.add(link);
    this.detach('crash');
    this.isReopening = true;
    await this.drain(link);
    const failures = await this.tryOpen(engine, definitions).catch(async (error: unknown) => {
      await this.rollBack(former);
      throw this.closing ? draining() : error;
    });
    if (failures.length > 0) await this.rollBack(former);
    return failures;
  }

  /** @returns definitions that do not compile; in this case no process takes calls */
  private async tryOpen(engine: EngineOptions, definitions: DefineRequest): Promise<readonly DefinitionFailure[]> {
    if (this.closing) throw draining();
    this.engine = engine;
    this.definitions = definitions;
    const { link, failures } = await this.startProcess(definitions);
    if (failures.length === 0 && !this.closing) {
      this.attach(link);
      return failures;
    }
    link.kill();
    await link.exited;
    if (this.closing) throw draining();
    return failures;
  }

  /** Resolves when calls are taken again, or refused: the store may not come back for hours. */
  private async rollBack(former: { readonly engine: EngineOptions; readonly definitions: DefineRequest | null }) {
    this.engine = former.engine;
    this.definitions = former.definitions;
    this.isReopening = false;
    void this.restart('crash');
    await this.ready().catch(() => undefined);
  }

  /** Waits for the calls of a process that gets no new ones, then closes it. */
  private async drain(link: CallLink): Promise<void> {
    const until = performance.now() + REOPEN_DRAIN_MS;
    while (link.inFlight.size > 0 && performance.now() < until) await delay(20);
    await this.sendClose(link);
  }

  private async sendClose(link: CallLink): Promise<void> {
    const { outcome } = link.send({ kind: 'close', request: {}, timeoutMs: null, owner: null });
    const timer = setTimeout(() => link.kill(), CLOSE_TIMEOUT_MS);
    await outcome;
    await link.exited;
    clearTimeout(timer);
  }

  /** Ends a process, which is then restarted. Further calls for the same process do nothing. */
  end(link: CallLink, cause: 'deadline' | 'memory'): void {
    if (this.link !== link) return;
    this.kills[cause] += 1;
    this.detach(cause);
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
    this.detach('crash');
    const error = draining();
    this.reason = error.message;
    this.nextLink.reject(error);
    this.closed.abort();
    if (link) await this.sendClose(link);
    this.starting?.kill();
    await this.starting?.exited;
    await this.reopened;
  }

  private attach(link: CallLink): void {
    this.link = link;
    this.attachedAt = performance.now();
    this.isReopening = false;
    this.exitCause = 'crash';
    if (this.areCallsRefused) this.nextLink = createDeferred();
    this.areCallsRefused = false;
    this.nextLink.resolve(link);
    void this.watch(link);
  }

  /** Stops sending calls to the present process. */
  private detach(cause: RestartCause): void {
    if (!this.link) return;
    const now = performance.now();
    if (this.downSince === null || now - this.attachedAt >= MIN_UP_MS) this.downSince = now;
    this.link = null;
    this.exitCause = cause;
    this.reason = 'The store is starting again.';
    this.nextLink = createDeferred();
  }

  private async watch(link: CallLink): Promise<void> {
    const how = await link.exited;
    if (this.closing || this.retired.has(link)) return;
    const cause = this.exitCause;
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
        const { link } = await this.startProcess(this.definitions && onceCompiled(this.definitions));
        if (this.closing) return link.kill();
        this.restarts += 1;
        this.attach(link);
        this.settings.logger.info({ cause, pid: link.pid }, 'the engine process was started again');
        for (const listener of this.listeners) listener(cause);
        return;
      } catch (error) {
        if (this.closing) return;
        this.failures += 1;
        this.reason = error instanceof ServiceError ? error.message : 'The store cannot be started.';
        this.settings.logger.error({ err: error, failures: this.failures }, 'the engine process cannot be started');
        if (!this.isRestarting) this.refuseCalls();
      }
    }
  }

  /** Calls would wait until their deadlines for what may take an operator. */
  private refuseCalls(): void {
    const error = notStarted(this.retryAfterSeconds());
    this.nextLink.reject(error);
    this.nextLink = createDeferred();
    this.nextLink.reject(error);
    this.areCallsRefused = true;
  }

  /** The first start after a long run is immediate. */
  private backoffMs(): number {
    return this.failures <= 1 ? 0 : Math.min(FIRST_BACKOFF_MS * 2 ** (this.failures - 2), MAX_BACKOFF_MS);
  }

  private async startProcess(definitions: DefineRequest | null): Promise<StartedEngine> {
    const { engine } = this;
    const { script, openTimeoutMs, logger } = this.settings;
    const link: CallLink = openEngineLink(
      { script, maxConcurrentQueries: engine.maxConcurrentQueries },
      {
        onEnd: () => {
          if (this.link !== link) return;
          this.detach('crash');
          this.settings.onCrash(link.inFlight.values());
        },
        onUnexpected: (call, stack, owner) =>
          logger.error({ call, stack, trace_id: owner?.traceId ?? null }, 'the engine met an unexpected failure'),
        onStoreFailure: (call, cause, owner) =>
          logger.error({ call, cause, trace_id: owner?.traceId ?? null }, 'the store failed to answer a call'),
        onProblem: (message, stack) => logger.error({ stack }, message),
        onRefusedFields: (refused) => this.refusedFields.log(refused),
      }
    );
    this.starting = link;
    const timer = setTimeout(() => link.kill(), openTimeoutMs);
    try {
      const status = await ask(link, 'open', engine);
      const failures = definitions ? await sendDefinitions(link, definitions) : [];
      return { link, status, failures };
    } catch (error) {
      link.kill();
      await link.exited;
      throw error;
    } finally {
      clearTimeout(timer);
      this.starting = null;
    }
  }
}

async function sendDefinitions(link: CallLink, request: DefineRequest): Promise<readonly DefinitionFailure[]> {
  const { amendments, define } = defineInPieces(request);
  for (const amendment of amendments) await ask(link, 'amend', amendment);
  return (await ask(link, 'define', define)).failures;
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
