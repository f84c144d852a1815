/** A warning whose cause recurs: a line of the log at once, and then at most once a minute. */
import type { Clock } from '../common/clock';

const PAUSE_MS = 60_000;

/** pino's logger fits. */
export interface WarningLogger {
  warn(facts: object, message: string): void;
}

export class RepeatedWarning {
  private times = 0;
  private loggedAtMs = -Infinity;

  constructor(
    private readonly logger: WarningLogger,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly message: string
  ) {}

  /** The line has these facts, and in `times` how often this was called since the line before. */
  log(facts: Readonly<Record<string, unknown>>): void {
    this.times++;
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.loggedAtMs < PAUSE_MS) return;
    this.logger.warn({ ...facts, times: this.times }, this.message);
    this.times = 0;
    this.loggedAtMs = nowMs;
  }
}
