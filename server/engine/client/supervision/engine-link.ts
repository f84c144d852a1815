/** Calls over one engine process: matches replies to calls, and tracks the progress of each running call. */
import type { ErrorBody } from '#contract/errors';
import { type EngineProcess, type EngineProgram, spawnEngineProcess } from './engine-process';
import type { Frame } from '../../protocol/frames';
import type { RefusedFields } from '../../../stores/store';
import type { EngineAnswer, EngineCallKind, EngineNotice, RunStage } from '../../protocol/messages';

export type LinkOutcome =
  | { readonly kind: 'value'; readonly value: unknown; readonly body: Uint8Array }
  | { readonly kind: 'error'; readonly error: ErrorBody }
  /**
   * The process ended, or closed its store, before it replied; `runners` is the number of runs that had a permit then.
   */
  | { readonly kind: 'exited'; readonly runners: number };

const INTERRUPTED: LinkOutcome = { kind: 'exited', runners: 0 };

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
  readonly kill: () => void;
}

export interface EngineLinkEvents<T> {
  /** Called before any call learns that the process has ended, so that none is sent to it again. */
  onEnd(): void;
  /** Reports an unexpected failure in the engine. */
  onUnexpected(call: string, stack: string, owner: T | undefined): void;
  /** Reports the cause of a call that the store failed to answer. */
  onStoreFailure(call: string, cause: string, owner: T | undefined): void;
  onProblem(message: string, stack: string): void;
  onRefusedFields(refused: RefusedFields): void;
}

/** Starts the process. */
export function openEngineLink<T>(program: EngineProgram, events: EngineLinkEvents<T>): EngineLink<T> {
  return new ProcessLink(program, events);
}

class ProcessLink<T> implements EngineLink<T> {
  readonly openedAt: number;
  rssBytes = 0;
  readonly exited: Promise<string>;
  readonly inFlight = new Map<number, InFlightCall<T>>();
  /** Resolves the outcome of each call in flight. */
  private readonly settlers = new Map<number, (outcome: LinkOutcome) => void>();
  private readonly child: EngineProcess;
  private lastId = 0;
  /** Id of the call that closes the store; null before it. */
  private closeId: number | null = null;
  private hasExited = false;
  private resolveExited: (how: string) => void = () => undefined;

  constructor(
    program: EngineProgram,
    private readonly events: EngineLinkEvents<T>
  ) {
    this.exited = new Promise<string>((resolve) => (this.resolveExited = resolve));
    this.child = spawnEngineProcess(program, {
      onFrame: (frame) => this.onFrame(frame),
      onExit: (how) => this.onExit(how),
    });
    this.openedAt = performance.now();
  }

  get pid(): number {
    return this.child.pid;
  }

  send({ kind, request, body, timeoutMs, owner }: LinkRequest<T>) {
    const id = (this.lastId += 1);
    // Nothing keeps it waiting; the engine reports if something does.
    const isAlone = kind === 'run' && this.inFlight.size === 0;
    const progress = isAlone ? this.progressAt('plan', null) : null;
    const call: InFlightCall<T> = { id, kind, owner, progress, isInterruptConfirmed: false };
    const outcome = new Promise<LinkOutcome>((resolve) => {
      if (this.hasExited) return resolve({ kind: 'exited', runners: 0 });
      // First: a call that is too large for a frame is not sent.
      this.child.send({ id, kind, request, timeoutMs, ...(isAlone && { isAlone }) }, body);
      this.inFlight.set(id, call);
      this.settlers.set(id, resolve);
      if (kind === 'close') this.closeId = id;
    });
    return { call, outcome };
  }

  cancel(id: number): void {
    this.child.send({ id, kind: 'cancel' });
  }

  kill(): void {
    this.child.kill();
  }

  private onFrame({ header, body }: Frame): void {
    const message = header as EngineAnswer | EngineNotice;
    if ('notice' in message) this.onNotice(message);
    else if (message.ok) this.settle(message.id, { kind: 'value', value: message.value, body });
    else
      this.settle(message.id, this.isInterrupted(message.id) ? INTERRUPTED : { kind: 'error', error: message.error });
  }

  /** A store that is closed interrupts what still runs: that such a call failed is not its own error. */
  private isInterrupted(id: number): boolean {
    return this.closeId !== null && this.closeId !== id;
  }

  private onNotice(notice: EngineNotice): void {
    switch (notice.notice) {
      case 'stages':
        for (const { id, stage } of notice.changes) this.onStage(id, stage);
        return;
      case 'cancelling': {
        const call = this.inFlight.get(notice.id);
        if (call) call.isInterruptConfirmed = true;
        return;
      }
      case 'rss':
        this.rssBytes = notice.bytes;
        return;
      case 'unexpected':
        return this.events.onUnexpected(notice.call, notice.stack, this.inFlight.get(notice.id)?.owner);
      case 'store_failure':
        return this.events.onStoreFailure(notice.call, notice.cause, this.inFlight.get(notice.id)?.owner);
      case 'refused_fields':
        return this.events.onRefusedFields(notice.refused);
      case 'problem':
        this.events.onProblem(notice.message, notice.stack);
    }
  }

  private onStage(id: number, stage: RunStage | 'queue'): void {
    const call = this.inFlight.get(id);
    if (call) call.progress = stage === 'queue' ? null : this.progressAt(stage, call.progress);
  }

  private progressAt(stage: RunStage, former: RunProgress | null): RunProgress {
    const stageAt = performance.now();
    const { startedAt, rssAtStart } = former ?? { startedAt: stageAt, rssAtStart: this.rssBytes };
    return { startedAt, rssAtStart, stage, stageAt };
  }

  private settle(id: number, outcome: LinkOutcome): void {
    const resolve = this.settlers.get(id);
    this.settlers.delete(id);
    this.inFlight.delete(id);
    resolve?.(outcome);
  }

  private onExit(how: string): void {
    this.hasExited = true;
    this.events.onEnd();
    const runners = [...this.inFlight.values()].filter(({ progress }) => progress !== null).length;
    for (const id of [...this.settlers.keys()]) this.settle(id, { kind: 'exited', runners });
    this.resolveExited(how);
  }
}
