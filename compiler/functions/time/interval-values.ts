/** Expressions of INTERVAL values. Constants are computed at once. */
import { keysOf } from '#contract/records';
import { callOf, isCall } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import type { IntervalPart } from '../../ir/operations/ops';
import { DATETIME, INT64, INTERVAL, type Type } from '../../ir/types';
import { lengthOfInterval, partsOf } from '../../time/interval';
import { MICROS_PER_DAY } from '../../time/parse-iso';

/** Microseconds of a whole interval, by which intervals are compared. */
export function lengthOf(interval: Expr): Expr {
  const constant = knownInterval(interval);
  if (constant !== undefined) return whole(constant === null ? null : lengthOfInterval(constant));
  const [later, earlier] = isCall(interval, 'interval_between') ? interval.args : [];
  // The length of `ts1 - ts2` needs no interval.
  if (later?.type.kind === 'TIMESTAMP' && earlier !== undefined) {
    return callOf('sub', [callOf('unix_micros', [later], INT64), callOf('unix_micros', [earlier], INT64)], INT64);
  }
  return callOf('interval_length', [interval], INT64);
}

export function partOf(interval: Expr, part: IntervalPart): Expr {
  const constant = knownInterval(interval);
  if (constant === undefined) return callOf('interval_part', [interval], INT64, { part });
  if (constant === null) return whole(null);
  const { months, days, micros } = partsOf(constant);
  return whole({ MONTHS: months, DAYS: days, MICROS: micros, CLOCK: days * MICROS_PER_DAY + micros }[part]);
}

/** A time plus or minus an interval. @param time a TIMESTAMP or DATETIME */
export function movedBy(time: Expr, interval: Expr, fn: 'time_add' | 'time_sub'): Expr {
  const { type } = time;
  const move = (from: Expr, amount: Expr, unit: 'MONTH' | 'MICROSECOND'): Expr =>
    callOf(fn, [from, amount], type, { unit, safe: false });
  if (type.kind === 'TIMESTAMP') {
    const hasNoMonths = constantValue(partOf(interval, 'MONTHS')) === 0n;
    const clock = hasNoMonths
      ? partOf(interval, 'CLOCK')
      : callOf('interval_clock', [interval], INT64, { safe: false });
    return move(time, clock, 'MICROSECOND');
  }
  const months = partOf(interval, 'MONTHS');
  const ofMonths = constantValue(months) === 0n ? time : move(time, months, 'MONTH');
  return move(ofMonths, partOf(interval, 'CLOCK'), 'MICROSECOND');
}

const PARTS = {
  YEAR: ['MONTHS', 12n, null],
  MONTH: ['MONTHS', 1n, 12n],
  DAY: ['DAYS', 1n, null],
  HOUR: ['MICROS', 3_600_000_000n, null],
  MINUTE: ['MICROS', 60_000_000n, 60n],
  SECOND: ['MICROS', 1_000_000n, 60n],
  MILLISECOND: ['MICROS', 1_000n, 1_000n],
  MICROSECOND: ['MICROS', 1n, 1_000_000n],
} as const satisfies Readonly<Record<string, readonly [part: IntervalPart, length: bigint, count: bigint | null]>>;

/** Parts that EXTRACT reads of an interval. */
export const INTERVAL_PARTS = keysOf(PARTS);

/** A part, rounded toward zero. */
export function extractedPart(interval: Expr, part: keyof typeof PARTS): Expr {
  const [of, length, count] = PARTS[part];
  const units = callOf('int_div', [partOf(interval, of), whole(length)], INT64);
  return count === null ? units : callOf('mod', [units, whole(count)], INT64);
}

/** Type to which both times of a difference convert; undefined if they have none. */
export function differenceType(a: Type, b: Type): Type | undefined {
  const kinds = new Set([a.kind, b.kind]);
  if (kinds.size === 1) return kinds.has('TIMESTAMP') || kinds.has('TIME') || isDay(a) ? a : undefined;
  return isDay(a) && isDay(b) ? DATETIME : undefined;
}

function isDay({ kind }: Type): boolean {
  return kind === 'DATE' || kind === 'DATETIME';
}

export function constantInterval(value: bigint | null): Expr {
  return { kind: 'literal', type: INTERVAL, value };
}

function knownInterval(interval: Expr): bigint | null | undefined {
  const value = constantValue(interval);
  return value === undefined || value === null ? value : BigInt(value);
}

function constantValue(expr: Expr): bigint | null | undefined {
  return expr.kind === 'literal' && (expr.value === null || typeof expr.value === 'bigint') ? expr.value : undefined;
}

function whole(value: bigint | null): Expr {
  return { kind: 'literal', type: INT64, value };
}
