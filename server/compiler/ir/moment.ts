/**
 * The time of the request inside a statement. A moment is a constant that keeps a fixed distance from it, so that a statement can be
 * printed again for a later request; whoever looks at its value ties the statement to the very time of its request.
 */
import { addMicros } from '../time/calendar';
import type { TimeUnit } from '../time/time-units';
import type { CallExpr, Expr, LiteralExpr } from './expression';
import { TIMESTAMP } from './types';

/** What a statement has to do with the time at which it was asked. Times are microseconds since 1970. */
export class RequestTime {
  private looked = false;
  private from = Number.NEGATIVE_INFINITY;
  private until = Number.POSITIVE_INFINITY;

  constructor(private readonly micros: number) {}

  /** The time itself: what is made of it holds for this request alone. */
  get nowMicros(): number {
    this.looked = true;
    return this.micros;
  }

  /** The value of a distance, for a purpose that `holdWithin` is told of. */
  peek(distanceMicros: bigint): bigint {
    return BigInt(this.micros) + distanceMicros;
  }

  /** The statement is what it is for requests from `earlierMicros` before this one to less than `laterMicros` after it. */
  holdWithin(earlierMicros: number, laterMicros: number): void {
    this.from = Math.max(this.from, this.micros - earlierMicros);
    this.until = Math.min(this.until, this.micros + laterMicros);
  }

  /** Whether the statement is the same, but for its moments, when it is asked at another time. */
  holdsAt(nowMicros: number): boolean {
    return !this.looked && this.from <= nowMicros && nowMicros < this.until;
  }
}

interface Moment {
  readonly time: RequestTime;
  readonly distanceMicros: bigint;
}

/** Beside the nodes, not in them: a node copied from a moment is a constant like any other. */
const moments = new WeakMap<Expr, Moment>();

/** The constant `now + distance`. */
export function createMoment(time: RequestTime, distanceMicros = 0n): LiteralExpr {
  const literal: LiteralExpr = {
    kind: 'literal',
    type: TIMESTAMP,
    get value() {
      return BigInt(time.nowMicros) + distanceMicros;
    },
  };
  moments.set(literal, { time, distanceMicros });
  return literal;
}

export function momentOf(expr: Expr): Moment | undefined {
  return moments.get(expr);
}

/** A moment plus or minus a constant number of units: a moment again. Undefined for any other call, and beyond the range of times. */
export function movedMoment({ fn, args, options }: CallExpr): LiteralExpr | undefined {
  const [start, amount] = args;
  const moment = start && moments.get(start);
  if (moment === undefined || amount?.kind !== 'literal' || typeof amount.value !== 'bigint') return undefined;
  if (fn !== 'time_add' && fn !== 'time_sub') return undefined;
  const { time, distanceMicros } = moment;
  const from = time.peek(distanceMicros);
  // Units of a TIMESTAMP are of one length, wherever they begin.
  const to = addMicros(from, fn === 'time_add' ? amount.value : -amount.value, options?.['unit'] as TimeUnit);
  return to === undefined ? undefined : createMoment(time, distanceMicros + to - from);
}
