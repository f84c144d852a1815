/** An engine link without a process: the test sets the state of each call. */
import { createPendingCall, type CallLink, type PendingCall } from '#server/engine/client/pending-call';
import type { EngineCallKind, RunStage } from '#server/engine/protocol/messages';
import type { InFlightCall } from '#server/engine/client/supervision/engine-link';

export interface FakeLink extends CallLink {
  readonly cancelled: number[];
  readonly inFlight: Map<number, InFlightCall<PendingCall | null>>;
}

export function fakeLink(): FakeLink {
  const cancelled: number[] = [];
  return {
    pid: 1,
    openedAt: performance.now(),
    rssBytes: 0,
    exited: new Promise(() => undefined),
    inFlight: new Map(),
    cancelled,
    send: () => {
      throw new Error('a fake link sends nothing');
    },
    cancel: (id) => cancelled.push(id),
    kill: () => undefined,
  };
}

/** A call in flight on the link. With a stage it is a run that has its place. */
export function putCall(
  link: FakeLink,
  kind: EngineCallKind,
  { timeoutMs = 1000, stage, text = null }: { timeoutMs?: number; stage?: RunStage; text?: string | null } = {}
): { readonly pending: PendingCall; readonly record: InFlightCall<PendingCall | null> } {
  const request = { endpointId: 'e', parameters: {}, adhoc: text === null ? null : { language: 'sql', text } };
  const pending = createPendingCall(kind, request, { timeoutMs });
  const now = performance.now();
  const record: InFlightCall<PendingCall | null> = {
    id: link.inFlight.size + 1,
    kind,
    owner: pending,
    progress: stage ? { startedAt: now, rssAtStart: link.rssBytes, stage, stageAt: now } : null,
    isInterruptConfirmed: false,
  };
  link.inFlight.set(record.id, record);
  pending.flight = { link, call: record };
  return { pending, record };
}
