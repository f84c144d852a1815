/** FORMAT_*: translates the elements of a validated format for strftime. */
import type { TimeZone } from '../../../../time/time-zone';
import { joinRuns, offsetLabel, printRun, type RunForm, zoneLabel } from '../../../base/time/time-format';
import { isUtc } from '../../../base/time/time';
import { bindLong } from '../../../dialect/bind-once';
import type { CallPrinter } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { quoteText } from '../../values/literals';
import { toLocal } from './zones';

/** Codes with the same meaning in strftime. */
const DIRECT = Object.fromEntries([...'AaBbdGHIjMmpSUuVWwYy'].map((code) => [code, `%${code}`]));

export const formatTime: CallPrinter<'format_time'> = (operands, { options: { elements, zone } }) => {
  const runs = joinRuns(elements, DIRECT);
  const print = (x: string): string => runs.map((run) => printRun(run, runForm(x, zone))).join(' || ');
  if (runs.length > 1) return bindOnce(operands, (x) => `(${print(x)})`);
  return (isUtc(zone) ? print(operands[0].sql) : bindLong(operands, bindOnce, print)) || "''";
};

function runForm(x: string, zone: TimeZone): RunForm {
  const local = toLocal(x, zone);
  const show = (format: string): string => `strftime(${local}, ${quoteText(format)})`;
  const unpadded = (number: string): string => `regexp_replace(${number}, '^[0 ]+(.)', '\\1')`;
  return { show, offset: (separator) => offset(x, zone, separator), own, unpadded };

  function own(code: string): string | undefined {
    switch (code) {
      case 'e':
        return `lpad(${show('%-d')}, 2, ' ')`;
      case 'k':
        return `lpad(${show('%-H')}, 2, ' ')`;
      case 'l':
        return `lpad(${show('%-I')}, 2, ' ')`;
      case 'g':
        return `right(${show('%G')}, 2)`;
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
      default:
        return undefined;
    }
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
