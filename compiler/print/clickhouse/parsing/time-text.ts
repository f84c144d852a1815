/** Texts as times: groups of one pattern, from which the time is computed. */
import { MICROS_PER_DAY } from '../../../time/parse-iso';
import { nameOnce } from '../values/bind-once';
import { int, knownMicros, micros, quoteText } from '../values/literals';
import { orFail } from '../values/or-fail';
import {
  FRACTION,
  HOUR,
  MINUTE,
  OFFSET,
  SECOND,
  TIME_OF_DAY,
  WIDEST_OFFSET_MINUTES,
  YEAR,
  ZONE,
} from '../../base/time/time-text';

const DAY = `(${YEAR})-([0-9]{1,2})-([0-9]{1,2})`;
const clock = (fraction: string): string => `(${HOUR}):(${MINUTE}):(${SECOND})(?:\\.(${fraction}))?`;

/** Groups: year, month, day; hour, minute, second, fraction; twice sign, hours and minutes of an offset. */
const FORMS = {
  TIMESTAMP: `^${DAY}(?:[Tt ]${clock(FRACTION.TIMESTAMP)}(?:${ZONE})?|[Tt ]${OFFSET})?$`,
  DATETIME: `^${DAY}(?:[Tt ]${clock(FRACTION.DATETIME)})?$`,
  DATE: `^${DAY}$`,
} as const;

/** @param x a short text, which is repeated */
export function timeOfText(x: string, kind: 'TIMESTAMP' | 'DATETIME' | 'DATE', safe: boolean): string {
  const groups = `extractGroups(ifNull(${x}, ''), ${quoteText(FORMS[kind])})`;
  const value = nameOnce(groups, (g) => `if(empty(${g}), NULL, ${kind === 'DATE' ? startOfDay(g) : instant(g, kind)})`);
  return orFail(x, value, safe, 'bad_time');
}

/** Microseconds since midnight. A second 60 is the first of the next minute, without a fraction. */
export function timeOfDayOfText(x: string, safe: boolean): string {
  const groups = `extractGroups(ifNull(${x}, ''), ${quoteText(TIME_OF_DAY)})`;
  const value = nameOnce(groups, (g) => {
    const number = (index: number): string => `toInt64OrZero(${g}[${index}])`;
    const seconds = `((${number(1)} * 60 + ${number(2)}) * 60 + ${number(3)})`;
    const fraction = `if(${g}[3] = '60', 0, toInt64OrZero(rightPad(${g}[4], 6, '0')))`;
    const micros = `toInt64((${seconds} * ${int(1_000_000)} + ${fraction}) % ${int(MICROS_PER_DAY)})`;
    return `if(empty(${g}), NULL, ${micros})`;
  });
  return orFail(x, value, safe, 'bad_time');
}

function startOfDay(g: string): string {
  return checkedDate(`concat(${part(g, 1, 4)}, '-', ${part(g, 2, 2)}, '-', ${part(g, 3, 2)}, ' 00:00:00.000000')`);
}

function instant(g: string, kind: 'TIMESTAMP' | 'DATETIME'): string {
  const number = (index: number): string => `toInt64OrZero(${g}[${index}])`;
  const fraction = `toInt64OrZero(rightPad(substring(${g}[7], 1, 6), 6, '0'))`;
  const ofSecond = kind === 'TIMESTAMP' ? fraction : `if(${g}[6] = '60', 0, ${fraction})`;
  const ofDay = `((${number(4)} * 60 + ${number(5)}) * 60 + ${number(6)}) * ${int(1_000_000)} + ${ofSecond}`;
  const local = `${micros(startOfDay(g))} + ${ofDay}`;
  if (kind === 'DATETIME') return nameOnce(local, knownMicros);
  const minutes = `(${number(10)} + ${number(13)})`;
  const offset = `((${number(9)} + ${number(12)}) * 60 + ${minutes})`;
  const sign = `if(${g}[8] = '-' OR ${g}[11] = '-', -1, 1)`;
  const isOffset = `${minutes} < 60 AND ${offset} <= ${WIDEST_OFFSET_MINUTES}`;
  return nameOnce(`if(${isOffset}, ${local} - ${sign} * ${offset} * ${int(60_000_000)}, NULL)`, knownMicros);
}

function part(g: string, index: number, length: number): string {
  return `leftPad(${g}[${index}], ${length}, '0')`;
}

/** Parses `2026-03-01 00:00:00.000000`; NULL for an invalid day, which ClickHouse would move to the next month. */
function checkedDate(text: string): string {
  return nameOnce(text, (t) => {
    const value = `toDateTime64OrNull(${t}, 6, 'UTC')`;
    const wrong = `toString(${value}) <> ${t} OR ${value} IS NULL`;
    return `(CASE WHEN ${wrong} THEN NULL ELSE ${value} END)`;
  });
}
