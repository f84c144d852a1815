/** One call of the client, from its making to the engine's last word about it. */
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/query';
import type { EngineLink, InFlightCall } from './engine-link';
import type { EngineCallKind } from './messages';
import type { EndReason } from './penalties';
import type { WorkKind } from './process-ends';
import { fingerprintOf } from './refusals';
import { queryTimeout, queueTimeout } from './timeouts';

export type CallLink = EngineLink<PendingCall | null>;

export interface PendingCall {
  readonly kind: EngineCallKind;
  readonly request: unknown;
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** Times of `performance.now()`. */
  readonly createdAt: number;
  readonly deadlineAt: number;
  /** Runs only: see `fingerprintOf`. */
  readonly fingerprint: string | null;
  readonly isAdhoc: boolean;
  /** Id of the token it was made for; null where no token is known. */
  readonly owner: string | null;
  /** What its end of a process counts as for the owner; null: it is not counted. */
  readonly workKind: WorkKind | null;
  /** For logs: names the run without its text. */
  readonly endpointId: string | null;
  /** For logs: the request it was made for. */
  readonly traceId: string | null;
  /** Where it is being worked on; null while it waits for a process. */
  flight: { readonly link: CallLink; readonly call: InFlightCall<PendingCall | null> } | null;
  attempts: number;
  /** A process ended while this was one of the possible reasons. */
  wasSuspect: boolean;
  /** Such ends that no call was blamed for. */
  unexplainedEnds: number;
  /** Batches only: ends of processes under it, unless another call was to blame. */
  batchEnds: number;
  /** At the last of them nothing else was under way that could be the reason. */
  wasOnlySuspect: boolean;
  endReason: EndReason;
  /** Set when a process was ended because of this call. */
  verdict: ServiceError | null;
  /** The caller has its answer. The engine may still be at work. */
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
  const query = kind === 'run' ? (request as QueryRequest) : null;
  return {
    kind,
    request,
    body,
    timeoutMs,
    createdAt,
    deadlineAt: createdAt + timeoutMs,
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

function workKindOf(kind: EngineCallKind, query: QueryRequest | null): WorkKind | null {
  if (kind === 'ingest') return 'batch';
  return kind === 'validate' || query?.adhoc ? 'text' : null;
}

/** The words for a call whose time is up. A run that never had its turn is not the run's own fault. */
export function overdueError(call: PendingCall): ServiceError {
  if (call.kind !== 'run' || !call.flight) return unavailable('The store did not answer in time.', 1);
  return call.flight.call.progress ? queryTimeout(call.timeoutMs) : queueTimeout();
}

export function unavailable(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('backend_unavailable', message, { retry_after_seconds: retryAfterSeconds });
}
