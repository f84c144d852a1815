/**
 * Sends a call to the engine until it is answered. A call whose process ended is sent again, as often as its kind
 * allows; batches that ended several processes are refused and set aside.
 */
import { ServiceError } from '#contract/errors';
import type { QueryResult } from '#contract/queries/result';
import type { LinkOutcome } from './supervision/engine-link';
import type { EngineLogger, EngineSupervisor } from './supervision/engine-supervisor';
import type { AnswerValue } from '../protocol/messages';
import type { Penalties } from './blame/penalties';
import {
  type CallLink,
  draining,
  interrupted,
  isShortOfTime,
  MAX_ATTEMPTS,
  overdueError,
  type PendingCall,
  unavailable,
} from './pending-call';
import { keepBatch, refusedBatch } from './blame/refused-batch';
import { createRetryGate } from './retry-gate';
import { queryTimeout } from '../protocol/timeouts';

export interface CallRunnerSettings {
  readonly supervisor: Pick<EngineSupervisor, 'ready' | 'retryAfterSeconds'>;
  readonly penalties: Penalties;
  readonly logger: EngineLogger;
  /** Folder in which refused batches are kept. */
  readonly refusedBatchesDir: string;
}

/** Maximum process ends of a batch that was not the only suspect at the last of them. */
const MAX_BATCH_ENDS = 4;
/** How long a retried batch may keep other batches and texts waiting. */
const ALONE_MS = 10_000;

export class CallRunner {
  private readonly gate = createRetryGate();
  private areRetriesStopped = false;

  constructor(private readonly settings: CallRunnerSettings) {}

  /**
   * Continues after the caller has left, until the engine has answered. @returns the response; undefined when the
   * call was settled before it was sent
   * @throws ServiceError of the engine, or because of ended processes
   */
  async run(call: PendingCall): Promise<unknown> {
    const { penalties } = this.settings;
    for (;;) {
      const endTurn = await this.takeTurn(call);
      try {
        penalties.ensureAllowed(call);
        const link = await this.linkFor(call);
        if (call.isSettled) return undefined;
        const sentAt = performance.now();
        const timer = setTimeout(endTurn, ALONE_MS);
        const outcome = await this.attempt(call, link, sentAt).finally(() => clearTimeout(timer));
        if (outcome.kind === 'value') return responseOf(call, outcome, sentAt);
        if (outcome.kind === 'error') throw answeredError(call, outcome.error);
        this.ensureRetry(call, outcome.runners);
      } finally {
        endTurn();
      }
    }
  }

  /** From now on, calls whose process ends fail with `draining`. */
  stopRetries(): void {
    this.areRetriesStopped = true;
  }

  private takeTurn(call: PendingCall): Promise<() => void> {
    if (call.batchEnds > 0) return this.gate.enterBatch();
    if (call.workKind === 'text' && call.unexplainedEnds > 0) return this.gate.enterText();
    return Promise.resolve(() => undefined);
  }

  /** Returns a process that takes calls. Retried batches go before other batches, texts, and retried runs. */
  private async linkFor(call: PendingCall): Promise<CallLink> {
    const { supervisor } = this.settings;
    const givesWay = call.batchEnds === 0 && (call.workKind !== null || call.attempts > 0);
    if (!givesWay) return supervisor.ready();
    for (;;) {
      await this.gate.settled();
      const link = await supervisor.ready();
      if (this.gate.isSettled) return link;
    }
  }

  private attempt(call: PendingCall, link: CallLink, now: number): Promise<LinkOutcome> {
    const { kind, request, body } = call;
    const timeoutMs = Math.max(1, Math.round(call.deadlineAt - now));
    const { call: record, outcome } = link.send({ kind, request, body, timeoutMs, owner: call });
    call.attempts += 1;
    call.sentAt = now;
    call.flight = { link, call: record };
    return outcome;
  }

  /** Called when the process has ended during the call. @throws ServiceError unless the call is to be retried. */
  private ensureRetry(call: PendingCall, runners: number): void {
    if (call.verdict) throw call.verdict;
    if (this.areRetriesStopped) throw draining();
    if (performance.now() >= call.deadlineAt) throw overdueError(call);
    call.flight = null;
    if (call.kind === 'ingest') return this.ensureBatchRetry(call);
    if (call.attempts < MAX_ATTEMPTS) return;
    const { supervisor, penalties } = this.settings;
    const error = unavailable('The store was interrupted twice during this call.', supervisor.retryAfterSeconds());
    if (runners === 1) penalties.refuse(call, error);
    throw error;
  }

  private ensureBatchRetry(call: PendingCall): void {
    if (call.batchEnds < MAX_ATTEMPTS || (!call.wasOnlySuspect && call.batchEnds < MAX_BATCH_ENDS)) return;
    void keepBatch(call, this.settings.refusedBatchesDir, this.settings.logger);
    throw refusedBatch(call);
  }
}

function responseOf(call: PendingCall, outcome: LinkOutcome & { kind: 'value' }, sentAt: number): unknown {
  if (call.kind !== 'run') return outcome.value;
  const facts = outcome.value as AnswerValue<'run'>;
  const queueMs = facts.timings.queueMs + (sentAt - call.createdAt);
  const result: QueryResult = { ...facts, bytes: outcome.body, timings: { ...facts.timings, queueMs } };
  return result;
}

/** Replaces the timeout in the engine's error, which is the remaining time, by the whole timeout of the call. */
function answeredError(call: PendingCall, body: Parameters<typeof ServiceError.fromBody>[0]): ServiceError {
  if (body.code !== 'query_timeout') return ServiceError.fromBody(body);
  return isShortOfTime(call) ? interrupted() : queryTimeout(call.timeoutMs);
}
