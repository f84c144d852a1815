/** Consequences for calls and tokens whose work ended an engine process. */
import type { ServiceError } from '#contract/errors';
import type { EngineLogger } from '../supervision/engine-supervisor';
import type { InFlightCall } from '../supervision/engine-link';
import { crashSuspects } from './culprits';
import type { EndReason, PendingCall } from '../pending-call';
import { createProcessEnds } from './process-ends';
import { createRefusals } from './refusals';

type SentCall = InFlightCall<PendingCall | null>;

export interface Penalties {
  /** @throws ServiceError when this text, or this kind of work of the token, is refused at present */
  ensureAllowed(call: PendingCall): void;
  /** Refuses the same request with this error for a while. */
  refuse(call: PendingCall, error: ServiceError): void;
  /** Records that the process is ended because of this call. @param calls all calls in flight */
  blame(call: PendingCall, calls: Iterable<SentCall>, reason: EndReason): void;
  /** Records that the process ended by itself: any call in flight may be the cause. */
  noteCrash(calls: Iterable<SentCall>): void;
}

/** @param refusalMs how long calls are refused, and the window in which the ends of one token are counted */
export function createPenalties(refusalMs: number, logger: EngineLogger): Penalties {
  const now = (): number => performance.now();
  const refusals = createRefusals(refusalMs, now);
  const processEnds = createProcessEnds(refusalMs, now);

  /** Counts this end and the earlier ends without a culprit: the call was in flight at each of them. */
  function count(call: PendingCall): void {
    const { owner, workKind } = call;
    if (owner === null || workKind === null) return;
    let ends = 0;
    for (let left = call.unexplainedEnds + 1; left > 0; left -= 1) ends = processEnds.add(owner, workKind);
    call.unexplainedEnds = 0;
    logger.warn(
      { token_id: owner, kind: call.kind, endpointId: call.endpointId, ends, trace_id: call.traceId },
      'work of this token ended the engine process'
    );
  }

  return {
    ensureAllowed(call) {
      // The retries of a batch have their own limit.
      if (call.owner !== null && call.workKind !== null && !(call.workKind === 'batch' && call.attempts > 0))
        processEnds.ensureAllowed(call.owner, call.workKind);
      if (call.fingerprint) refusals.ensureAllowed(call.fingerprint);
    },
    refuse(call, error) {
      if (call.fingerprint) refusals.add(call.fingerprint, error);
    },
    blame(call, calls, reason) {
      if (call.kind === 'ingest') noteBatchEnd(call, [...calls], reason);
      count(call);
    },
    noteCrash(underWay) {
      const calls = [...underWay];
      for (const { owner, kind } of calls) if (owner && kind === 'ingest') noteBatchEnd(owner, calls, 'engine_ended');
      const suspects = crashSuspects(calls, ({ owner }) => ({
        isText: owner?.workKind === 'text',
        isRepeated: owner?.wasSuspect ?? false,
      })).flatMap(({ owner }) => owner ?? []);
      const [first] = suspects;
      const isOne = suspects.every(({ owner, workKind }) => owner === first?.owner && workKind === first.workKind);
      if (first && isOne) count(suspects.reduce((a, b) => (b.unexplainedEnds > a.unexplainedEnds ? b : a)));
      else for (const suspect of suspects) suspect.unexplainedEnds += 1;
      for (const suspect of suspects) suspect.wasSuspect = true;
    },
  };
}

function noteBatchEnd(batch: PendingCall, calls: readonly SentCall[], reason: EndReason): void {
  batch.batchEnds += 1;
  batch.endReason = reason;
  batch.wasOnlySuspect = !calls.some(
    ({ owner, kind, progress }) => owner !== batch && (progress !== null || kind === 'ingest' || kind === 'validate')
  );
}
