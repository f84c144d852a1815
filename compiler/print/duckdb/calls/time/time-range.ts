/** Checks that a result stays in the years 0001 to 9999. */
import type { RunFailure } from '../../../../output/run-failure';
import { formatDays, formatMicros } from '../../../../time/parse-iso';
import type { Limits, TimeKind } from '../../../../time/time-limits';
import { raise } from '../../values/literals';

/** A body for values within the limits; for others NULL or a failure. @param x a short text, which is repeated */
export function whereWithin(
  x: string,
  kind: TimeKind,
  { low, high, none }: Limits,
  safe: boolean,
  body: string
): string {
  const outside = [
    ...(low === null ? [] : [`${x} < ${limit(low, kind)}`]),
    ...(high === null ? [] : [`${x} > ${limit(high, kind)}`]),
  ];
  if (none) return unless(`${x} IS NOT NULL`, safe, body);
  return outside.length === 0 ? body : unless(outside.join(' OR '), safe, body);
}

/** A body, or a failure where a condition is true. */
export function unless(
  condition: string,
  safe: boolean,
  body: string,
  failure: RunFailure = 'time_out_of_range'
): string {
  return `(CASE WHEN ${condition} THEN ${safe ? 'NULL' : raise(failure)} ELSE ${body} END)`;
}

function limit(value: bigint, kind: TimeKind): string {
  return kind === 'DATE' ? `DATE '${formatDays(value)}'` : `TIMESTAMP '${formatMicros(value)}'`;
}
