/** Texts as times. DuckDB's own casts accept more, and one with a time zone can change how later rows are read. */
import { MICROS_PER_DAY } from '../../../time/parse-iso';
import { raise } from '../values/literals';
import { nameOnce } from '../values/bind-once';
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
import { forLambda } from '../values/for-lambda';

const DAY = `(?:${YEAR})-[0-9]{1,2}-[0-9]{1,2}`;
const clock = (fraction: string): string => `(?:${HOUR}):(?:${MINUTE}):(?:${SECOND})(?:\\.${fraction})?`;

/** Groups: local time, its offset; date, its offset. */
const TIMESTAMP = `^(?:(${DAY}[Tt ]${clock(FRACTION.TIMESTAMP)})(?:${ZONE})?|(${DAY})(?:[Tt ]${OFFSET})?)$`;
const GROUPS = "['l', 's', 'h', 'm', 'd', 't', 'i', 'n']";
const DATETIME = `^(${DAY}(?:[Tt ]${clock(FRACTION.DATETIME)})?)$`;
const DATE = `^(${DAY})$`;

export function timeOfText(operand: string, kind: 'TIMESTAMP' | 'DATETIME' | 'DATE', safe: boolean): string {
  if (kind === 'TIMESTAMP') return timestamp(operand, safe);
  const read = kind === 'DATE' ? date : datetime;
  if (safe && kind === 'DATE') return read(operand);
  return nameOnce(operand, (v) =>
    safe ? read(v) : `coalesce(${read(v)}, CASE WHEN ${v} IS NOT NULL THEN ${raise('bad_time')} END)`
  );
}

function date(x: string): string {
  return `TRY_CAST(regexp_extract(${x}, '${DATE}', 1) AS DATE)`;
}

function datetime(x: string): string {
  const text = `upper(regexp_extract(${x}, '${DATETIME}', 1))`;
  const minute = `regexp_replace(${text}, ':60.*$', ':59')`;
  const late = known(`TRY_CAST(${minute} AS TIMESTAMP) + INTERVAL 1 SECOND`, (r) => within(r));
  return `(CASE WHEN regexp_matches(${x}, ':[0-9]+:60') THEN ${late} ELSE TRY_CAST(${text} AS TIMESTAMP) END)`;
}

function timestamp(operand: string, safe: boolean): string {
  return nameOnce(`regexp_extract(${operand}, '${TIMESTAMP}', ${GROUPS})`, (v) => {
    const [sign, hours, minutes] = [`(${v}.s || ${v}.t)`, `(${v}.h || ${v}.i)`, `(${v}.m || ${v}.n)`];
    const plain = `TRY_CAST(upper(${v}.l || ${v}.d) AS TIMESTAMP)`;
    const leap = `to_seconds(CASE WHEN contains(${v}.l, ':60') THEN 1 ELSE 0 END)`;
    const local = `TRY_CAST(replace(upper(${v}.l || ${v}.d), ':60', ':59') AS TIMESTAMP) + ${leap}`;
    const number = (digits: string): string => `coalesce(TRY_CAST(${digits} AS BIGINT), 0)`;
    const offset = `(${number(hours)} * 60 + ${number(minutes)})`;
    const zoned =
      `(CASE WHEN ${number(minutes)} < 60 AND ${offset} <= ${WIDEST_OFFSET_MINUTES} ` +
      `THEN ${local} - to_minutes(CASE WHEN ${sign} = '-' THEN -${offset} ELSE ${offset} END) END)`;
    const value = `(CASE WHEN ${sign} = '' AND NOT contains(${v}.l, ':60') THEN ${plain} ELSE ${zoned} END)`;
    const failure = safe ? '' : ` WHEN ${v} IS NOT NULL THEN ${raise('bad_time')}`;
    return known(value, (r) => `(CASE WHEN ${isWithin(r)} THEN ${r}${failure} END)`);
  });
}

/** Microseconds since midnight. A second 60 is the first of the next minute, without a fraction. */
export function timeOfDayOfText(operand: string, safe: boolean): string {
  return nameOnce(`regexp_extract(${operand}, '${TIME_OF_DAY}', ['h', 'm', 's', 'f'])`, (v) => {
    const number = (digits: string): string => `CAST(${digits} AS BIGINT)`;
    const seconds = `((${number(`${v}.h`)} * 60 + ${number(`${v}.m`)}) * 60 + ${number(`${v}.s`)})`;
    const fraction = `(CASE WHEN ${v}.s = '60' THEN 0 ELSE ${number(`rpad(${v}.f, 6, '0')`)} END)`;
    const failure = safe ? '' : ` ELSE ${raise('bad_time')}`;
    return (
      `(CASE WHEN ${v} IS NULL THEN NULL WHEN ${v}.h <> '' ` +
      `THEN (${seconds} * 1000000 + ${fraction}) % ${MICROS_PER_DAY}${failure} END)`
    );
  });
}

/** Names a value inside of `nameOnce`. */
function known(sql: string, body: (name: string) => string): string {
  return `list_extract(list_transform(${forLambda(`[${sql}]`)}, lambda r: ${body('r')}), 1)`;
}

function within(x: string): string {
  return `(CASE WHEN ${isWithin(x)} THEN ${x} END)`;
}

export function isWithin(x: string): string {
  return `${x} BETWEEN TIMESTAMP '0001-01-01 00:00:00' AND TIMESTAMP '9999-12-31 23:59:59.999999'`;
}
