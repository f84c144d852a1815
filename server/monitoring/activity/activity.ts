/** What this server did in the last hour. */
import type { Clock } from '../../common/clock';
import { ArrivalStats } from './arrivals';
import { CallStats } from './call-stats';
import type { EndedCall } from './noted-call';
import { SlowestCalls } from './slowest-calls';

export class Activity {
  readonly calls: CallStats;
  readonly slowest: SlowestCalls;
  readonly arrivals: ArrivalStats;

  constructor(clock: Clock) {
    this.calls = new CallStats(clock);
    this.slowest = new SlowestCalls(clock);
    this.arrivals = new ArrivalStats(clock);
  }

  addCall(call: EndedCall): void {
    this.calls.add(call);
    this.slowest.add(call);
  }
}
