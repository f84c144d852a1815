/** PARSE_TIMESTAMP: a pattern finds the fields of the time. */
import { parsedFields, parsePattern } from '../../../base/time/parse-fields';
import { readsOffset } from '../../../base/time/time-format';
import type { CallPrinter } from '../../../dialect/dialect';
import { nameOnce } from '../../values/bind-once';
import { knownTime } from '../../casts';
import { quoteText, raise } from '../../values/literals';
import { fromLocal } from './zones';

export const parseTimestamp: CallPrinter<'parse_timestamp'> = ([{ sql: x }], { options }) => {
  const { elements, safe, zone } = options;
  const { pattern, groups } = parsePattern(elements);
  const names = Array.from({ length: groups }, (_, index) => `'g${index + 1}'`).join(', ');
  const parsed = nameOnce(`regexp_extract(${x}, ${quoteText(pattern)}, [${names}])`, (v) => {
    const group = (index: number): string => `${v}.g${index}`;
    const fields = parsedFields(elements, { group, number: (text) => `coalesce(TRY_CAST(${text} AS BIGINT), 0)` });
    const { year, month, day, dayOfYear, clock, offset, unixSeconds } = fields;
    const date =
      dayOfYear === null
        ? `make_date(${year}, ${month}, ${day})`
        : `(make_date(${year}, 1, 1) + CAST(${dayOfYear} - 1 AS INTEGER))`;
    const local = `(CAST(${date} AS TIMESTAMP) + to_microseconds(${clock}))`;
    const instant =
      unixSeconds !== null
        ? `make_timestamp(${unixSeconds} * 1000000)`
        : offset === null
          ? local
          : `(${local} - to_minutes(${offset}))`;
    const failure = safe ? '' : ` WHEN ${v} IS NOT NULL THEN ${raise('bad_time')}`;
    return `(CASE WHEN ${group(1)} <> '' AND (${fields.isValid}) THEN ${instant}${failure} END)`;
  });
  const known = nameOnce(parsed, (v) => knownTime(v, safe));
  if (readsOffset(elements) || (zone.kind === 'offset' && zone.minutes === 0)) return known;
  return nameOnce(known, (v) => fromLocal(v, zone, safe));
};
