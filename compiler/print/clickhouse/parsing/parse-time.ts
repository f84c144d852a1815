/** Parses a text by a format: a pattern finds the fields of the time. */
import type { FormatElement } from '../../../time/time-format';
import { parsedFields, parsePattern } from '../../base/time/parse-fields';
import { nameOnce } from '../values/bind-once';
import { orFail } from '../values/or-fail';
import { int, knownMicros, micros, quoteText } from '../values/literals';

/** @param x a short text, which is repeated */
export function parsedTime(x: string, elements: readonly FormatElement[], safe: boolean): string {
  const found = `extractGroups(ifNull(${x}, ''), ${quoteText(parsePattern(elements).pattern)})`;
  const value = nameOnce(found, (g) => {
    const group = (index: number): string => `${g}[${index}]`;
    const fields = parsedFields(elements, { group, number: (text) => `toInt64OrZero(${text})` });
    return nameOnce(`if(empty(${g}) OR NOT (${fields.isValid}), NULL, ${instant(fields)})`, knownMicros);
  });
  return orFail(x, value, safe, 'bad_time');
}

function instant({ year, month, day, dayOfYear, clock, offset, unixSeconds }: ReturnType<typeof parsedFields>): string {
  if (unixSeconds !== null) return `(${unixSeconds} * ${int(1_000_000)})`;
  const [m, d] = dayOfYear === null ? [month, day] : ['1', '1'];
  const two = (part: string): string => `leftPad(toString(${part}), 2, '0')`;
  const text = `concat(leftPad(toString(${year}), 4, '0'), '-', ${two(m)}, '-', ${two(d)}, ' 00:00:00')`;
  const start = micros(`toDateTime64OrNull(${text}, 6, 'UTC')`);
  const later = dayOfYear === null ? '' : ` + (${dayOfYear} - 1) * ${int(86_400_000_000n)}`;
  const earlier = offset === null ? '' : ` - ${offset} * ${int(60_000_000)}`;
  return `(${start} + ${clock}${later}${earlier})`;
}
