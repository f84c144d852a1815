/** CAST and SAFE_CAST. Text is validated before ClickHouse reads it. */
import type { CastExpr } from '../../ir/expression';
import { isTime, type Type } from '../../ir/types';
import { isConstant } from '../../ir/operations/call';
import { bindOnce, nameOnce } from './values/bind-once';
import { textOfBytes } from './calls/text/bytes';
import { intervalText } from './calls/time/intervals';
import { roundHalfAway } from './calls/numbers/numbers';
import { castTo, fromMicros, int, micros, quoteText } from './values/literals';
import { orFail } from './values/or-fail';
import { timeOfDayOfText, timeOfText } from './parsing/time-text';
import { MICROS_PER_DAY } from '../../time/parse-iso';

const SPACE = '[\\s\\v]*';
const INTEGER = '([+-]?(?:[0-9]+|0[xX][0-9a-fA-F]+))';
const FLOAT =
  '([+-]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|0[xX][0-9a-fA-F]{1,13}|(?i:inf|infinity|nan)))';

export function cast(operand: string, { operand: expr, type: to, safe }: CastExpr): string {
  const from = expr.type;
  if (to.kind === 'BYTES' && from.kind === 'STRING') return operand;
  if (from.kind === 'BYTES') return bindOnce([{ sql: operand, expr }] as const, (x) => textOfBytes(x, safe));
  if (from.kind === 'STRING') {
    const read = (x: string): string => fromText(x, to, safe);
    // ClickHouse evaluates a constant at planning time, where a failure would occur even in a branch that no row takes.
    if (!safe && isConstant(expr)) return nameOnce(`materialize(${operand})`, read);
    return bindOnce([{ sql: operand, expr }] as const, read);
  }
  if (to.kind === 'STRING') return toText(operand, from);
  if (from.kind === 'FLOAT64' && to.kind === 'INT64') {
    return bindOnce([{ sql: operand, expr }] as const, (x) =>
      safe ? `accurateCastOrNull(${roundHalfAway(x)}, 'Int64')` : `accurateCast(${roundHalfAway(x)}, 'Nullable(Int64)')`
    );
  }
  if (isTime(from) && to.kind === 'DATE' && from.kind !== 'DATE') {
    return bindOnce([{ sql: operand, expr }] as const, (x) =>
      fromMicros(`(${micros(x)} - positiveModulo(${micros(x)}, ${int(MICROS_PER_DAY)}))`)
    );
  }
  if (isTime(from) && isTime(to)) return operand;
  if (to.kind === 'BOOL') return `(${operand} <> 0)`;
  return castTo(operand, to);
}

/** Text of a scalar value, as written by CAST to STRING. */
export function toText(operand: string, from: Type): string {
  switch (from.kind) {
    case 'FLOAT64':
      return nameOnce(`(${operand} + 0)`, floatText);
    case 'BOOL':
      return `toString(${castTo(operand, from)})`;
    case 'TIMESTAMP':
      return `concat(${clockText(operand, ' ')}, '+00')`;
    case 'DATETIME':
      return clockText(operand, ' ');
    case 'INTERVAL':
      return intervalText(operand);
    case 'TIME':
      return `substring(${clockText(fromMicros(operand), ' ')}, 12)`;
    case 'DATE':
      return `substring(toString(${operand}), 1, 10)`;
    default:
      return `toString(${operand})`;
  }
}

/** Formats as `2026-03-01 08:00:00`, with three or six fractional digits unless they are zero. */
export function clockText(operand: string, separator: ' ' | 'T'): string {
  const short = `replaceRegexpOne(replaceRegexpOne(toString(${operand}), '000$', ''), '\\\\.000$', '')`;
  return separator === ' ' ? short : `replaceOne(${short}, ' ', 'T')`;
}

/** 15 digits, or 17 if those are another number. @param x a short text, which is repeated */
export function floatText(x: string): string {
  const digits = (count: 15 | 17): string => `printf('%.${count}g', ${x})`;
  return `(CASE WHEN isNaN(${x}) THEN 'nan' WHEN toFloat64OrNull(${digits(15)}) = ${x} THEN ${digits(15)} ELSE ${digits(17)} END)`;
}

/**
 * Text of a number of a field whose type has become text. Shortest digits, with an exponent of at least two digits
 * below 1e-4 and from 1e16 on; ClickHouse uses one below 1e-6 and from 1e21 on.
 */
export function storedNumberText(operand: string): string {
  return nameOnce(`toString(${operand} + 0)`, shortestText);
}

/** @param s ClickHouse's text */
function shortestText(s: string): string {
  const digits = `replaceRegexpOne(${s}, '^-?', '')`;
  const sign = `if(startsWith(${s}, '-'), '-', '')`;
  const pointed = (text: string): string => `replaceRegexpOne(${text}, '^([0-9])([0-9]+)$', '\\\\1.\\\\2')`;
  const large = `concat(${sign}, ${pointed(`replaceRegexpOne(${digits}, '0+$', '')`)}, 'e+', toString(length(${digits}) - 1))`;
  const small = `concat(${sign}, ${pointed(`replaceRegexpOne(${digits}, '^0\\\\.0+', '')`)}, 'e-0', toString(length(extract(${digits}, '^0\\\\.(0+)')) + 1))`;
  return (
    `(CASE WHEN ${s} = '-0' THEN '0' WHEN ${s} = '-nan' THEN 'nan' ` +
    `WHEN match(${s}, '^-?[0-9]{17,}$') THEN ${large} WHEN match(${s}, '^-?0\\\\.0000') THEN ${small} ` +
    `ELSE replaceRegexpOne(replaceRegexpOne(${s}, 'e([0-9])', 'e+\\\\1'), 'e-([0-9])$', 'e-0\\\\1') END)`
  );
}

/** @param x a short text, which is repeated */
function fromText(x: string, to: Type, safe: boolean): string {
  switch (to.kind) {
    case 'INT64':
      return orFail(x, nameOnce(extracted(x, INTEGER), integerOf), safe, 'bad_cast');
    case 'FLOAT64':
      return orFail(x, nameOnce(extracted(x, FLOAT), floatOf), safe, 'bad_cast');
    case 'BOOL': {
      const value = nameOnce(
        `extract(${x}, '^((?i:true|false))$')`,
        (t) => `if(${t} = '', NULL, lower(${t}) = 'true')`
      );
      return orFail(x, value, safe, 'bad_cast');
    }
    case 'TIMESTAMP':
    case 'DATETIME':
    case 'DATE':
      return timeOfText(x, to.kind, safe);
    case 'TIME':
      return timeOfDayOfText(x, safe);
    default:
      return x;
  }
}

function extracted(x: string, form: string): string {
  return `extract(${x}, ${quoteText(`^${SPACE}${form}${SPACE}$`)})`;
}

function integerOf(t: string): string {
  const decimal = `replaceRegexpOne(replaceRegexpOne(${t}, '^\\\\+', ''), '^(-?)0+([0-9])', '\\\\1\\\\2')`;
  return (
    `(CASE WHEN match(${t}, '^[+-]?0[xX]0*[0-9a-fA-F]{0,16}$') THEN accurateCastOrNull(${ofHex(t)}, 'Int64') ` +
    `WHEN match(${decimal}, '^-?[0-9]{1,30}$') THEN accurateCastOrNull(toInt128OrNull(${decimal}), 'Int64') END)`
  );
}

/** Value of a sign, 0x and up to 16 digits that are not leading zeros. */
function ofHex(t: string): string {
  const digits = `leftPad(replaceRegexpOne(${t}, '^[+-]?0[xX]0*', ''), 16, '0')`;
  return `(if(startsWith(${t}, '-'), -1, 1) * toInt128(reinterpretAsUInt64(reverse(unhex(${digits})))))`;
}

function floatOf(t: string): string {
  return (
    `(CASE WHEN match(${t}, '^[+-]?0[xX]') THEN toFloat64(${ofHex(t)}) WHEN match(${t}, '(?i)inf') THEN toFloat64(if(startsWith(${t}, '-'), '-inf', 'inf')) ` +
    `WHEN match(${t}, '(?i)nan') THEN toFloat64('nan') ELSE toFloat64OrNull(replaceRegexpOne(${t}, '^\\\\+', '')) END)`
  );
}
