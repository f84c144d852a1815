/** A call that the engine works on: its interrupt, its timeout, and its stage, which decides the error of a timeout. */
import type { ServiceError } from '#contract/errors';
import type { EngineCallHeader, RunStage } from '../protocol/messages';
import { queryTimeout, queueTimeout } from '../protocol/timeouts';

export class RunningCall {
  private readonly abort = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;
  private stage: 'queue' | RunStage = 'queue';

  constructor(readonly header: EngineCallHeader) {
    const { timeoutMs } = header;
    if (timeoutMs !== null) this.timer = setTimeout(() => this.interrupt(), timeoutMs);
  }

  /** Aborts when the call is interrupted; the reason is the ServiceError of the reply. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  enter(stage: RunStage): void {
    this.stage = stage;
  }

  interrupt(): void {
    this.abort.abort(this.timeoutError());
  }

  /**
   * Error to reply with. After an interrupt of a run it is the reason of the interrupt, because the store's error is
   * only a consequence.
   */
  causeOf(error: unknown): unknown {
    return this.signal.aborted && this.header.kind === 'run' ? this.signal.reason : error;
  }

  /** Stops the timeout. */
  end(): void {
    clearTimeout(this.timer);
  }

  private timeoutError(): ServiceError {
    return this.stage === 'queue' ? queueTimeout() : queryTimeout(this.header.timeoutMs ?? 0);
  }
}
