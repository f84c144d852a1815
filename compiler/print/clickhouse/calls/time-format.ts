/** FORMAT_* and PARSE_TIMESTAMP: translates the elements of a validated format for formatDateTime, or to a pattern. */
import type { CallExpr } from '../../../ir/expression';
import { STRING, TIMESTAMP } from '../../../ir/types';
import { isIsoFormat, parseTimeFormat, type FormatElement, type FormatUse } from '../../../time/time-format';
import { timeZoneName, type TimeZone } from '../../../time/time-zone';
import { operands } from '../../bind-once';
import type { CallPrinter } from '../../dialect';
import { bindOnce, nameOperand } from '../bind-once';
import { cast } from '../casts';
import { quoteText } from '../literals';
import { parsedTime } from '../parse-time';
import { fromLocal, offsetMicros, toLocal, zoneOf } from './time';

export const timeFormat: Readonly<Record<string, CallPrinter>> = {
  format_time: (args, call) => {
    const runs = joinRuns(elementsOf(call, call.options?.['use'] as FormatUse));
    const zone = zoneOf(call);
    return bindOnce(operands(args, call.args), (x) => {
      const parts = runs.map((run) => printRun(run, String(x), zone));
      const shown = parts.length === 0 ? "''" : parts.length === 1 ? parts[0] : `concat(${parts.join(', ')})`;
      return `if(${x} IS NULL, NULL, ${shown})`;
    });
  },
  parse_timestamp: (args, call) => parse(String(args[0]), call),
};

function elementsOf(call: CallExpr, use: FormatUse): readonly FormatElement[] {
  const parsed = parseTimeFormat(String(call.options?.['format']), use);
  if ('unknown' in parsed) throw new Error('a format reached the printer unchecked');
  return parsed.elements;
}

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

/** A format for formatDateTime, or a code that needs its own expression. */
type Run = { readonly format: string } | { readonly code: string };

function joinRuns(elements: readonly FormatElement[]): readonly Run[] {
  const runs: Run[] = [];
  for (const element of elements) {
    const format = element.kind === 'text' ? element.text.replaceAll('%', '%%') : DIRECT[element.code];
    const last = runs.at(-1);
    if (format === undefined) runs.push({ code: (element as { code: string }).code });
    else if (last !== undefined && 'format' in last) runs[runs.length - 1] = { format: last.format + format };
    else runs.push({ format });
  }
  return runs;
}

function printRun(run: Run, x: string, zone: TimeZone): string {
  const local = toLocal(x, zone);
  const show = (format: string): string => `formatDateTime(${local}, ${quoteText(format)})`;
  const blank = (number: string): string => `leftPad(toString(${number}), 2, ' ')`;
  const zero = (number: string): string => `leftPad(toString(${number}), 2, '0')`;
  if ('format' in run) return show(run.format);
  switch (run.code) {
    case 'C':
      return `left(${show('%Y')}, 2)`;
    case 'e':
      return blank(`toDayOfMonth(${local})`);
    case 'k':
      return blank(`toHour(${local})`);
    case 'l':
      return blank(`toHour(${local} - toIntervalHour(1)) % 12 + 1`);
    case 'P':
      return `lower(${show('%p')})`;
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
      return quoteText(zoneLabel(zone));
    case 'z':
      return offset(x, zone, '');
    case 'Ez':
      return offset(x, zone, ':');
    default:
      return `left(${show('%S.%f')}, ${3 + Number(run.code.charAt(1))})`;
  }
}

/** `UTC`, or `UTC+2`, `UTC-03:30`. */
function zoneLabel(zone: TimeZone): string {
  const name = timeZoneName(zone);
  return name === 'UTC' ? name : `UTC${name.replace(/:00$/, '').replace(/^([+-])0/, '$1')}`;
}

function offset(x: string, zone: TimeZone, separator: string): string {
  if (zone.kind === 'offset') {
    const name = timeZoneName(zone) === 'UTC' ? '+00:00' : timeZoneName(zone);
    return quoteText(name.replace(':', separator));
  }
  const minutes = `intDiv(${offsetMicros(x, zone)}, 60000000)`;
  const two = (number: string): string => `leftPad(toString(${number}), 2, '0')`;
  return (
    `concat(if(${minutes} < 0, '-', '+'), ${two(`intDiv(abs(${minutes}), 60)`)}, '${separator}', ` +
    `${two(`abs(${minutes}) % 60`)})`
  );
}

function parse(x: string, call: CallExpr): string {
  const elements = elementsOf(call, 'PARSE_TIMESTAMP');
  const safe = call.options?.['safe'] === true;
  const zoned = elements.some((element) => element.kind === 'code' && /z$/.test(element.code));
  if (isIsoFormat(elements) && (zoned || timeZoneName(zoneOf(call)) === 'UTC')) {
    const text = { ...(call.args[0] as CallExpr), type: STRING };
    return cast(x, { kind: 'cast', operand: text, type: TIMESTAMP, safe });
  }
  const parsed = nameOperand(x, call.args[0], (text) => parsedTime(text, elements, safe));
  return zoned ? parsed : fromLocal(parsed, zoneOf(call));
}
