/** One call of the client, from its creation until the engine has finished it. */
import { ServiceError } from '#contract/errors';
import type { EngineLink, InFlightCall } from './supervision/engine-link';
import type { EngineCallKind, RunRequest } from '../protocol/messages';
import type { WorkKind } from './blame/process-ends';
import { fingerprintOf } from './blame/refusals';
import { queryTimeout, queueTimeout } from '../protocol/timeouts';

/** Maximum processes that one call may end. */
export const MAX_ATTEMPTS = 2;

export type CallLink = EngineLink<PendingCall | null>;

/** Reason in the error of a refused batch. */
export type EndReason = 'engine_ended' | 'memory';

export interface PendingCall {
  readonly kind: EngineCallKind;
  readonly request: unknown;
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** Times of `performance.now()`. */
  readonly createdAt: number;
  readonly deadlineAt: number;
  /** When a process was last asked; null before that. */
  sentAt: number | null;
  /** Fingerprint of a run (see `fingerprintOf`); null for other calls. */
  readonly fingerprint: string | null;
  readonly isAdhoc: boolean;
  /** Id of the token that the call is made for; null for calls without a token. */
  readonly owner: string | null;
  /** Kind of work that a process end counts as for the owner; null: ends are not counted. */
  readonly workKind: WorkKind | null;
  /** For logs: id of the saved query. */
  readonly endpointId: string | null;
  /** For logs: trace id of the request. */
  readonly traceId: string | null;
  /** The process that works on the call; null while the call waits for one. */
  flight: { readonly link: CallLink; readonly call: InFlightCall<PendingCall | null> } | null;
  attempts: number;
  /** True when a process ended while this call was a suspect. */
  wasSuspect: boolean;
  /** Number of such ends for which no call was blamed. */
  unexplainedEnds: number;
  /** Batches only: number of process ends during the call, unless another call was the culprit. */
  batchEnds: number;
  /** True when no other call in flight could be the cause of the last end. */
  wasOnlySuspect: boolean;
  endReason: EndReason;
  /** Error of the call; set when a process was ended because of it. */
  verdict: ServiceError | null;
  /** The caller has its result or error. The engine may still be working. */
  isSettled: boolean;
}

export interface PendingCallOptions {
  readonly body?: Uint8Array;
  readonly timeoutMs: number;
  readonly traceId?: string;
  readonly owner?: string;
}

export function createPendingCall(
  kind: EngineCallKind,
  request: unknown,
  { body, timeoutMs, traceId, owner }: PendingCallOptions
): PendingCall {
  const createdAt = performance.now();
  const query = kind === 'run' ? (request as RunRequest) : null;
  return {
    kind,
    request,
    body,
    timeoutMs,
    createdAt,
    deadlineAt: createdAt + timeoutMs,
    sentAt: null,
    fingerprint: query && fingerprintOf(query),
    isAdhoc: Boolean(query?.adhoc),
    owner: owner ?? null,
    workKind: workKindOf(kind, query),
    endpointId: query?.endpointId ?? null,
    traceId: traceId ?? null,
    flight: null,
    attempts: 0,
    wasSuspect: false,
    unexplainedEnds: 0,
    batchEnds: 0,
    wasOnlySuspect: false,
    endReason: 'engine_ended',
    verdict: null,
    isSettled: false,
  };
}

function workKindOf(kind: EngineCallKind, query: RunRequest | null): WorkKind | null {
  if (kind === 'ingest') return 'batch';
  return kind === 'validate' || query?.adhoc || query?.inline ? 'text' : null;
}

/** Share of its time that a call may lose before it was sent without being short of time. */
const MAX_LOST_SHARE = 1 / 20;

/** Whether the call waited for a process, or was sent again: what it had of its time says nothing about it. */
export function isShortOfTime({ sentAt, createdAt, timeoutMs }: PendingCall): boolean {
  return sentAt !== null && sentAt - createdAt > timeoutMs * MAX_LOST_SHARE;
}

/** When the process has had the whole time of the call. */
export function fullTimeAt(call: PendingCall): number {
  return isShortOfTime(call) && call.sentAt !== null ? call.sentAt + call.timeoutMs : call.deadlineAt;
}

/** Error of a call that lost too much of its time to the restart of a process. */
export function interrupted(): ServiceError {
  return unavailable('The store was started again during this call, which left it too little time.', 1);
}

/**
 * Error of a call that passed its deadline. A run that never had its permit gets `overloaded`, since it spent its time
 * in the queue.
 */
export function overdueError(call: PendingCall): ServiceError {
  if (call.kind !== 'run' || !call.flight) return unavailable('The store did not answer in time.', 1);
  if (isShortOfTime(call)) return interrupted();
  return call.flight.call.progress ? queryTimeout(call.timeoutMs) : queueTimeout();
}

export function unavailable(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('backend_unavailable', message, { retry_after_seconds: retryAfterSeconds });
}

/** The reason names files of the server: the log and the readiness have it, for the operator. */
export function notStarted(retryAfterSeconds: number): ServiceError {
  return new ServiceError('backend_unavailable', 'The store cannot be started.', {
    retry_after_seconds: retryAfterSeconds,
    hint: 'try again later; the operator finds the reason in the log and at /health/ready',
  });
}

/** Error of a call while the client closes. */
export function draining(): ServiceError {
  return new ServiceError('draining', 'The service is shutting down.');
}
