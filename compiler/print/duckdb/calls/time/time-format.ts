/** FORMAT_*: translates the elements of a validated format for strftime. */
import type { TimeZone } from '../../../../time/time-zone';
import { joinRuns, offsetLabel, zoneLabel, type Run } from '../../../base/time-format';
import type { CallPrinter } from '../../../dialect';
import { bindOnce } from '../../bind-once';
import { quoteText } from '../../literals';
import { toLocal } from './zones';

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
      if (zone.kind === 'offset') return orMissing(quoteText(zoneLabel(zone)), x);
      return `('UTC' || regexp_replace(replace(${offset(x, zone, '')}, '+0000', ''), '^([+-])0?([0-9]+)00$', '\\1\\2'))`;
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
