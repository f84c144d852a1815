/** Makes results anew in the background, again and again, as long as somebody asks for them. */
import type { Clock } from '../clock';
import type { CachedRun } from './cached-result';
import { elapsedMs, type Moment, momentOf } from './moment';

/** Results of one saved query that are kept warm; of more, those asked for last. */
export const MAX_WARM_PER_QUERY = 100;
/** After a run that found no place. */
const RETRY_MS = 1000;

/** `skipped`: there was no place for the run, or somebody else's run of the same was faster; `shared`: another server's result was taken. */
export type WarmOutcome = 'ok' | 'shared' | 'failed' | 'skipped';

/** Never rejects. */
export type Refresh = (run: WarmRun, signal: AbortSignal) => Promise<WarmOutcome>;

export interface WarmerSettings {
  readonly clock: Clock;
  readonly refresh: Refresh;
  /** Runs at once. */
  readonly maxRunning: number;
}

export type WarmRun = Pick<CachedRun, 'key' | 'question' | 'policy'>;

interface Watched {
  readonly run: WarmRun;
  askedAt: Moment;
  /** Null while it is due or runs. */
  cancelTimer: (() => void) | null;
}

export class Warmer {
  /** The one asked for longest ago is first. */
  private readonly watched = new Map<string, Watched>();
  private readonly due = new Set<Watched>();
  private readonly stopped = new AbortController();
  private readonly clock: Clock;
  private running = 0;

  constructor(private readonly settings: WarmerSettings) {
    this.clock = settings.clock;
  }

  /** Results that are kept warm. */
  get size(): number {
    return this.watched.size;
  }

  /** Somebody has asked for this result. */
  asked(result: CachedRun): void {
    const known = this.watched.get(result.key);
    if (known) {
      known.askedAt = momentOf(this.clock);
      this.watched.delete(result.key);
      this.watched.set(result.key, known);
    } else if (result.policy.warmSeconds > 0 && !this.stopped.signal.aborted) {
      this.watch(result);
    }
  }

  /** The result was made anew, for a caller or by the warmer itself. */
  made(result: CachedRun): void {
    const known = this.watched.get(result.key);
    if (known) this.plan(known, this.restMs(result));
  }

  forget(key: string): void {
    const watched = this.watched.get(key);
    if (watched) this.drop(watched);
  }

  forgetQuery(endpointId: string): void {
    for (const watched of [...this.watched.values()])
      if (watched.run.question.endpointId === endpointId) this.drop(watched);
  }

  /** Ends what runs and starts nothing any more. */
  stop(): void {
    this.stopped.abort(new Error('warming has ended'));
    for (const watched of [...this.watched.values()]) this.drop(watched);
  }

  private watch(result: CachedRun): void {
    const { key, question, policy } = result;
    const watched: Watched = {
      run: { key, question, policy },
      askedAt: momentOf(this.clock),
      cancelTimer: null,
    };
    this.makeRoom(question.endpointId);
    this.watched.set(key, watched);
    this.plan(watched, this.restMs(result));
  }

  private makeRoom(endpointId: string): void {
    let oldest: Watched | undefined;
    let count = 0;
    for (const watched of this.watched.values()) {
      if (watched.run.question.endpointId !== endpointId) continue;
      oldest ??= watched;
      count += 1;
    }
    if (oldest && count >= MAX_WARM_PER_QUERY) this.drop(oldest);
  }

  private restMs({ ranAt, policy }: CachedRun): number {
    return Math.max(0, policy.warmSeconds * 1000 - elapsedMs(ranAt, this.clock));
  }

  private plan(watched: Watched, delayMs: number): void {
    watched.cancelTimer?.();
    this.due.delete(watched);
    watched.cancelTimer = this.clock.setTimer(() => this.becomeDue(watched), delayMs);
  }

  private becomeDue(watched: Watched): void {
    watched.cancelTimer = null;
    if (elapsedMs(watched.askedAt, this.clock) > watched.run.policy.cacheSeconds * 1000) {
      this.drop(watched);
      return;
    }
    this.due.add(watched);
    this.work();
  }

  private work(): void {
    const [next] = this.due;
    if (!next || this.running === this.settings.maxRunning) return;
    this.due.delete(next);
    this.running += 1;
    void this.settings.refresh(next.run, this.stopped.signal).then((outcome) => {
      this.running -= 1;
      this.planNext(next, outcome);
      this.work();
    });
    this.work();
  }

  private planNext(watched: Watched, outcome: WarmOutcome): void {
    // A new result has planned its successor already; what is not watched any more has none.
    if (watched.cancelTimer || this.watched.get(watched.run.key) !== watched) return;
    this.plan(watched, outcome === 'skipped' ? RETRY_MS : watched.run.policy.warmSeconds * 1000);
  }

  private drop(watched: Watched): void {
    watched.cancelTimer?.();
    this.due.delete(watched);
    if (this.watched.get(watched.run.key) === watched) this.watched.delete(watched.run.key);
  }
}
