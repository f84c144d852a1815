/** Calls over one engine process: matches replies to calls, and tracks the progress of each running call. */
import type { ErrorBody } from '#contract/errors';
import { type EngineProcess, type EngineProgram, spawnEngineProcess } from './engine-process';
import type { Frame } from './frames';
import type { EngineAnswer, EngineCallHeader, EngineCallKind, EngineNotice, RunStage } from './messages';

export type LinkOutcome =
  | { readonly kind: 'value'; readonly value: unknown; readonly body: Uint8Array }
  | { readonly kind: 'error'; readonly error: ErrorBody }
  /** The process ended before it replied; `runners` is the number of runs that had a permit then. */
  | { readonly kind: 'gone'; readonly runners: number };

/** What the engine has reported about a call in flight. Times are of `performance.now()`. */
export interface InFlightCall<T = unknown> {
  readonly id: number;
  readonly kind: EngineCallKind;
  /** Value of the sender, by which it recognizes the call. */
  readonly owner: T;
  /** Null until a run has its permit. */
  progress: RunProgress | null;
  /** The engine has confirmed an interrupt, so its thread is not blocked. */
  isInterruptConfirmed: boolean;
}

export interface RunProgress {
  readonly startedAt: number;
  readonly rssAtStart: number;
  readonly stage: RunStage;
  readonly stageAt: number;
}

export interface LinkRequest<T> {
  readonly kind: EngineCallKind;
  readonly request: unknown;
  readonly body?: Uint8Array;
  readonly timeoutMs: number | null;
  readonly owner: T;
}

export interface EngineLink<T> {
  readonly pid: number;
  readonly openedAt: number;
  /** Resident memory at the last sample. */
  rssBytes: number;
  /** Resolves when the process has ended, with its exit code, signal or start error. */
  readonly exited: Promise<string>;
  readonly inFlight: ReadonlyMap<number, InFlightCall<T>>;
  /** @returns the call's record, and its outcome, which always settles. */
  send(request: LinkRequest<T>): { readonly call: InFlightCall<T>; readonly outcome: Promise<LinkOutcome> };
  cancel(id: number): void;
  kill(): void;
}

export interface EngineLinkEvents<T> {
  /** Called before any call learns that the process has ended, so that none is sent to it again. */
  onEnd(): void;
  /** Reports an unexpected failure in the engine. */
  onUnexpected(call: string, stack: string, owner: T | undefined): void;
  onProblem(message: string, stack: string): void;
}

export function openEngineLink<T>(program: EngineProgram, events: EngineLinkEvents<T>): EngineLink<T> {
  const inFlight = new Map<number, InFlightCall<T>>();
  const settlers = new Map<number, (outcome: LinkOutcome) => void>();
  let lastId = 0;
  let hasEnded = false;
  let resolveExited: (how: string) => void = () => undefined;
  const exited = new Promise<string>((resolve) => (resolveExited = resolve));

  const child: EngineProcess = spawnEngineProcess(program, { onFrame: receive, onExit: end });
  const link: EngineLink<T> = {
    pid: child.pid,
    openedAt: performance.now(),
    rssBytes: 0,
    exited,
    inFlight,
    send,
    cancel: (id) => child.send({ id, kind: 'cancel' }),
    kill: () => child.kill(),
  };
  return link;

  function send({ kind, request, body, timeoutMs, owner }: LinkRequest<T>) {
    const id = (lastId += 1);
    const call: InFlightCall<T> = { id, kind, owner, progress: null, isInterruptConfirmed: false };
    const outcome = new Promise<LinkOutcome>((resolve) => {
      if (hasEnded) return resolve({ kind: 'gone', runners: 0 });
      inFlight.set(id, call);
      settlers.set(id, resolve);
      const header: EngineCallHeader = { id, kind, request, timeoutMs };
      child.send(header, body);
    });
    return { call, outcome };
  }

  function receive({ header, body }: Frame): void {
    const message = header as EngineAnswer | EngineNotice;
    if ('notice' in message) note(message);
    else if (message.ok) settle(message.id, { kind: 'value', value: message.value, body });
    else settle(message.id, { kind: 'error', error: message.error });
  }

  function note(notice: EngineNotice): void {
    switch (notice.notice) {
      case 'stage': {
        const call = inFlight.get(notice.id);
        const now = performance.now();
        const { startedAt, rssAtStart } = call?.progress ?? { startedAt: now, rssAtStart: link.rssBytes };
        if (call) call.progress = { startedAt, rssAtStart, stage: notice.stage, stageAt: now };
        return;
      }
      case 'cancelling': {
        const call = inFlight.get(notice.id);
        if (call) call.isInterruptConfirmed = true;
        return;
      }
      case 'rss':
        link.rssBytes = notice.bytes;
        return;
      case 'unexpected':
        events.onUnexpected(notice.call, notice.stack, inFlight.get(notice.id)?.owner);
        return;
      case 'problem':
        events.onProblem(notice.message, notice.stack);
    }
  }

  function settle(id: number, outcome: LinkOutcome): void {
    const resolve = settlers.get(id);
    settlers.delete(id);
    inFlight.delete(id);
    resolve?.(outcome);
  }

  function end(how: string): void {
    hasEnded = true;
    events.onEnd();
    const runners = [...inFlight.values()].filter(({ progress }) => progress !== null).length;
    for (const id of [...settlers.keys()]) settle(id, { kind: 'gone', runners });
    resolveExited(how);
  }
}
