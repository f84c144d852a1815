/** Converts time filters to bounds: whole days are half-open, everything else is inclusive. */
import { addMicros, truncateMicros } from '../../time/calendar';
import { MICROS_PER_DAY, MIN_MICROS } from '../../time/parse-iso';
import type { Comparison, TimePoint, TimeTest } from '../rules';
import { UNITS } from './units';

/** One bound, in microseconds since 1970. */
export interface TimeBound {
  readonly micros: bigint;
  readonly inclusive: boolean;
}

/** At least one bound is set. */
export interface TimeBounds {
  readonly from: TimeBound | null;
  readonly to: TimeBound | null;
}

/** Interval that a point covers: a day is `[start, next start)`, an instant only itself. */
interface Span {
  readonly from: bigint;
  readonly to: TimeBound;
}

const including = (micros: bigint): TimeBound => ({ micros, inclusive: true });
const excluding = (micros: bigint): TimeBound => ({ micros, inclusive: false });
const MONDAY = 1;

/** @param nowMicros the request time, called only if the test is relative to it, and truncated to seconds */
export function boundsOf(test: TimeTest, nowMicros: () => bigint): TimeBounds {
  const now = (): bigint => truncateMicros(nowMicros(), 'SECOND', MONDAY);
  switch (test.kind) {
    case 'compare':
      return compared(test.operator, spanOf(test.point, now));
    case 'range':
      return { from: including(spanOf(test.low, now).from), to: spanOf(test.high, now).to };
    case 'today':
      return dayOf(now());
    case 'yesterday':
      return dayOf(now() - MICROS_PER_DAY);
    case 'this':
      return { from: including(truncateMicros(now(), UNITS[test.unit].calendar, MONDAY)), to: including(now()) };
    case 'last': {
      const { cut, unit } = UNITS[test.unit];
      const start = cut === null ? now() : truncateMicros(now(), cut, MONDAY);
      return { from: including(addMicros(start, -BigInt(test.count), unit) ?? MIN_MICROS), to: including(now()) };
    }
  }
}

/** Whether no time can satisfy the bounds. */
export function isEmpty({ from, to }: TimeBounds): boolean {
  if (from === null || to === null) return false;
  return from.micros > to.micros || (from.micros === to.micros && !(from.inclusive && to.inclusive));
}

function compared(operator: Comparison, { from, to }: Span): TimeBounds {
  switch (operator) {
    case '=':
      return { from: including(from), to };
    case '>':
      return { from: { ...to, inclusive: !to.inclusive }, to: null };
    case '>=':
      return { from: including(from), to: null };
    case '<':
      return { from: null, to: excluding(from) };
    case '<=':
      return { from: null, to };
  }
}

function spanOf(point: TimePoint, now: () => bigint): Span {
  switch (point.kind) {
    case 'day': {
      const from = point.days * MICROS_PER_DAY;
      return { from, to: excluding(from + MICROS_PER_DAY) };
    }
    case 'instant':
      return { from: point.micros, to: including(point.micros) };
    case 'now':
      return { from: now(), to: including(now()) };
  }
}

function dayOf(micros: bigint): TimeBounds {
  const from = truncateMicros(micros, 'DAY', MONDAY);
  return { from: including(from), to: excluding(from + MICROS_PER_DAY) };
}
