/**
 * The server's client of the engine process. Every call settles, even when the process ends: with its result, with an
 * error of the engine, or with `query_timeout`, `resource_limit` or `backend_unavailable`.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/query';
import type { QueryResult } from '#contract/result';
import { type DeadlineLimits, superviseDeadline } from './deadline';
import { EngineSupervisor, type EngineLogger, type RestartCause } from './engine-supervisor';
import type { LinkOutcome } from './engine-link';
import { startMemoryWatchdog } from './memory-watchdog';
import type { AnswerValue, EngineCallKind, EngineCalls, EngineOptions, EngineStatus } from './messages';
import { createPenalties } from './penalties';
import { type CallLink, createPendingCall, overdueError, type PendingCall, unavailable } from './pending-call';
import { keepBatch, refusedBatch } from './refused-batch';
import { createRetryGate } from './retry-gate';
import { queryTimeout } from './timeouts';

export type { EngineLogger, RestartCause } from './engine-supervisor';

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
   * restart.
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
   * Sends a call. `define` replaces all definitions and is sent again to each new process. `run` returns the encoded
   * bytes; `ingest` is retried after process ends, without other batches in parallel; a batch that ends two processes
   * is refused. Other calls are retried once.
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
   * Reopens the store with other sources and the definitions that go with them. Calls wait meanwhile and continue in
   * the new process. When a definition does not compile, nothing changes.
   * @throws ServiceError when the store cannot be opened with them; nothing changes
   */
  reopen(
    sources: EngineOptions['sources'],
    definitions: EngineCalls['define']['request']
  ): Promise<EngineCalls['define']['response']>;

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
  /** Resident memory at which the process is ended: memory of the store and of the process's own rows and code. */
  readonly rssBudgetMb: number;
  /** Script of the process. @default `main.js` beside this file */
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
/** Maximum processes that one call may end. */
const MAX_ATTEMPTS = 2;
/** Maximum process ends of a batch that was not the only suspect at the last of them. */
const MAX_BATCH_ENDS = 4;
/** How long a retried batch may keep other batches and texts waiting. */
const ALONE_MS = 10_000;

export function createEngineClient(settings: EngineClientSettings): EngineClient {
  const { logger, defaultTimeoutMs = 60_000 } = settings;
  const deadlineLimits: DeadlineLimits = {
    graceMs: settings.graceMs ?? 300,
    stallMs: settings.stallMs ?? 3000,
    stuckMs: STUCK_MS,
  };
  const supervisor = new EngineSupervisor({
    engine: settings.engine,
    logger,
    script: settings.script ?? path.join(__dirname, 'main.js'),
    openTimeoutMs: settings.openTimeoutMs ?? 120_000,
    onCrash: (calls) => penalties.noteCrash(calls),
  });
  const penalties = createPenalties(settings.refusalMs ?? 60_000, logger);
  const gate = createRetryGate();
  const active = new Map<PendingCall, Promise<unknown>>();
  let stopWatchdog = (): void => undefined;
  let closing: Promise<void> | null = null;

  return {
    async start() {
      const status = await supervisor.start();
      stopWatchdog = startMemoryWatchdog({
        keeper: supervisor,
        penalties,
        logger,
        budgetBytes: settings.rssBudgetMb * 1024 * 1024,
      });
      return status;
    },
    call,
    reopen: async (sources, definitions) => ({
      failures: await supervisor.reopen({ ...settings.engine, sources }, definitions),
    }),
    health,
    onRestart: (listener) => supervisor.onRestart(listener),
    close: () => (closing ??= close()),
  };

  function call<K extends ClientCallKind>(
    kind: K,
    request: EngineCalls[K]['request'],
    { body, timeoutMs, signal, traceId, owner }: EngineCallOptions = {}
  ): Promise<EngineCalls[K]['response']> {
    if (closing) return Promise.reject(draining());
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const ownTimeoutMs = kind === 'run' ? (request as QueryRequest).timeoutMs : defaultTimeoutMs;
    const pending = createPendingCall(kind, request, { body, timeoutMs: timeoutMs ?? ownTimeoutMs, traceId, owner });
    if (kind === 'define') supervisor.keepDefinitions(request as EngineCalls['define']['request']);

    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        pending.isSettled = true;
        reject(error);
      };
      const leave = (): void => {
        if (pending.flight) pending.flight.link.cancel(pending.flight.call.id);
        fail(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      const endSupervision = superviseDeadline(pending, deadlineLimits, { fail, endProcess });
      const work = perform(pending)
        .then((answer) => resolve(answer as EngineCalls[K]['response']), fail)
        .finally(() => {
          pending.isSettled = true;
          endSupervision();
          signal?.removeEventListener('abort', leave);
          active.delete(pending);
        });
      active.set(pending, work);
    });
  }

  /** Continues after the caller has left, until the engine has answered. */
  async function perform(call: PendingCall): Promise<unknown> {
    for (;;) {
      const endTurn = await takeTurn(call);
      try {
        penalties.ensureAllowed(call);
        const link = await linkFor(call);
        if (call.isSettled) return undefined;
        const sentAt = performance.now();
        const timer = setTimeout(endTurn, ALONE_MS);
        const outcome = await attempt(call, link, sentAt).finally(() => clearTimeout(timer));
        if (outcome.kind === 'value') return response(call, outcome, sentAt);
        if (outcome.kind === 'error') throw answeredError(call, outcome.error);
        ensureRetry(call, outcome.runners);
      } finally {
        endTurn();
      }
    }
  }

  function takeTurn(call: PendingCall): Promise<() => void> {
    if (call.batchEnds > 0) return gate.enterBatch();
    if (call.workKind === 'text' && call.unexplainedEnds > 0) return gate.enterText();
    return Promise.resolve(() => undefined);
  }

  /** Returns a process that takes calls. Retried batches go before other batches, texts, and retried runs. */
  async function linkFor(call: PendingCall): Promise<CallLink> {
    const givesWay = call.batchEnds === 0 && (call.workKind !== null || call.attempts > 0);
    if (!givesWay) return supervisor.ready();
    for (;;) {
      await gate.settled();
      const link = await supervisor.ready();
      if (gate.isSettled) return link;
    }
  }

  function attempt(call: PendingCall, link: CallLink, now: number): Promise<LinkOutcome> {
    const { kind, request, body } = call;
    const timeoutMs = Math.max(1, Math.round(call.deadlineAt - now));
    const { call: record, outcome } = link.send({ kind, request, body, timeoutMs, owner: call });
    call.attempts += 1;
    call.flight = { link, call: record };
    return outcome;
  }

  /** Called when the process has ended during the call. @throws ServiceError unless the call is to be retried. */
  function ensureRetry(call: PendingCall, runners: number): void {
    if (call.verdict) throw call.verdict;
    if (closing) throw draining();
    if (performance.now() >= call.deadlineAt) throw overdueError(call);
    call.flight = null;
    if (call.kind === 'ingest') return ensureBatchRetry(call);
    if (call.attempts < MAX_ATTEMPTS) return;
    const error = unavailable('The store was interrupted twice during this call.', supervisor.retryAfterSeconds());
    if (runners === 1) penalties.refuse(call, error);
    throw error;
  }

  function ensureBatchRetry(call: PendingCall): void {
    if (call.batchEnds < MAX_ATTEMPTS || (!call.wasOnlySuspect && call.batchEnds < MAX_BATCH_ENDS)) return;
    void keepBatch(call, path.join(settings.engine.dataDir, 'journal'), logger);
    throw refusedBatch(call);
  }

  function endProcess(link: CallLink, culprit: PendingCall | null): void {
    if (culprit?.fingerprint) {
      culprit.verdict = queryTimeout(culprit.timeoutMs);
      penalties.refuse(culprit, culprit.verdict);
      penalties.blame(culprit, link.inFlight.values(), 'engine_ended');
    } else {
      penalties.noteCrash(link.inFlight.values());
    }
    logger.warn(
      {
        endpointId: culprit?.endpointId ?? null,
        timeoutMs: culprit?.timeoutMs ?? null,
        token_id: culprit?.owner ?? null,
        trace_id: culprit?.traceId ?? null,
      },
      'the engine process did not stop a call in time and is ended'
    );
    supervisor.end(link, 'deadline');
  }

  function health(): EngineHealth {
    const inFlight = [...active.keys()].filter(({ flight }) => flight !== null).length;
    const reason = supervisor.notReadyReason;
    const { isRestarting } = supervisor;
    return {
      ready: supervisor.link !== null || supervisor.isReopening || isRestarting,
      isRestarting,
      ...(reason === undefined ? {} : { reason }),
      restarts: supervisor.restarts,
      kills: { ...supervisor.kills },
      inFlight,
      waiting: active.size - inFlight,
      rssBytes: supervisor.link?.rssBytes ?? 0,
    };
  }

  async function close(): Promise<void> {
    const drained = new AbortController();
    if (supervisor.link)
      await Promise.race([
        Promise.allSettled(active.values()),
        delay(DRAIN_MS, undefined, { signal: drained.signal }).catch(() => undefined),
      ]);
    drained.abort();
    stopWatchdog();
    await supervisor.close();
    await Promise.allSettled(active.values());
  }
}

function response(call: PendingCall, outcome: LinkOutcome & { kind: 'value' }, sentAt: number): unknown {
  if (call.kind !== 'run') return outcome.value;
  const facts = outcome.value as AnswerValue<'run'>;
  const queueMs = facts.timings.queueMs + (sentAt - call.createdAt);
  const result: QueryResult = { ...facts, bytes: outcome.body, timings: { ...facts.timings, queueMs } };
  return result;
}

/** Replaces the timeout in the engine's error, which is the remaining time, by the whole timeout of the call. */
function answeredError(call: PendingCall, body: Parameters<typeof ServiceError.fromBody>[0]): ServiceError {
  return body.code === 'query_timeout' ? queryTimeout(call.timeoutMs) : ServiceError.fromBody(body);
}

function draining(): ServiceError {
  return new ServiceError('draining', 'The service is shutting down.');
}
