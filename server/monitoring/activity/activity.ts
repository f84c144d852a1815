/** What this server did in the last hour. */
import type { Clock } from '../../common/clock';
import { ArrivalFigures } from './arrivals';
import { CallFigures } from './call-figures';
import type { EndedCall } from './noted-call';
import { SlowestCalls } from './slowest-calls';

export class Activity {
  readonly calls: CallFigures;
  readonly slowest: SlowestCalls;
  readonly arrivals: ArrivalFigures;

  constructor(clock: Clock) {
    this.calls = new CallFigures(clock);
    this.slowest = new SlowestCalls(clock);
    this.arrivals = new ArrivalFigures(clock);
  }

  addCall(call: EndedCall): void {
    this.calls.add(call);
    this.slowest.add(call);
  }
}
