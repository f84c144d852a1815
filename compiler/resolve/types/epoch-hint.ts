/** Hints for a number where a TIMESTAMP is meant: it counts from 1970, in a unit that its size tells. */
import type { Value } from '../../functions/function';

/** Numbers below these are seconds until the year 5138, or milliseconds after March 1973. */
const SECONDS_BELOW = 100_000_000_000n;
const MILLIS_BELOW = 100_000_000_000_000n;

/** @returns what makes a TIMESTAMP of an INT64; undefined for values of other types */
export function epochHint({ type, expr }: Value): string | undefined {
  if (type.kind !== 'INT64') return undefined;
  if (expr.kind !== 'literal' || typeof expr.value !== 'bigint')
    return 'use TIMESTAMP_SECONDS, TIMESTAMP_MILLIS or TIMESTAMP_MICROS';
  const size = expr.value < 0n ? -expr.value : expr.value;
  const unit = size < SECONDS_BELOW ? 'SECONDS' : size < MILLIS_BELOW ? 'MILLIS' : 'MICROS';
  return `write TIMESTAMP_${unit}(${expr.value})`;
}
