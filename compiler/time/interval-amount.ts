/** Amounts of time with their unit in one text, as other dialects write them. */
import { TIME_UNITS } from './time-units';

const UNITS: ReadonlySet<string> = new Set(TIME_UNITS);

const SHORT_UNITS: ReadonlyMap<string, string> = new Map([
  ['sec', 'SECOND'],
  ['min', 'MINUTE'],
  ['hr', 'HOUR'],
  ['h', 'HOUR'],
  ['d', 'DAY'],
]);

/** `1 HOUR` for the text `'1 hours'`, which other dialects take as an amount with its unit. */
export function amountOfText(text: string): string | undefined {
  const [, count, written] = /^\s*([+-]?\d{1,18})\s*([a-z]+?)s?\s*$/i.exec(text) ?? [];
  if (count === undefined || written === undefined) return undefined;
  const unit = SHORT_UNITS.get(written.toLowerCase()) ?? written.toUpperCase();
  return UNITS.has(unit) ? `${count} ${unit}` : undefined;
}
