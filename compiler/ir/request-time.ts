/** Time of the request, and for which later requests a resolved statement is still right. */
import { addMicros } from '../time/calendar';
import { isCall } from './operations/call';
import type { CallExpr, NowExpr } from './expression';
import { TIMESTAMP } from './types';

/** Dependence of a statement on the request time. Times are microseconds since 1970. */
export class RequestTime {
  private isFixed = false;
  private from = Number.NEGATIVE_INFINITY;
  private until = Number.POSITIVE_INFINITY;

  constructor(private readonly micros: number) {}

  /** Request time plus an offset, as a constant: the statement then serves this request only. */
  fix(offsetMicros = 0n): bigint {
    this.isFixed = true;
    return this.at(offsetMicros);
  }

  /** Request time plus an offset, for uses whose range of validity is declared with `holdWithin`. */
  at(offsetMicros: bigint): bigint {
    return BigInt(this.micros) + offsetMicros;
  }

  /**
   * Declares that the statement is valid for requests from `earlierMicros` before this one to less than `laterMicros`
   * after it.
   */
  holdWithin(earlierMicros: number, laterMicros: number): void {
    this.from = Math.max(this.from, this.micros - earlierMicros);
    this.until = Math.min(this.until, this.micros + laterMicros);
  }

  /** Whether the statement, apart from its `now` nodes, is the same for a request at another time. */
  holdsAt(nowMicros: number): boolean {
    return !this.isFixed && this.from <= nowMicros && nowMicros < this.until;
  }
}

export function now(offsetMicros = 0n): NowExpr {
  return { kind: 'now', offsetMicros, type: TIMESTAMP };
}

/**
 * The request time plus or minus a constant number of units. Undefined for other calls and beyond the range of times.
 */
export function movedNow(call: CallExpr, time: RequestTime): NowExpr | undefined {
  if (!isCall(call, 'time_add', 'time_sub')) return undefined;
  const [start, amount] = call.args;
  if (start?.kind !== 'now' || amount?.kind !== 'literal' || typeof amount.value !== 'bigint') return undefined;
  const from = time.at(start.offsetMicros);
  // Units of a TIMESTAMP have constant length.
  const to = addMicros(from, call.fn === 'time_add' ? amount.value : -amount.value, call.options.unit);
  return to === undefined ? undefined : now(start.offsetMicros + to - from);
}
