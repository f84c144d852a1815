/** FORMAT_* and PARSE_TIMESTAMP: translates the elements of a validated format for strftime and strptime. */
import { STRING, TIMESTAMP } from '../../../ir/types';
import { isIsoFormat, type FormatElement } from '../../../time/time-format';
import type { TimeZone } from '../../../time/time-zone';
import { isUtc } from '../../base/time';
import { joinRuns, offsetLabel, readsOffset, zoneLabel, type Run } from '../../base/time-format';
import type { CallPrinter } from '../../dialect';
import { bindOnce, nameOnce } from '../bind-once';
import { cast, knownTime } from '../casts';
import { quoteText } from '../literals';
import { fromLocal, toLocal } from './zones';

/** Codes with the same meaning in strftime. */
const DIRECT = Object.fromEntries([...'AaBbdGHIjMmpSUuVWwYy'].map((code) => [code, `%${code}`]));

export const formatTime: CallPrinter<'format_time'> = (operands, { options: { elements, zone } }) => {
  const runs = joinRuns(elements, DIRECT);
  const print = (x: string): string => runs.map((run) => printRun(run, x, zone)).join(' || ');
  if (runs.length <= 1) return print(operands[0].sql) || "''";
  return bindOnce(operands, (x) => `(${print(x)})`);
};

function printRun(run: Run, x: string, zone: TimeZone): string {
  const local = toLocal(x, zone);
  const show = (format: string): string => `strftime(${local}, ${quoteText(format)})`;
  if ('format' in run) return show(run.format);
  switch (run.code) {
    case 'C':
      return `left(${show('%Y')}, 2)`;
    case 'e':
      return `lpad(${show('%-d')}, 2, ' ')`;
    case 'k':
      return `lpad(${show('%-H')}, 2, ' ')`;
    case 'l':
      return `lpad(${show('%-I')}, 2, ' ')`;
    case 'g':
      return `right(${show('%G')}, 2)`;
    case 'P':
      return `lower(${show('%p')})`;
    case 'Q':
      return `CAST(date_part('quarter', ${local}) AS VARCHAR)`;
    case 's':
      return `CAST(epoch_us(date_trunc('second', ${x})) // 1000000 AS VARCHAR)`;
    case 'E*S':
      return `regexp_replace(regexp_replace(${show('%S.%f')}, '0+$', ''), '\\.$', '')`;
    case 'E0S':
      return show('%S');
    case 'Z':
      return orMissing(quoteText(zoneLabel(zone)), x);
    case 'z':
      return offset(x, zone, '');
    case 'Ez':
      return offset(x, zone, ':');
    default:
      return `left(${show('%S.%f')}, ${3 + Number(run.code.charAt(1))})`;
  }
}

/** Constant text, but NULL when the time is NULL. */
function orMissing(text: string, x: string): string {
  return `(CASE WHEN ${x} IS NOT NULL THEN ${text} END)`;
}

function offset(x: string, zone: TimeZone, separator: string): string {
  if (zone.kind === 'offset') return orMissing(quoteText(offsetLabel(zone, separator)), x);
  const minutes = `date_diff('minute', ${x}, ${toLocal(x, zone)})`;
  return (
    `((CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END) || lpad(CAST(abs(${minutes}) // 60 AS VARCHAR), 2, '0') ` +
    `|| '${separator}' || lpad(CAST(abs(${minutes}) % 60 AS VARCHAR), 2, '0'))`
  );
}

export const parseTimestamp: CallPrinter<'parse_timestamp'> = ([{ sql: x }], { options }) => {
  const { elements, safe, zone } = options;
  const zoned = readsOffset(elements);
  if (isIsoFormat(elements) && (zoned || isUtc(zone))) {
    const text = { kind: 'literal', type: STRING, value: null } as const;
    return cast(x, { kind: 'cast', operand: text, type: TIMESTAMP, safe });
  }
  const formats = [printParseFormat(elements, '%S.%f')];
  let text = x;
  if (elements.some((element) => element.kind === 'code' && element.code === 'E*S')) {
    formats.push(printParseFormat(elements, '%S'));
    // DuckDB reads at most six fractional digits.
    text = `regexp_replace(${text}, '(\\.[0-9]{6})[0-9]{1,3}', '\\1')`;
  }
  if (zoned) text = `regexp_replace(${text}, '(?i)(?:z|utc)(\\s*)$', '+00\\1')`;
  const parsed = `${safe ? 'try_strptime' : 'strptime'}(${text}, [${formats.map(quoteText).join(', ')}])`;
  // With an offset in the text DuckDB returns TIMESTAMPTZ.
  const instant = zoned ? `timezone('UTC', ${parsed})` : parsed;
  const known = nameOnce(instant, (v) => knownTime(v, safe));
  return zoned ? known : fromLocal(known, zone);
};

const PARSE_CODES: Readonly<Record<string, string>> = { e: '%d', k: '%H', l: '%I', Ez: '%z' };

function printParseFormat(elements: readonly FormatElement[], seconds: string): string {
  return elements
    .map((element) => {
      if (element.kind === 'text') return element.text.replaceAll('%', '%%');
      return element.code === 'E*S' ? seconds : (PARSE_CODES[element.code] ?? `%${element.code}`);
    })
    .join('');
}
