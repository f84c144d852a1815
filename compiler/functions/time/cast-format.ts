/** The text of a time by the format of a cast. */
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { DATETIME, INT64, STRING, TIME } from '../../ir/types';
import type { CastFormatPart } from '../../time/cast-format';
import type { FormatElement } from '../../time/time-format';
import type { TimeZone } from '../../time/time-zone';
import { atTime } from './time-of-day';

type Element = Extract<CastFormatPart, { kind: 'element' }>;

/** Elements that are codes of FORMAT_TIMESTAMP. */
const CODES: Readonly<Record<string, string>> = {
  YYYY: 'Y',
  RRRR: 'Y',
  YY: 'y',
  RR: 'y',
  MONTH: 'B',
  MON: 'b',
  MM: 'm',
  DAY: 'A',
  DY: 'a',
  DDD: 'j',
  DD: 'd',
  HH24: 'H',
  HH12: 'I',
  HH: 'I',
  MI: 'M',
  SS: 'S',
};
const NAMES: ReadonlySet<string> = new Set(['MONTH', 'MON', 'DAY', 'DY']);
const MICROSECOND_DIGITS = 6;

/** @param value a TIMESTAMP, DATETIME, DATE or TIME */
export function formattedTime(value: Expr, parts: readonly CastFormatPart[], zone: TimeZone): Expr {
  const time = value.type.kind === 'TIME' ? onFirstDay(value) : value;
  const texts: Expr[] = [];
  let run: FormatElement[] = [];
  const endRun = (): void => {
    if (run.length > 0) texts.push(shown(time, run, zone));
    run = [];
  };
  for (const part of parts) {
    const plain = plainElement(part);
    if (plain !== undefined) run.push(plain);
    else {
      endRun();
      texts.push(special(time, part as Element, zone));
    }
  }
  endRun();
  const [first, ...others] = texts;
  if (first === undefined) return shown(time, [], zone);
  return others.length === 0 ? first : callOf('concat', [first, ...others], STRING);
}

/** A text, or a code whose letters stay. */
function plainElement(part: CastFormatPart): FormatElement | undefined {
  if (part.kind === 'text') return part;
  const code = CODES[part.name];
  if (code === undefined || (NAMES.has(part.name) && part.letters !== 'capitalized')) return undefined;
  return { kind: 'code', code };
}

function special(time: Expr, { name, letters }: Element, zone: TimeZone): Expr {
  const code = (written: string): Expr => shown(time, [{ kind: 'code', code: written }], zone);
  const cased = (written: Expr): Expr => callOf(letters === 'lower' ? 'lower' : 'upper', [written], STRING);
  const local = time.type.kind === 'TIMESTAMP' ? callOf('to_local', [time], DATETIME, { zone, safe: false }) : time;
  switch (name) {
    case 'YYY':
    case 'Y':
      return callOf('right', [code('Y'), whole(name.length)], STRING, { safe: false });
    case 'D':
      return asText(callOf('extract', [local], INT64, { part: 'DAYOFWEEK' }));
    case 'SSSSS': {
      const micros = callOf('time_micros', [callOf('time_of_day', [local], TIME)], INT64);
      const seconds = asText(callOf('int_div', [micros, whole(1_000_000)], INT64));
      return callOf('pad_left', [seconds, whole(5), text('0')], STRING);
    }
    case 'AM':
    case 'PM':
      return cased(code('p'));
    case 'A.M.':
    case 'P.M.':
      return cased(callOf('replace', [code('p'), text('M'), text('.M.')], STRING));
    case 'TZH':
      return part(code('Ez'), 1, 3);
    case 'TZM':
      return part(code('Ez'), 5, 2);
    default:
      if (name.startsWith('FF')) return fraction(code('E6S'), Number(name.slice(2)));
      return cased(code(CODES[name] as string));
  }
}

/** @param seconds with six digits behind the point */
function fraction(seconds: Expr, digits: number): Expr {
  const known = part(seconds, 4, Math.min(digits, MICROSECOND_DIGITS));
  if (digits <= MICROSECOND_DIGITS) return known;
  return callOf('concat', [known, text('0'.repeat(digits - MICROSECOND_DIGITS))], STRING);
}

function part(of: Expr, start: number, length: number): Expr {
  return callOf('substr', [of, whole(start), whole(length)], STRING, { safe: false });
}

function onFirstDay(time: Expr): Expr {
  return atTime({ kind: 'literal', type: DATETIME, value: 0n }, time, false);
}

function shown(time: Expr, elements: readonly FormatElement[], zone: TimeZone): Expr {
  return callOf('format_time', [time], STRING, { elements, zone });
}

function asText(operand: Expr): Expr {
  return { kind: 'cast', operand, type: STRING, safe: false };
}

function text(value: string): Expr {
  return { kind: 'literal', type: STRING, value };
}

function whole(value: number): Expr {
  return { kind: 'literal', type: INT64, value: BigInt(value) };
}
