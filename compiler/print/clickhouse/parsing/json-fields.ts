/**
 * Reads nested fields from the JSON text that ingestion wrote. Values of an unexpected form read as NULL and never fail
 * the query.
 */
import type { JsonFieldExpr } from '../../../ir/expression';
import type { Type } from '../../../ir/types';
import { SCALAR_FORMS } from '../../base/json/json';
import { nameOnce } from '../values/bind-once';
import { listOf } from '../values/lists';
import { castTo, quoteText } from '../values/literals';
import { hasOddNumber, unmarkedJson, withMarkedNumbers } from './json-text';

export function jsonField(base: string, { path, type }: Pick<JsonFieldExpr, 'path' | 'type'>): string {
  const { kind } = type.kind === 'ARRAY' ? type.element : type;
  const isText = type.kind === 'ARRAY' && kind === 'STRING';
  const raw =
    isText || isRecord(kind) ? exactAt(base, path, isText ? MAY_HAVE_NUMBER : MAY_BE_WHOLE) : rawAt(base, path);
  if (type.kind !== 'ARRAY') return nameOnce(raw, (v) => castTo(valueOf(v, type), type));
  const { element } = type;
  return nameOnce(isRecord(kind) ? nameOnce(raw, listed) : raw, (v) => {
    const items = castTo(listOf(`arrayMap(v -> ${valueOf('v', element)}, ${itemsOf(v, element)})`), type);
    return `if(startsWith(${v}, '['), ${items}, NULL)`;
  });
}

/** Objects from before the field was a list of records are lists of one. */
export function listed(json: string): string {
  return `if(startsWith(${json}, '{'), concat('[', ${json}, ']'), ${json})`;
}

function isRecord(kind: Type['kind']): boolean {
  return kind === 'RECORD' || kind === 'SINGLE';
}

function rawAt(base: string, path: readonly string[]): string {
  return `JSONExtractRaw(ifNull(${base}, ''), ${path.map(quoteText).join(', ')})`;
}

/**
 * With the digits of its numbers: they become texts, or a fraction would look like a whole number.
 *
 * @param form matches text of ClickHouse in which other digits would matter
 */
function exactAt(base: string, path: readonly string[], form: string): string {
  const read = (x: string): string => {
    const raw = rawAt(x, path);
    const exact = unmarkedJson(rawAt(withMarkedNumbers(`ifNull(${x}, '')`), path));
    const mayDiffer = `match(${raw}, ${quoteText(form)}) AND ${hasOddNumber(`ifNull(${x}, '')`)}`;
    return `if(${mayDiffer}, ${exact}, ${raw})`;
  };
  // A column is not copied into an array.
  return /^[\w."]+$/.test(base) ? read(base) : nameOnce(base, read);
}

/** Matches JSON without blanks that has a number, and few others. */
const MAY_HAVE_NUMBER = '(?:^|[:,\\[])-?[0-9]';
/** Matches JSON with a number from 2^53 on, and few others: clients get whole ones in quotes. */
const MAY_BE_WHOLE = '[0-9]{16}';
/** Matches JSON with a fraction that ClickHouse may write as such a number. */
const MAY_BECOME_WHOLE = '[0-9](?:[eE]|[0-9]{15}\\.)';

/**
 * ClickHouse writes numbers with digits of its own, fractions below 1e21 as whole numbers, and does not read those of
 * more than 64 bits again.
 *
 * @param raw JSON text of an array, a short text
 */
function itemsOf(raw: string, element: Type): string {
  const items = `JSONExtractArrayRaw(${raw})`;
  const marked = `arrayMap(x -> ${unmarkedJson('x')}, JSONExtractArrayRaw(${withMarkedNumbers(raw)}))`;
  const isOdd = isRecord(element.kind)
    ? `(match(${raw}, ${quoteText(MAY_BECOME_WHOLE)}) AND ${hasOddNumber(raw)})`
    : hasOddNumber(raw);
  const hasDigits = element.kind === 'STRING' || isRecord(element.kind);
  const isPlain = `notEmpty(${items})${hasDigits ? ` AND NOT ${isOdd}` : ''}`;
  return `if(${raw} = '[]' OR (${isPlain}), ${items}, ${marked})`;
}

/** @param raw JSON text of the value, a short text; empty if absent */
function valueOf(raw: string, type: Type): string {
  switch (type.kind) {
    case 'RECORD':
    case 'SINGLE':
      // An array of one object is treated as that object.
      return (
        `multiIf(startsWith(${raw}, '{'), ${raw}, startsWith(${raw}, '[{') AND JSONLength(${raw}) = 1, ` +
        `substring(${raw}, 2, length(${raw}) - 2), NULL)`
      );
    case 'STRING':
      return `multiIf(startsWith(${raw}, '"'), JSONExtractString(${raw}), ${raw} IN ('', 'null'), NULL, ${raw})`;
    default:
      return scalarOf(raw, type);
  }
}

function scalarOf(raw: string, type: Type): string {
  const form = SCALAR_FORMS[type.kind];
  if (form === undefined) throw new Error(`JSON text holds no ${type.kind}`);
  const text = `extract(${raw}, ${quoteText(form.value)})`;
  const value =
    type.kind === 'INT64'
      ? `toInt64OrNull(${text})`
      : type.kind === 'FLOAT64'
        ? `nullIf(nullIf(toFloat64OrNull(${text}), toFloat64('inf')), toFloat64('-inf'))`
        : `${text} = 'true'`;
  return `if(match(${raw}, ${quoteText(form.whole)}), ${value}, NULL)`;
}
