/** What follows for calls and tokens when an engine process has ended because of their work. */
import type { ServiceError } from '#contract/errors';
import type { EngineLogger } from './engine-supervisor';
import type { InFlightCall } from './engine-link';
import { crashSuspects } from './culprits';
import type { PendingCall } from './pending-call';
import { createProcessEnds } from './process-ends';
import { createRefusals } from './refusals';

type SentCall = InFlightCall<PendingCall | null>;

export interface Penalties {
  /** @throws ServiceError when this text, or this kind of work of the token, is refused for a while */
  ensureAllowed(call: PendingCall): void;
  /** The run ends with this error, and is refused with it for a while. */
  refuse(call: PendingCall, error: ServiceError): void;
  /** The process is ended because of this call. @param calls all that were under way */
  blame(call: PendingCall, calls: Iterable<SentCall>, reason: EndReason): void;
  /** The process ended, and nothing but what was under way says why. */
  noteCrash(calls: Iterable<SentCall>): void;
}

/** The reason in the answer to a batch that is refused for it. */
export type EndReason = 'engine_ended' | 'memory';

/** @param refusalMs for how long calls are refused, and within which the ends of one token are counted */
export function createPenalties(refusalMs: number, logger: EngineLogger): Penalties {
  const now = (): number => performance.now();
  const refusals = createRefusals(refusalMs, now);
  const processEnds = createProcessEnds(refusalMs, now);

  /** Ends without a culprit count, too: the call was under way at each of them. */
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
      // A batch that is sent to the engine again has its own bound.
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
