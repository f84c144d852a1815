/**
 * Request time inside statements. A moment is a constant at a fixed distance from the request time, so that a statement
 * can be printed again for a later request. Reading its value ties the statement to the time of its request.
 */
import { addMicros } from '../time/calendar';
import { isCall } from './call';
import type { CallExpr, Expr, LiteralExpr } from './expression';
import { TIMESTAMP } from './types';

/** Dependence of a statement on the request time. Times are microseconds since 1970. */
export class RequestTime {
  private looked = false;
  private from = Number.NEGATIVE_INFINITY;
  private until = Number.POSITIVE_INFINITY;

  constructor(private readonly micros: number) {}

  /** The request time. Reading it makes the statement valid for this request only. */
  get nowMicros(): number {
    this.looked = true;
    return this.micros;
  }

  /** Time at a distance, for uses whose range of validity is declared with `holdWithin`. */
  peek(distanceMicros: bigint): bigint {
    return BigInt(this.micros) + distanceMicros;
  }

  /**
   * Declares that the statement is valid for requests from `earlierMicros` before this one to less than `laterMicros`
   * after it.
   */
  holdWithin(earlierMicros: number, laterMicros: number): void {
    this.from = Math.max(this.from, this.micros - earlierMicros);
    this.until = Math.min(this.until, this.micros + laterMicros);
  }

  /** Whether the statement, apart from its moments, is the same for a request at another time. */
  holdsAt(nowMicros: number): boolean {
    return !this.looked && this.from <= nowMicros && nowMicros < this.until;
  }
}

interface Moment {
  readonly time: RequestTime;
  readonly distanceMicros: bigint;
}

/** In a WeakMap, so that a copy of the node is an ordinary constant. */
const moments = new WeakMap<Expr, Moment>();

/** Creates the constant `now + distance`. */
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

/**
 * Moment plus or minus a constant number of units, as a moment. Undefined for other calls and beyond the range of
 * times.
 */
export function movedMoment(call: CallExpr): LiteralExpr | undefined {
  if (!isCall(call, 'time_add', 'time_sub')) return undefined;
  const [start, amount] = call.args;
  const moment = start && moments.get(start);
  if (moment === undefined || amount?.kind !== 'literal' || typeof amount.value !== 'bigint') return undefined;
  const { time, distanceMicros } = moment;
  const from = time.peek(distanceMicros);
  // Units of a TIMESTAMP have constant length.
  const to = addMicros(from, call.fn === 'time_add' ? amount.value : -amount.value, call.options.unit);
  return to === undefined ? undefined : createMoment(time, distanceMicros + to - from);
}
