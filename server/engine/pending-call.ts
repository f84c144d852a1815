/** One call of the client, from its making to the engine's last word about it. */
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/query';
import type { EngineLink, InFlightCall } from './engine-link';
import type { EngineCallKind } from './messages';
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
  /** For logs: names the run without its text. */
  readonly endpointId: string | null;
  /** For logs: the request it was made for. */
  readonly traceId: string | null;
  /** Where it is being worked on; null while it waits for a process. */
  flight: { readonly link: CallLink; readonly call: InFlightCall<PendingCall | null> } | null;
  attempts: number;
  /** Processes ended for memory while this was the only suspect and no run. */
  memoryStrikes: number;
  /** Set when a process was ended because of this call. */
  verdict: ServiceError | null;
  /** The caller has its answer. The engine may still be at work. */
  isSettled: boolean;
}

export function createPendingCall(
  kind: EngineCallKind,
  request: unknown,
  { body, timeoutMs, traceId }: { readonly body?: Uint8Array; readonly timeoutMs: number; readonly traceId?: string }
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
    endpointId: query?.endpointId ?? null,
    traceId: traceId ?? null,
    flight: null,
    attempts: 0,
    memoryStrikes: 0,
    verdict: null,
    isSettled: false,
  };
}

/** The words for a call whose time is up. A run that never had its turn is not the run's own fault. */
export function overdueError(call: PendingCall): ServiceError {
  if (call.kind !== 'run' || !call.flight) return unavailable('The store did not answer in time.', 1);
  return call.flight.call.progress ? queryTimeout(call.timeoutMs) : queueTimeout();
}

export function unavailable(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('backend_unavailable', message, { retry_after_seconds: retryAfterSeconds });
}
