/** FORMAT_* and PARSE_TIMESTAMP: translates the elements of a validated format for formatDateTime, or to a pattern. */
import type { TimeZone } from '../../../../time/time-zone';
import { isUtc } from '../../../base/time/time';
import { joinRuns, offsetLabel, printRun, readsOffset, type RunForm, zoneLabel } from '../../../base/time/time-format';
import type { CallPrinter } from '../../../dialect/dialect';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { quoteText } from '../../values/literals';
import { parsedTime } from '../../parsing/parse-time';
import { fromLocal, offsetMicros, toLocal } from './zones';

export const formatTime: CallPrinter<'format_time'> = (operands, { options: { elements, zone } }) => {
  const runs = joinRuns(elements, DIRECT);
  return bindOnce(operands, (x) => {
    const parts = runs.map((run) => printRun(run, runForm(x, zone)));
    const shown = parts.length === 0 ? "''" : parts.length === 1 ? parts[0] : `concat(${parts.join(', ')})`;
    return `if(${x} IS NULL, NULL, ${shown})`;
  });
};

/** Codes of the dialect -> equivalent codes of formatDateTime. */
const DIRECT: Readonly<Record<string, string>> = {
  A: '%W',
  a: '%a',
  B: '%M',
  b: '%b',
  d: '%d',
  G: '%G',
  g: '%g',
  H: '%H',
  I: '%I',
  j: '%j',
  M: '%i',
  m: '%m',
  p: '%p',
  Q: '%Q',
  S: '%S',
  E0S: '%S',
  u: '%u',
  V: '%V',
  w: '%w',
  Y: '%Y',
  y: '%y',
};

function runForm(x: string, zone: TimeZone): RunForm {
  const local = toLocal(x, zone);
  const show = (format: string): string => `formatDateTime(${local}, ${quoteText(format)})`;
  const blank = (number: string): string => `leftPad(toString(${number}), 2, ' ')`;
  const zero = (number: string): string => `leftPad(toString(${number}), 2, '0')`;
  const unpadded = (number: string): string => `replaceRegexpOne(${number}, '^[0 ]+(.)', '\\\\1')`;
  return { show, offset: (separator) => offset(x, zone, separator), own, unpadded };

  function own(code: string): string | undefined {
    switch (code) {
      case 'e':
        return blank(`toDayOfMonth(${local})`);
      case 'k':
        return blank(`toHour(${local})`);
      case 'l':
        return blank(`toHour(${local} - toIntervalHour(1)) % 12 + 1`);
      case 'U':
        return zero(`toWeek(${local}, 0)`);
      case 'W':
        // Week counted from the first Monday of the year.
        return zero(`intDiv(toDayOfYear(${local}) + 7 - toDayOfWeek(${local}), 7)`);
      case 's':
        return `toString(intDiv(toUnixTimestamp64Micro(${x}) - positiveModulo(toUnixTimestamp64Micro(${x}), 1000000), 1000000))`;
      case 'E*S':
        return `replaceRegexpOne(replaceRegexpOne(${show('%S.%f')}, '0+$', ''), '\\\\.$', '')`;
      case 'Z':
        if (zone.kind === 'offset') return quoteText(zoneLabel(zone));
        return `concat('UTC', replaceRegexpOne(replaceOne(${offset(x, zone, '')}, '+0000', ''), '^([+-])0?([0-9]+)00$', '\\\\1\\\\2'))`;
      default:
        return undefined;
    }
  }
}

function offset(x: string, zone: TimeZone, separator: string): string {
  if (zone.kind === 'offset') return quoteText(offsetLabel(zone, separator));
  const minutes = `intDiv(${offsetMicros(x, zone)}, 60000000)`;
  const two = (number: string): string => `leftPad(toString(${number}), 2, '0')`;
  return (
    `concat(if(${minutes} < 0, '-', '+'), ${two(`intDiv(abs(${minutes}), 60)`)}, '${separator}', ` +
    `${two(`abs(${minutes}) % 60`)})`
  );
}

export const parseTimestamp: CallPrinter<'parse_timestamp'> = (operands, { options: { elements, safe, zone } }) => {
  const parsed = bindOnce(operands, (x) => parsedTime(x, elements, safe));
  if (readsOffset(elements) || isUtc(zone)) return parsed;
  return nameOnce(parsed, (v) => fromLocal(v, zone, safe));
};
