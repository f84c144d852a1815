/** Conditions on columns of time. */
import type { Expression, SourcePosition } from '../../ast';
import type { Type } from '../../ir/types';
import { formatMicros, MAX_MICROS } from '../../time/parse-iso';
import type { TimeBound, TimeBounds } from '../time/bounds';
import { binary, joined } from './tree';

/** @param type TIMESTAMP, DATETIME or DATE; a DATE is compared as midnight */
export function within(value: Expression, type: Type, bounds: TimeBounds, position: SourcePosition): Expression {
  const from = bounds.from && inYears(bounds.from);
  const to = bounds.to && inYears(bounds.to);
  const constant = (bound: TimeBound): Expression => timeConstant(bound.micros, type, position);
  if (from !== null && to !== null && from.micros === to.micros && from.inclusive && to.inclusive) {
    return binary(value, '=', constant(from));
  }
  return joined('AND', [
    ...(from === null ? [] : [binary(value, from.inclusive ? '>=' : '>', constant(from))]),
    ...(to === null ? [] : [binary(value, to.inclusive ? '<=' : '<', constant(to))]),
  ]);
}

function timeConstant(micros: bigint, type: Type, position: SourcePosition): Expression {
  const isInstant = type.kind === 'TIMESTAMP';
  const written = `${formatMicros(micros)}${isInstant ? '+00' : ''}`;
  return { kind: 'typed-literal', type: isInstant ? 'TIMESTAMP' : 'DATETIME', text: written, position };
}

/** Clamps to the last instant: the day after the last day of the calendar is not a valid time. */
function inYears(bound: TimeBound): TimeBound {
  return bound.micros <= MAX_MICROS ? bound : { micros: MAX_MICROS, inclusive: !bound.inclusive };
}
