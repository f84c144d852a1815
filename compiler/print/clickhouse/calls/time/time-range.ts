/** Checks that a result stays in the years 0001 to 9999: ClickHouse would clamp it. */
import type { RunFailure } from '../../../../output/run-failure';
import { MICROS_PER_DAY } from '../../../../time/parse-iso';
import type { Limits, TimeKind } from '../../../../time/time-limits';
import { failsWhen, int, micros } from '../../values/literals';

/** A body for values within the limits; for others NULL or a failure. @param x a short text, which is repeated */
export function whereWithin(
  x: string,
  kind: TimeKind,
  { low, high, none }: Limits,
  safe: boolean,
  body: string
): string {
  const scale = kind === 'DATE' ? MICROS_PER_DAY : 1n;
  const outside = none
    ? [`${x} IS NOT NULL`]
    : [
        ...(low === null ? [] : [`${micros(x)} < ${int(low * scale)}`]),
        ...(high === null ? [] : [`${micros(x)} > ${int(high * scale)}`]),
      ];
  return outside.length === 0 ? body : unless(outside.join(' OR '), safe, body);
}

/**
 * A body, or a failure where a condition is true. ClickHouse evaluates a constant condition at planning time, where it
 * would fail even beside a NULL.
 */
export function unless(
  condition: string,
  safe: boolean,
  body: string,
  failure: RunFailure = 'time_out_of_range'
): string {
  return `(CASE WHEN ${safe ? condition : failsWhen(`materialize(${condition})`, failure)} THEN NULL ELSE ${body} END)`;
}
