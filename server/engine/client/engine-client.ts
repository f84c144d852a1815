/**
 * The server's client of the engine process. Every call settles, even when the process ends: with its result, with an
 * error of the engine, or with `query_timeout`, `resource_limit` or `backend_unavailable`.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Source } from '#contract/events/source';
import type { QueryRequest } from '#contract/queries/query';
import { CallRunner } from './call-runner';
import { defineInPieces } from './define-in-pieces';
import { ensureRoomToOpen } from './ensure-room';
import { type DeadlineLimits, superviseDeadline } from './deadline';
import { EngineSupervisor, type EngineLogger, type RestartCause } from './supervision/engine-supervisor';
import { startMemoryWatchdog } from './supervision/memory-watchdog';
import type { DefineRequest, EngineCallKind, EngineCalls, EngineOptions, EngineStatus } from '../protocol/messages';
import { removeSetAside } from './blame/set-aside';
import { createPenalties, type Penalties } from './blame/penalties';
import { type CallLink, createPendingCall, draining, type PendingCall } from './pending-call';
import { queryTimeout } from '../protocol/timeouts';
import { toError } from '../../common/caught-error';

export type { EngineLogger, RestartCause } from './supervision/engine-supervisor';

/** Kinds of calls for users of the client, which itself sends `open` and `close`. */
export type ClientCallKind = Exclude<EngineCallKind, 'open' | 'close'>;

export interface EngineCallOptions {
  /** Binary part of the call: the batch of `ingest`. It must not change until the call has settled. */
  readonly body?: Uint8Array;
  /**
   * Time for the whole call, waiting included.
   * @default `request.timeoutMs` of `run`; otherwise `EngineClientSettings.defaultTimeoutMs`
   */
  readonly timeoutMs?: number;
  /**
   * Aborts when the client closes the connection: the call rejects with the signal's reason at once, and the run is
   * interrupted.
   */
  readonly signal?: AbortSignal;
  /** Names the call in log entries about its failures. */
  readonly traceId?: string;
  /** Id of the token that the call is made for: engine processes that end because of its work are counted. */
  readonly owner?: string;
}

/** Facts for `/health/ready` and the metrics. */
export interface EngineHealth {
  /**
   * True when calls are taken, now or soon: they wait while the store is reopened with other sources, and for 5 s of a
   * restart. After these they are refused where the store cannot be started.
   */
  readonly ready: boolean;
  /** The process has ended, and its restart has taken at most 5 s so far. */
  readonly isRestarting: boolean;
  /** Reason for not being ready; contains no secrets. */
  readonly reason?: string;
  /** Number of restarts since `start()`. */
  readonly restarts: number;
  /** Number of processes that the client ended, by cause. */
  readonly kills: { readonly deadline: number; readonly memory: number };
  /** Calls sent and not yet answered; `waiting` counts calls that wait for the process. */
  readonly inFlight: number;
  readonly waiting: number;
  /** Resident memory of the process at the last sample; 0 when none runs. */
  readonly rssBytes: number;
}

export interface EngineClient {
  /**
   * Starts the process and opens the store. @returns the store's first status.
   * @throws ServiceError with the store's reason (data directory locked, file of a newer version, ...); no process is
   * left running.
   */
  start(): Promise<EngineStatus>;

  /**
   * Sends a call. `define` replaces all definitions, `amend` some; each new process gets the result. `run` returns the
   * encoded bytes; `ingest` is retried after process ends, without other batches in parallel; a batch that ends two
   * processes is refused. Other calls are retried once.
   * @throws ServiceError: the engine's own; `query_timeout` (details.timeout_ms); `resource_limit`; `overloaded`;
   * `batch_refused`; `rate_limited` when processes ended because of the owner's work; `backend_unavailable` and
   * refusals of a repeated culprit (details.retry_after_seconds); `draining` after `close()`.
   */
  call<K extends ClientCallKind>(
    kind: K,
    request: EngineCalls[K]['request'],
    options?: EngineCallOptions
  ): Promise<EngineCalls[K]['response']>;

  /**
   * Reopens the store with other sources and the definitions that go with them. Calls wait until then and continue in
   * the new process. When a definition does not compile, nothing changes.
   * @throws ServiceError when the store cannot be opened with them; nothing changes
   */
  reopen(sources: EngineOptions['sources'], definitions: DefineRequest): Promise<EngineCalls['define']['response']>;

  /**
   * Adds a source to the open store, while calls go on.
   * @throws ServiceError `definition_invalid` when its events are stored with other types, `backend_unavailable`
   */
  addSource(source: Source): Promise<void>;

  /**
   * Drops what is stored of a source that the store is not open with, and its refused batches of this server.
   * @throws ServiceError `backend_unavailable`, `backend_error`
   */
  dropEvents(source: Source): Promise<void>;

  health(): EngineHealth;

  /** @returns a function that removes the listener. */
  onRestart(listener: (cause: RestartCause) => void): () => void;

  /**
   * Waits for running calls, closes the store, ends the process. Never rejects; repeated calls return the same promise.
   */
  close(): Promise<void>;
}

export interface EngineClientSettings {
  readonly engine: EngineOptions;
  readonly logger: EngineLogger;
  /** Script of the process. @default `main.js` of the folder `process` */
  readonly script?: string;
  /** Timeout of a call without one. @default 60_000 */
  readonly defaultTimeoutMs?: number;
  /** Timeout of opening the store, which may replay a long journal. @default 120_000 */
  readonly openTimeoutMs?: number;
  /** Time between the interrupt of a run and the end of the process. @default 300 */
  readonly graceMs?: number;
  /** How long a process may leave an interrupt unconfirmed. @default 3000 */
  readonly stallMs?: number;
  /**
   * How long a request that ended a process is refused, and the window in which the ends of one token are counted.
   * @default 60_000
   */
  readonly refusalMs?: number;
}

/** How long a call other than a run may continue in the engine after its caller got an error. */
const STUCK_MS = 60_000;
const DRAIN_MS = 5000;
/** Longer than ClickHouse takes for the tables of a cluster. */
export const TABLES_MS = 180_000;

export function createEngineClient(settings: EngineClientSettings): EngineClient {
  return new ProcessClient(settings);
}

class ProcessClient implements EngineClient {
  private readonly deadlineLimits: DeadlineLimits;
  private readonly supervisor: EngineSupervisor;
  private readonly penalties: Penalties;
  private readonly runner: CallRunner;
  /** Calls that the engine has not finished, with the promise of their end. */
  private readonly active = new Map<PendingCall, Promise<unknown>>();
  private stopWatchdog: () => void = () => undefined;
  private closing: Promise<void> | null = null;
  private readonly refusedBatchesDir: string;

  constructor(private readonly settings: EngineClientSettings) {
    const { engine, logger } = settings;
    this.refusedBatchesDir = path.join(engine.dataDir, 'journal');
    this.deadlineLimits = {
      graceMs: settings.graceMs ?? 300,
      stallMs: settings.stallMs ?? 3000,
      stuckMs: STUCK_MS,
    };
    this.penalties = createPenalties(settings.refusalMs ?? 60_000, logger);
    this.supervisor = new EngineSupervisor({
      engine,
      logger,
      script: settings.script ?? path.join(__dirname, '..', 'process', 'main.js'),
      openTimeoutMs: settings.openTimeoutMs ?? 120_000,
      onCrash: (calls) => this.penalties.noteCrash(calls),
    });
    this.runner = new CallRunner({
      supervisor: this.supervisor,
      penalties: this.penalties,
      logger,
      refusedBatchesDir: this.refusedBatchesDir,
    });
  }

  async start(): Promise<EngineStatus> {
    const status = await this.supervisor.start();
    this.stopWatchdog = startMemoryWatchdog({
      keeper: this.supervisor,
      penalties: this.penalties,
      logger: this.settings.logger,
      budgetBytes: this.settings.engine.rssBudgetMb * 1024 * 1024,
    });
    return status;
  }

  call<K extends ClientCallKind>(
    kind: K,
    request: EngineCalls[K]['request'],
    options: EngineCallOptions = {}
  ): Promise<EngineCalls[K]['response']> {
    if (kind === 'define') return this.define(request as DefineRequest, options);
    if (kind === 'amend') this.supervisor.amendDefinitions(request as EngineCalls['amend']['request']);
    return this.send(kind, request, options);
  }

  async reopen(sources: EngineOptions['sources'], definitions: DefineRequest) {
    const { engine } = this.settings;
    if (engine.clickhouse === null) await ensureRoomToOpen(engine.dataDir);
    return { failures: await this.supervisor.reopen({ ...engine, sources }, definitions) };
  }

  async addSource(source: Source): Promise<void> {
    const options = { timeoutMs: TABLES_MS };
    await this.call('prepareSource', { source, isStored: false }, options);
    await this.call('addSource', { source }, options);
    this.supervisor.keepSource(source);
    // A process that began meanwhile opened the store without it.
    await this.call('addSource', { source }, options);
  }

  async dropEvents(source: Source): Promise<void> {
    await this.call('dropEvents', { source }, { timeoutMs: TABLES_MS });
    await removeSetAside(this.refusedBatchesDir, source.name);
  }

  health(): EngineHealth {
    const { supervisor } = this;
    const inFlight = [...this.active.keys()].filter(({ flight }) => flight !== null).length;
    const reason = supervisor.notReadyReason;
    const { isRestarting } = supervisor;
    return {
      ready: supervisor.link !== null || supervisor.isReopening || isRestarting,
      isRestarting,
      ...(reason === undefined ? {} : { reason }),
      restarts: supervisor.restarts,
      kills: { ...supervisor.kills },
      inFlight,
      waiting: this.active.size - inFlight,
      rssBytes: supervisor.link?.rssBytes ?? 0,
    };
  }

  onRestart(listener: (cause: RestartCause) => void): () => void {
    return this.supervisor.onRestart(listener);
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private defaultTimeoutMs(kind: ClientCallKind, request: unknown): number {
    return kind === 'run' ? (request as QueryRequest).timeoutMs : (this.settings.defaultTimeoutMs ?? 60_000);
  }

  /** Definitions that do not fit into one message are sent before. */
  private async define(request: DefineRequest, options: EngineCallOptions): Promise<EngineCalls['define']['response']> {
    if (!this.closing) this.supervisor.keepDefinitions(request);
    const { amendments, define } = defineInPieces(request);
    for (const amendment of amendments) await this.send('amend', amendment, options);
    return this.send('define', define, options);
  }

  private send<K extends ClientCallKind>(
    kind: K,
    request: EngineCalls[K]['request'],
    { body, timeoutMs, signal, traceId, owner }: EngineCallOptions
  ): Promise<EngineCalls[K]['response']> {
    if (this.closing) return Promise.reject(draining());
    if (signal?.aborted) return Promise.reject(toError(signal.reason));
    const call = createPendingCall(kind, request, {
      body,
      timeoutMs: timeoutMs ?? this.defaultTimeoutMs(kind, request),
      traceId,
      owner,
    });
    return this.perform(call, signal) as Promise<EngineCalls[K]['response']>;
  }

  /** Settles with the answer, with an error at the deadline, or with the signal's reason at once. */
  private perform(call: PendingCall, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        call.isSettled = true;
        reject(error);
      };
      const onAbort = (): void => {
        call.flight?.link.cancel(call.flight.call.id);
        fail(toError(signal?.reason));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const endSupervision = superviseDeadline(call, this.deadlineLimits, { fail, endProcess: this.endProcess });
      const work = this.runner
        .run(call)
        .then(resolve, fail)
        .finally(() => {
          call.isSettled = true;
          endSupervision();
          signal?.removeEventListener('abort', onAbort);
          this.active.delete(call);
        });
      this.active.set(call, work);
    });
  }

  private readonly endProcess = (link: CallLink, culprit: PendingCall | null): void => {
    if (culprit?.fingerprint) {
      culprit.verdict = queryTimeout(culprit.timeoutMs);
      this.penalties.refuse(culprit, culprit.verdict);
      this.penalties.blame(culprit, link.inFlight.values(), 'engine_ended');
    } else {
      this.penalties.noteCrash(link.inFlight.values());
    }
    this.settings.logger.warn(
      {
        endpointId: culprit?.endpointId ?? null,
        timeoutMs: culprit?.timeoutMs ?? null,
        token_id: culprit?.owner ?? null,
        trace_id: culprit?.traceId ?? null,
      },
      'the engine process did not stop a call in time and is ended'
    );
    this.supervisor.end(link, 'deadline');
  };

  private async closeOnce(): Promise<void> {
    this.runner.stopRetries();
    const drained = new AbortController();
    if (this.supervisor.link)
      await Promise.race([
        Promise.allSettled(this.active.values()),
        delay(DRAIN_MS, undefined, { signal: drained.signal }).catch(() => undefined),
      ]);
    drained.abort();
    this.stopWatchdog();
    await this.supervisor.close();
    await Promise.allSettled(this.active.values());
  }
}
