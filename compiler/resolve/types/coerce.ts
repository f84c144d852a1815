/** Implicit conversions of the dialect. */
import type { ServiceError } from '#contract/errors';
import type { SourcePosition } from '../../ast';
import { isEmptyList } from '../../functions/empty-list';
import type { Value } from '../../functions/function';
import type { BoundValue } from '../../ir/bound-value';
import type { BoundExpr, Expr } from '../../ir/expression';
import {
  BOOL,
  INT64,
  isNumeric,
  isTime,
  NULL_TYPE,
  sameType,
  shortTypeName,
  typeName,
  type RecordShape,
  type StructField,
  type Type,
} from '../../ir/types';
import { isAscii } from '../../functions/text/ascii';
import { hexOfText } from '../../sql/lexer/read-bytes';
import { parseIsoDate, parseIsoTimestamp } from '../../time/parse-iso';
import { amountOfText } from '../../time/interval-amount';
import { readDate, readDatetime, readTimeOfDay, readTimestamp } from '../../time/time-text';
import { callOf, isCall } from '../../ir/operations/call';
import { mayFail } from '../../ir/passes/conditions/may-fail';
import { atSiteOf } from '../../ir/sites';
import { some } from '../../ir/walk/children';
import { failure } from '../failure';
import { castHint, isCastable } from './cast-types';
import { epochHint } from './epoch-hint';
import { convertNested, fieldAt } from './convert-nested';
import { itemAt } from '../../items';

/** Description of the expected text for errors. */
const WANTED: Readonly<Partial<Record<Type['kind'], string>>> = {
  INT64: 'a whole number',
  FLOAT64: 'a number',
  BOOL: 'true or false',
  TIMESTAMP: 'an ISO 8601 time',
  DATETIME: 'an ISO 8601 time',
  DATE: 'an ISO 8601 date',
  TIME: 'a time of day',
};

/** Whether `coerce` would succeed. */
function isCoercible(value: Value, type: Type): boolean {
  const from = value.type;
  if (from.kind === 'NULL' || sameType(from, type)) return true;
  if (isEmptyList(value)) return isListLike(type);
  if (from.kind === 'INT64' && type.kind === 'FLOAT64') return true;
  if (from.kind === 'DATE' && type.kind === 'DATETIME') return true;
  if (from.kind === 'STRING' && value.text !== null && (isTime(type) || type.kind === 'TIME')) return true;
  if (type.kind === 'BYTES') return value.text === 'literal' && isAsciiConstant(value.expr);
  if (from.kind === 'STRING' && value.text === 'parameter') return isNumeric(type) || type.kind === 'BOOL';
  if (from.kind === 'ARRAY' && type.kind === 'ARRAY') return isCoercible(anElement(value, from.element), type.element);
  if (from.kind === 'STRUCT' && type.kind === 'STRUCT') return areFieldsCoercible(fieldsOf(value), type.fields);
  return isRecordLike(from) && from.kind === type.kind;
}

function isListLike({ kind }: Type): boolean {
  return kind === 'ARRAY' || kind === 'RECORD' || kind === 'SINGLE';
}

/** Only these literals convert to BYTES: what others become depends on their encoding. */
function isAsciiConstant(expr: Expr): boolean {
  const value = expr.kind === 'bound' ? expr.value.value : expr.kind === 'literal' ? expr.value : null;
  return typeof value === 'string' && isAscii(value);
}

/** Structs convert by position. */
function areFieldsCoercible(from: readonly Value[], to: readonly StructField[]): boolean {
  return from.length === to.length && from.every((field, index) => isCoercible(field, itemAt(to, index).type));
}

/** Fields of a struct. Those that the query writes keep the implicit conversions of texts. */
export function fieldsOf(value: Value): readonly Value[] {
  const { type, expr, fields } = value;
  if (type.kind !== 'STRUCT') return [];
  return type.fields.map((field, index) => {
    const known = fields?.[index];
    const found = fieldAt(expr, index);
    return known?.expr === found ? known : partOf({ ...value, expr: found }, field.type);
  });
}

/** Some element of an array, for its type only. */
function anElement({ position }: Value, type: Type): Value {
  return { expr: { kind: 'literal', type, value: null }, type, text: null, position };
}

function partOf({ expr, position }: Value, type: Type): Value {
  return { expr, type, text: null, position };
}

/** Hint for queries that treat a TIMESTAMP as the number that responses contain. */
function numberHint(found: Type, wanted: Type): string | undefined {
  const isNumber = wanted.kind === 'INT64' || wanted.kind === 'FLOAT64';
  return found.kind === 'TIMESTAMP' && isNumber
    ? 'use UNIX_SECONDS(...), UNIX_MILLIS(...) or UNIX_MICROS(...); functions of times take it as it is'
    : undefined;
}

function recordHint(record: Type, wanted: Type): string {
  const fields =
    shortTypeName(record) === 'STRUCT'
      ? 'use its fields'
      : 'open the array with CROSS JOIN UNNEST(...) AS x and use its fields';
  return wanted.kind === 'STRING' ? `${fields}, or TO_JSON_STRING(...) for its whole text` : fields;
}

/** What to write for a value of another type: a function, or a cast that exists. */
function conversion(value: Value, wanted: Type): { readonly hint?: string | undefined; readonly isCast: boolean } {
  const found = value.type;
  if (isRecordLike(found)) return { hint: recordHint(found, wanted), isCast: false };
  const epoch = wanted.kind === 'TIMESTAMP' ? epochHint(value) : numberHint(found, wanted);
  if (epoch !== undefined) return { hint: epoch, isCast: false };
  const written = writtenText(value);
  if (written !== undefined && !isReadAs(written, wanted)) return { isCast: false };
  if (written !== undefined && (isNumeric(wanted) || wanted.kind === 'BOOL'))
    return { hint: `write ${written.trim()} without quotes`, isCast: false };
  if (wanted.kind === 'BOOL' && found.kind === 'INT64') return { hint: 'compare it, as in x > 0', isCast: false };
  if (wanted.kind === 'BOOL' && found.kind === 'STRING')
    return { hint: "compare it, as in x = 'a', or use CAST(... AS BOOL) for true and false", isCast: true };
  const target = found.kind === 'BOOL' && wanted.kind === 'FLOAT64' ? INT64 : wanted;
  if (isCastable(found, target)) return { hint: `use CAST(... AS ${shortTypeName(target)})`, isCast: true };
  return { ...castHint(found, wanted), isCast: false };
}

/** The text of a literal. */
function writtenText({ text, expr }: Value): string | undefined {
  if (text !== 'literal') return undefined;
  const value = expr.kind === 'bound' ? expr.value.value : expr.kind === 'literal' ? expr.value : null;
  return typeof value === 'string' ? value : undefined;
}

/** Whether a cast of the text would not fail. */
function isReadAs(text: string, wanted: Type): boolean {
  return !isCastable({ kind: 'STRING' }, wanted) || parseConstant(text, wanted, 'cast') !== undefined;
}

/** Error for values without a common type. `what` names them in the message. */
export function noCommonType(values: readonly Value[], what: string, position: SourcePosition): ServiceError {
  const types = values.map(({ type }) => type).filter(({ kind }) => kind !== 'NULL');
  const names = [...new Set(types.map(shortTypeName))].join(' and ');
  const message = `${what} must have one type, found ${names}`;
  const record = types.find(hasRecords);
  if (record === undefined) return failure('type_mismatch', `${message}; use CAST`, position);
  const other = types.find((type) => !hasRecords(type));
  const hint = other === undefined ? 'give all of them the same fields' : recordHint(record, other);
  return failure('type_mismatch', message, position, { hint });
}

function hasRecords(type: Type): boolean {
  return shortTypeName(type).includes('STRUCT');
}

/**
 * Converts implicitly. `what` names the target in errors: `LIMIT`, `argument 2 of SUBSTR`.
 * @throws type_mismatch; bad_parameter only when the converted value is printed, since a guard may fold it away.
 */
export function coerce(value: Value, type: Type, what: string): Value {
  if (sameType(value.type, type)) return value;
  if (!isCoercible(value, type)) {
    const advice = conversion(value, type);
    const [short, found] = [shortTypeName(type), shortTypeName(value.type)];
    const names = short === found ? [typeName(type), typeName(value.type)] : [short, found];
    throw failure(
      'type_mismatch',
      `${what} expects ${names.join(', found ')}${advice.isCast ? '; use CAST' : ''}`,
      value.position,
      advice.hint === undefined ? {} : { hint: advice.hint }
    );
  }
  const text = value.type.kind === 'NULL' ? null : value.text;
  return { expr: convertExpr(value, type), type, text, position: value.position };
}

function convertExpr(value: Value, type: Type): Expr {
  const { expr } = value;
  // Records that are absent are an empty array.
  if (isEmptyList(value) && type.kind !== 'ARRAY') return { kind: 'literal', type, value: null };
  if (value.type.kind === 'NULL' && expr.kind !== 'bound') return convertNull(expr, type);
  if (type.kind === 'STRUCT' && expr.kind === 'struct') {
    const values = fieldsOf(value);
    const fields = type.fields.map((field, index) => {
      return { name: field.name, expr: coerce(itemAt(values, index), field.type, 'a field').expr };
    });
    return { kind: 'struct', fields, type };
  }
  if (expr.kind === 'literal') {
    if (expr.value === null) return { kind: 'literal', type, value: null };
    if (typeof expr.value === 'bigint' && type.kind === 'FLOAT64') {
      return { kind: 'literal', type, value: Number(expr.value) };
    }
    if (typeof expr.value === 'string') {
      const parsed = parseConstant(expr.value, type, 'literal');
      if (parsed === undefined) throw notConvertible(null, expr.value, type, value.position);
      return { kind: 'literal', type, value: parsed };
    }
  }
  if (expr.kind === 'bound' && typeof expr.value.value === 'string') {
    return convertBound(expr, expr.value.value, type, value.position);
  }
  if (expr.kind === 'bound' && expr.value.value === null) {
    return {
      kind: 'bound',
      key: `${expr.key}:${type.kind}`,
      type,
      value: boundValue(null, type),
      failure: expr.failure,
    };
  }
  if (type.kind === 'STRUCT' || (type.kind === 'ARRAY' && (expr.kind === 'array' || type.element.kind === 'STRUCT'))) {
    return convertNested(expr, type, (part, to) => convertExpr(partOf({ ...value, expr: part }, part.type), to));
  }
  if (type.kind === 'RECORD' || type.kind === 'SINGLE') return expr;
  return { kind: 'cast', operand: expr, type, safe: false };
}

/** An expression without a type is NULL or fails, so it fits every type. */
function convertNull(expr: Expr, type: Type): Expr {
  if (isCall(expr, 'error')) return atSiteOf(expr, { ...expr, type });
  if (expr.kind === 'case') {
    const branches = expr.branches.map(({ when, then }) => ({ when, then: convertNull(then, type) }));
    return { ...expr, branches, otherwise: expr.otherwise && convertNull(expr.otherwise, type), type };
  }
  const nothing: Expr = { kind: 'literal', type, value: null };
  if (!some(expr, (part) => part.kind === 'column' || mayFail(part))) return nothing;
  // Stores compute it for its failure. They take it for an INT64, of which these types are cast.
  if (['INT64', 'FLOAT64', 'STRING', 'BOOL'].includes(type.kind)) {
    return { kind: 'cast', operand: expr, type, safe: false };
  }
  const when = callOf('is_not_null', [expr], BOOL);
  return { kind: 'case', branches: [{ when, then: nothing }], otherwise: nothing, type };
}

function convertBound(expr: BoundExpr, text: string, type: Type, position: SourcePosition): Expr {
  const key = `${expr.key}:${type.kind}`;
  const parsed = parseConstant(text, type, expr.key.startsWith('@') ? 'parameter' : 'literal');
  if (parsed !== undefined) return { kind: 'bound', key, type, value: boundValue(parsed, type), failure: expr.failure };
  const parameter = expr.key.startsWith('@') ? (expr.key.slice(1).split(':')[0] ?? null) : null;
  const problem = notConvertible(parameter, text, type, position);
  // An invalid literal is always an error, an invalid parameter only if it is used.
  if (parameter === null) throw problem;
  return { kind: 'bound', key, type, value: boundValue(null, type), failure: problem };
}

/**
 * What a text constant is converted for. A DATETIME may be written with a time zone except in CAST, and the times of
 * parameters in any form of ISO 8601.
 */
export type Conversion = 'cast' | 'literal' | 'parameter';

/** Parses a text constant as another type; undefined if it is invalid. */
export function parseConstant(
  text: string,
  type: Type,
  conversion: Conversion
): string | bigint | number | boolean | undefined {
  // As in GoogleSQL and in rows, numbers of SQL have white space of ASCII around them only.
  const trimmed = conversion === 'parameter' ? text.trim() : text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, '');
  switch (type.kind) {
    case 'STRING':
      return text;
    case 'INT64': {
      if (!/^[+-]?\d{1,19}$/.test(trimmed)) return undefined;
      const parsed = BigInt(trimmed);
      return parsed >= -(2n ** 63n) && parsed < 2n ** 63n ? parsed : undefined;
    }
    case 'FLOAT64':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
    case 'BOOL':
      return /^true$/i.test(trimmed) ? true : /^false$/i.test(trimmed) ? false : undefined;
    case 'BYTES':
      return hexOfText(text);
    case 'TIMESTAMP':
    case 'DATETIME':
    case 'DATE':
      return parseTime(text, type.kind, conversion) ?? undefined;
    case 'TIME':
      return readTimeOfDay(text) ?? undefined;
    default:
      return undefined;
  }
}

function parseTime(text: string, kind: 'TIMESTAMP' | 'DATETIME' | 'DATE', conversion: Conversion): bigint | null {
  const isOfParameter = conversion === 'parameter';
  if (kind === 'DATE') return readDate(text) ?? (isOfParameter ? parseIsoDate(text) : null);
  const strict = kind === 'TIMESTAMP' ? readTimestamp(text) : readDatetime(text);
  if (strict !== null || conversion === 'cast') return strict;
  return readTimestamp(text) ?? (isOfParameter ? parseIsoTimestamp(text) : null);
}

/**
 * Bound form of a constant. DATETIME is bound as TIMESTAMP (the same store type), DATE as days, TIME as microseconds.
 */
export function boundValue(value: string | bigint | number | boolean | null, type: Type): BoundValue {
  switch (type.kind) {
    case 'INT64':
      return { type: 'INT64', value: value === null ? null : BigInt(value) };
    case 'FLOAT64':
      return { type: 'FLOAT64', value: value === null ? null : Number(value) };
    case 'BOOL':
      return { type: 'BOOL', value: value as boolean | null };
    case 'TIMESTAMP':
    case 'DATETIME':
      return { type: 'TIMESTAMP', value: value === null ? null : BigInt(value) };
    case 'DATE':
    case 'TIME':
      return { type: 'INT64', value: value === null ? null : BigInt(value) };
    default:
      return { type: 'STRING', value: value === null ? null : String(value) };
  }
}

function notConvertible(parameter: string | null, text: string, type: Type, position: SourcePosition): Error {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const wanted = WANTED[type.kind] ?? shortTypeName(type);
  return parameter === null
    ? failure(
        'type_mismatch',
        `"${shown}" is not ${wanted}`,
        position,
        isTime(type) || type.kind === 'TIME' ? { hint: timeTextHint(text, type) } : {}
      )
    : failure('bad_parameter', `parameter "${parameter}": "${shown}" is not ${wanted}`, position, { name: parameter });
}

/** How a text that is no time would be written. */
export function timeTextHint(text: string, { kind }: Type): string {
  const form =
    kind === 'TIME'
      ? '08:00:00'
      : kind === 'DATE'
        ? '2026-03-01'
        : kind === 'DATETIME'
          ? '2026-03-01 08:00:00'
          : '2026-03-01T08:00:00Z';
  if (kind !== 'DATE' && /\d:\d\d(?!:)/.test(text) && !/\d:\d+:\d/.test(text)) return `write the seconds, too: ${form}`;
  const meant = relativeTimeHint(text, kind);
  if (meant !== undefined) return meant;
  return text.trim() === text ? `write it as ${form}` : `write it without blanks around it: ${form}`;
}

/** For words and amounts that other dialects read as times. */
function relativeTimeHint(text: string, kind: Type['kind']): string | undefined {
  const now = `CURRENT_${kind}()`;
  const today = kind === 'TIMESTAMP' || kind === 'DATETIME' ? `${kind}_TRUNC(${now}, DAY)` : now;
  const amount = amountOfText(text);
  if (amount !== undefined) {
    return `write INTERVAL ${amount} for an amount, ${kind}_SUB(${now}, INTERVAL ${amount}) for a time`;
  }
  if (/^now(?:\(\))?$/i.test(text)) return `write ${now}`;
  if (/^today$/i.test(text)) return `write ${today}`;
  if (/\byesterday\b/i.test(text) && kind !== 'TIME') return `write ${kind}_SUB(${today}, INTERVAL 1 DAY)`;
  return /\b(?:now|ago|today|yesterday)\b/i.test(text)
    ? `write ${kind}_SUB(${now}, INTERVAL 1 ${kind === 'DATE' ? 'DAY' : 'HOUR'})`
    : undefined;
}

/** Whether text literals convert to the type. */
function isOfText(type: Type): boolean {
  return isTime(type) || type.kind === 'TIME' || type.kind === 'BYTES';
}

/** The common type of several values, or undefined. */
export function commonType(values: readonly Value[]): Type | undefined {
  let common: Type = NULL_TYPE;
  for (const value of withEmptyListsLast(values)) {
    const next = value.type;
    if (next.kind === 'NULL' || sameType(common, next)) continue;
    if (common.kind === 'NULL') common = next;
    else if (isNumeric(common) && isNumeric(next)) common = { kind: 'FLOAT64' };
    else if (common.kind === 'DATE' && next.kind === 'DATETIME') common = next;
    else if (common.kind === 'SINGLE' && next.kind === 'SINGLE')
      common = { kind: 'SINGLE', shape: mergeShapes(common.shape, next.shape) };
    else if (common.kind === 'RECORD' && next.kind === 'RECORD')
      common = { kind: 'RECORD', shape: mergeShapes(common.shape, next.shape) };
    else if (common.kind === 'ARRAY' && next.kind === 'ARRAY') {
      const element: Type | undefined = commonType([anElement(value, common.element), anElement(value, next.element)]);
      if (element === undefined) return undefined;
      common = { kind: 'ARRAY', element };
    } else if (common.kind === 'STRUCT') return commonStruct(values.filter(({ type }) => type.kind !== 'NULL'));
    else if (isOfText(next) && values.every((other) => isCoercible(other, next))) common = next;
    else if (!isCoercible(value, common)) return undefined;
  }
  return common;
}

/** An empty list takes the type of the values before it. */
function withEmptyListsLast(values: readonly Value[]): readonly Value[] {
  if (!values.some(isEmptyList)) return values;
  return [...values.filter((value) => !isEmptyList(value)), ...values.filter(isEmptyList)];
}

/** The first struct's names with types common to each position. */
function commonStruct(structs: readonly Value[]): Type | undefined {
  const [first, ...others] = structs.map(fieldsOf);
  const type = structs[0]?.type;
  if (first === undefined || type?.kind !== 'STRUCT') return undefined;
  // A value that is no struct has no fields.
  if (others.some(({ length }) => length !== first.length)) return undefined;
  const fields: StructField[] = [];
  for (const [index, { name }] of type.fields.entries()) {
    const common = commonType([first, ...others].map((values) => itemAt(values, index)));
    if (common === undefined) return undefined;
    fields.push({ name, type: common });
  }
  return { kind: 'STRUCT', fields };
}

function mergeShapes(a: RecordShape, b: RecordShape): RecordShape {
  const fields = new Map(a.fields);
  for (const [name, type] of b.fields) {
    const mine = fields.get(name);
    fields.set(name, mine === undefined ? type : mergeTypes(mine, type));
  }
  const isShown = ({ fields: own, hidden }: RecordShape, name: string): boolean => own.has(name) && !hidden?.has(name);
  const hidden = [...fields.keys()].filter((name) => !isShown(a, name) && !isShown(b, name));
  return hidden.length === 0 ? { fields } : { fields, hidden: new Set(hidden) };
}

/** Type of a field that has different types in two sources: records merge, numbers widen, anything else is text. */
function mergeTypes(a: Type, b: Type): Type {
  if (sameType(a, b)) return a;
  if (isNumeric(a) && isNumeric(b)) return { kind: 'FLOAT64' };
  if ((a.kind === 'SINGLE' && b.kind === 'SINGLE') || (a.kind === 'RECORD' && b.kind === 'RECORD')) {
    return { kind: a.kind, shape: mergeShapes(a.shape, b.shape) };
  }
  return { kind: 'STRING' };
}

export function isRecordLike(type: Type): boolean {
  return type.kind === 'RECORD' || type.kind === 'SINGLE' || type.kind === 'ARRAY' || type.kind === 'STRUCT';
}
