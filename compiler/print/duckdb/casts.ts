/** CAST and SAFE_CAST. Text is validated first, because DuckDB's casts accept more than the dialect. */
import type { CastExpr } from '../../ir/expression';
import type { ScalarKind, Type } from '../../ir/types';
import { nameOnce } from './values/bind-once';
import { textOfBytes } from './calls/text/bytes';
import { intervalText } from './calls/time/intervals';
import { raise, typeName } from './values/literals';
import { isWithin, timeOfDayOfText, timeOfText } from './parsing/time-text';

const SPACE = '[\\s\\v]*';
/** Valid text forms of each type; group 1 is passed to DuckDB's cast. Other text becomes '', which fails. */
const TEXT_FORMS: Readonly<Partial<Record<ScalarKind, string>>> = {
  INT64: '([+-]?(?:[0-9]+|0[xX][0-9a-fA-F]+))',
  FLOAT64: '([+-]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|0[xX][0-9a-fA-F]{1,13}|(?i:inf|infinity|nan)))',
  BOOL: '((?i:true|false))',
};

export function cast(operand: string, { operand: { type: from }, type: to, safe }: CastExpr): string {
  if (to.kind === 'BYTES' && from.kind === 'STRING') return `encode(${operand})`;
  if (from.kind === 'STRING') return fromText(operand, to, safe);
  if (from.kind === 'BYTES') return nameOnce(operand, (x) => textOfBytes(x, safe));
  if (to.kind === 'STRING') return toText(operand, from);
  if (from.kind === 'FLOAT64' && to.kind === 'INT64') return convert(`round(${operand})`, 'BIGINT', safe);
  if (isClock(from) && isClock(to)) return operand;
  return convert(operand, typeName(to), safe);
}

/** Text of a scalar value, as written by CAST to STRING. */
export function toText(operand: string, from: Type): string {
  switch (from.kind) {
    case 'FLOAT64':
      // Adding zero removes the sign of zero.
      return nameOnce(`${operand} + CAST('0' AS DOUBLE)`, floatText);
    case 'TIMESTAMP':
      return `(${clockText(operand, ' ')} || '+00')`;
    case 'DATETIME':
      return clockText(operand, ' ');
    case 'INTERVAL':
      return intervalText(operand);
    case 'TIME':
      return withoutZeros(`strftime(make_timestamp(${operand}), '%H:%M:%S.%f')`);
    default:
      return `CAST(${operand} AS VARCHAR)`;
  }
}

/** 15 digits, or 17 if those are another number. @param x a short text, which is repeated */
export function floatText(x: string): string {
  const digits = (count: 15 | 17): string => `printf('%.${count}g', ${x})`;
  return `(CASE WHEN isnan(${x}) THEN 'nan' WHEN CAST(${digits(15)} AS DOUBLE) = ${x} THEN ${digits(15)} ELSE ${digits(17)} END)`;
}

/** Formats as `2026-03-01 08:00:00`, with three or six fractional digits unless they are zero. */
export function clockText(operand: string, separator: ' ' | 'T'): string {
  const whole = `strftime(${operand}, '%Y-%m-%d${separator}%H:%M:%S.%f')`;
  return withoutZeros(whole);
}

function withoutZeros(text: string): string {
  return `regexp_replace(regexp_replace(${text}, '000$', ''), '\\.000$', '')`;
}

function fromText(operand: string, to: Type, safe: boolean): string {
  if (to.kind === 'TIMESTAMP' || to.kind === 'DATETIME' || to.kind === 'DATE')
    return timeOfText(operand, to.kind, safe);
  if (to.kind === 'TIME') return timeOfDayOfText(operand, safe);
  const form = TEXT_FORMS[to.kind as ScalarKind];
  if (form === undefined) return operand;
  // DuckDB's own failure would not say where in the statement it was.
  if (!safe) {
    return nameOnce(
      operand,
      (x) => `coalesce(${fromText(x, to, true)}, CASE WHEN ${x} IS NOT NULL THEN ${raise('bad_cast')} END)`
    );
  }
  const space = to.kind === 'BOOL' ? '' : SPACE;
  const text = `regexp_extract(${operand}, '^${space}${form}${space}$', 1)`;
  if (to.kind === 'INT64' || to.kind === 'FLOAT64') return nameOnce(text, (t) => numberOf(t, to));
  return convert(text, typeName(to), true);
}

/** DuckDB reads hexadecimal digits without a sign, and as integers only. @param t a short text, which is repeated */
function numberOf(t: string, to: Type): string {
  const hex = `regexp_extract(${t}, '^[+-]?0[xX](.*)$', 1)`;
  const value = `CAST(${convert(`concat('0x', ${hex})`, 'UBIGINT', true)} AS HUGEINT)`;
  const signed = `(CASE WHEN starts_with(${t}, '-') THEN - ${value} ELSE ${value} END)`;
  return `(CASE WHEN ${hex} <> '' THEN ${convert(signed, typeName(to), true)} ELSE ${convert(t, typeName(to), true)} END)`;
}

/** Checks the range: a format may lead to the year 0. @param x a short text, which is repeated */
export function knownTime(x: string, safe: boolean): string {
  const outside = safe ? 'NULL' : raise('bad_time');
  return `(CASE WHEN ${isWithin(x)} THEN ${x} WHEN ${x} IS NOT NULL THEN ${outside} END)`;
}

function convert(operand: string, type: string, safe: boolean): string {
  return `${safe ? 'TRY_CAST' : 'CAST'}(${operand} AS ${type})`;
}

function isClock(type: Type): boolean {
  return type.kind === 'TIMESTAMP' || type.kind === 'DATETIME';
}
