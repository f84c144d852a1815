/** Converts the sides of a comparison to one type. */
import { ServiceError } from '#contract/errors';
import type { SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import { lengthOf } from '../../functions/time/interval-values';
import type { Mapped } from '../../ir/operations/ops';
import { INT64, isComparable, isNumeric, isOrdered, shortTypeName, typeName, type Type } from '../../ir/types';
import { isCastable } from './cast-types';
import { coerce, commonType, isRecordLike } from './coerce';
import { failure } from '../failure';
import { epochHint } from './epoch-hint';
import { itemAt, mapItems } from '../../items';

/**
 * Values converted for comparison: text parameters and literals take the type of the other side, INT64 becomes FLOAT64.
 * @throws type_mismatch `cannot compare STRING with INT64; use CAST`
 */
export function comparable<const T extends readonly Value[]>(values: T, position: SourcePosition): Mapped<T, Value> {
  const nested = values.find((value) => isRecordLike(value.type));
  if (nested !== undefined) {
    if (isComparable(nested.type)) throw differentStructure(values, nested, position);
    throw failure('type_mismatch', `cannot compare ${shortTypeName(nested.type)} values`, nested.position, {
      hint: 'open the array with CROSS JOIN UNNEST(...) AS x and compare its fields',
    });
  }
  const type = targetType(values);
  if (type === undefined || !isOrdered(type)) throw mismatch(values, position);
  try {
    return mapItems(values, (value) => byLength(coerce(value, type, 'comparison')));
  } catch (error) {
    if (isMismatch(error)) throw mismatch(values, position);
    throw error;
  }
}

/** Intervals with different parts are equal if they have one length. */
function byLength(value: Value): Value {
  return value.type.kind === 'INTERVAL' ? { ...value, expr: lengthOf(value.expr), type: INT64 } : value;
}

/** A parameter takes the type of the other side; two texts are compared as text. */
function targetType(values: readonly Value[]): Type | undefined {
  const fixed = values.filter((value) => value.text !== 'parameter' && value.type.kind !== 'NULL');
  const firm = fixed.filter((value) => value.text === null);
  const wanted = firm.length > 0 ? firm : fixed.length > 0 ? fixed : values;
  const common = commonType(wanted);
  if (common === undefined) return undefined;
  // INT64 and a text with a fraction are compared as FLOAT64 instead of failing.
  if (isNumeric(common) && values.some((value) => value.type.kind === 'FLOAT64')) return { kind: 'FLOAT64' };
  return common;
}

/** Error: values without an order, or of different structures. */
function differentStructure(values: readonly Value[], nested: Value, position: SourcePosition): Error {
  const names = [...new Set(values.map(({ type }) => typeName(type)))];
  return names.length === 1
    ? failure('type_mismatch', `${names.join()} values have no order`, position, { hint: 'compare their parts' })
    : failure('type_mismatch', `cannot compare ${names.slice(0, 2).join(' with ')}`, nested.position, {
        ...(isListOfOther(values) && { hint: 'for an element of the array write x IN UNNEST(array)' }),
      });
}

/** Whether one side is an array, and the other what its elements may be. */
function isListOfOther(values: readonly Value[]): boolean {
  const lists = values.filter(({ type }) => type.kind === 'ARRAY');
  return lists.length === 1 && values.some(({ type }) => !isRecordLike(type));
}

/** A number beside a text: texts would be compared character by character, where 10 is less than 9. */
function numberHint(values: readonly Value[]): string | undefined {
  const text = values.find(({ type }) => type.kind === 'STRING');
  if (text === undefined || !values.some(({ type }) => isNumeric(type))) return undefined;
  const { expr } = text;
  const literal = expr.kind === 'bound' ? expr.value.value : expr.kind === 'literal' ? expr.value : null;
  return text.text === 'literal' && typeof literal === 'string' && /^-?\d{1,18}(?:\.\d{1,18})?$/.test(literal)
    ? `write ${literal} without quotes`
    : 'write SAFE_CAST(... AS FLOAT64) around the text';
}

function mismatch(values: readonly Value[], position: SourcePosition): Error {
  const first = itemAt(values, 0);
  const others = values.filter((value) => value.type.kind !== first.type.kind);
  // A text that is constant may convert, and is not what differs then.
  const other = others.find(({ text }) => text === null) ?? others[0] ?? first;
  const json = values.find((value) => value.type.kind === 'JSON');
  if (json !== undefined) {
    throw failure('type_mismatch', 'cannot compare JSON values', json.position, {
      hint: 'compare what a member converts to: STRING(j.a), INT64(j.n), JSON_VALUE(j.a)',
    });
  }
  const amount = amountHint(first, other) ?? amountHint(other, first);
  return failure(
    'type_mismatch',
    `cannot compare ${shortTypeName(first.type)} with ${shortTypeName(other.type)}${amount === undefined ? '; use CAST' : ''}`,
    position,
    { hint: amount ?? numberHint([first, other]) ?? conversionHint(first.type, other.type) }
  );
}

/** A number beside a time or an amount of time. */
function amountHint({ type }: Value, number: Value): string | undefined {
  if (number.type.kind === 'FLOAT64' && type.kind === 'TIMESTAMP') return 'use TIMESTAMP_SECONDS(CAST(... AS INT64))';
  if (number.type.kind !== 'INT64') return undefined;
  const { expr } = number;
  const amount = expr.kind === 'literal' && typeof expr.value === 'bigint' ? String(expr.value) : 'n';
  switch (type.kind) {
    case 'TIMESTAMP':
      return epochHint(number);
    case 'INTERVAL':
      return `write INTERVAL ${amount} SECOND, or compare TIMESTAMP_DIFF(later, earlier, SECOND)`;
    case 'DATE':
      return "write a date as DATE '2026-03-01'";
    case 'DATETIME':
      return "write a time as DATETIME '2026-03-01 08:00:00'";
    case 'TIME':
      return "write a time of day as TIME '08:30:00'";
    default:
      return undefined;
  }
}

function conversionHint(first: Type, other: Type): string {
  const isOtherCast = isCastable(other, first) || !isCastable(first, other);
  const [type, side] = isOtherCast ? [first, 'the other side'] : [other, 'the first side'];
  return `write CAST(... AS ${shortTypeName(type)}) around ${side}`;
}

function isMismatch(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.details.reason === 'type_mismatch' && error.message.startsWith('comparison expects');
}
