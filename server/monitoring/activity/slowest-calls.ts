/** The longest calls of the last hour, without their texts. */
import type { Clock } from '../../common/clock';
import type { EndedCall } from './noted-call';
import { type SliceLimits, Slices } from './slices';

const LIMITS: SliceLimits = { sliceMs: 5 * 60_000, count: 13 };
/** Calls that are kept of each slice, and that are listed. */
const MAX_CALLS = 20;

export interface SlowCall extends EndedCall {
  readonly endedAt: Date;
}

export class SlowestCalls {
  /** Longest first. */
  private readonly slices: Slices<SlowCall[]>;

  constructor(private readonly clock: Clock) {
    this.slices = new Slices(LIMITS, clock, () => []);
  }

  add(call: EndedCall): void {
    const slowest = this.slices.current();
    const last = slowest.at(-1);
    if (slowest.length === MAX_CALLS && last && call.durationMs <= last.durationMs) return;
    const at = slowest.findIndex(({ durationMs }) => durationMs < call.durationMs);
    slowest.splice(at < 0 ? slowest.length : at, 0, { ...call, endedAt: this.clock.now() });
    if (slowest.length > MAX_CALLS) slowest.pop();
  }

  /** Longest first. */
  list(): readonly SlowCall[] {
    return this.slices
      .all()
      .flatMap(({ value }) => value)
      .sort((a, b) => b.durationMs - a.durationMs)
      .slice(0, MAX_CALLS);
  }
}
