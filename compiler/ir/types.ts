/** Logical types of the resolver. */
import type { ScalarType } from '#contract/events/source';

export type ScalarKind = ScalarType | 'TIMESTAMP' | 'DATETIME' | 'DATE' | 'TIME';

export type Type =
  | { readonly kind: ScalarKind }
  /** Type of a bare NULL, which converts to any type. */
  | { readonly kind: 'NULL' }
  /** Months, days and microseconds in one number, see `time/interval`. */
  | { readonly kind: 'INTERVAL' }
  /** A string of bytes. Constants are two lower-case hexadecimal digits for each byte. */
  | { readonly kind: 'BYTES' }
  /** Any JSON value, stored as JSON text without blanks; the JSON null is a value of its own. */
  | { readonly kind: 'JSON' }
  | { readonly kind: 'ARRAY'; readonly element: Type }
  /** Built by a query: STRUCT(..), SELECT AS STRUCT, a whole row. Stored as a struct. */
  | { readonly kind: 'STRUCT'; readonly fields: readonly StructField[] }
  /** A record of a log event: its leaves are physical columns, the whole is JSON text in object form. */
  | { readonly kind: 'RECORD'; readonly shape: RecordShape }
  /** Logically an array of length 0 or 1 of a RECORD. */
  | { readonly kind: 'SINGLE'; readonly shape: RecordShape };

export interface StructField {
  readonly name: string;
  readonly type: Type;
}

/** Fields of a record of a log event. Lookup prefers the exact case, then ignores case. */
export interface RecordShape {
  readonly fields: ReadonlyMap<string, Type>;
  /** Fields that can be read by name but are not listed. */
  readonly hidden?: ReadonlySet<string>;
  /** True when events may have further fields, which queries cannot name. */
  readonly isFull?: true;
}

/** Fields that may be listed to a caller. */
export function shownFields({ fields, hidden }: RecordShape): readonly (readonly [string, Type])[] {
  return hidden === undefined ? [...fields] : [...fields].filter(([name]) => !hidden.has(name));
}

const scalar = <K extends ScalarKind | 'NULL' | 'INTERVAL' | 'BYTES' | 'JSON'>(kind: K): { readonly kind: K } =>
  Object.freeze({ kind });

export const STRING = scalar('STRING');
export const INT64 = scalar('INT64');
export const FLOAT64 = scalar('FLOAT64');
export const BOOL = scalar('BOOL');
export const TIMESTAMP = scalar('TIMESTAMP');
export const DATETIME = scalar('DATETIME');
export const DATE = scalar('DATE');
export const TIME = scalar('TIME');
export const NULL_TYPE = scalar('NULL');
export const INTERVAL = scalar('INTERVAL');
export const BYTES = scalar('BYTES');
export const JSON_TYPE = scalar('JSON');

export function arrayOf(element: Type): Type {
  return { kind: 'ARRAY', element };
}

/** Type of the elements of an array. @throws TypeError for other types */
export function elementOf(type: Type): Type {
  if (type.kind !== 'ARRAY') throw new TypeError(`${type.kind} has no elements.`);
  return type.element;
}

/** @throws TypeError for a type that is no STRUCT */
export function structFields(type: Type): readonly StructField[] {
  if (type.kind !== 'STRUCT') throw new TypeError(`${type.kind} is no STRUCT.`);
  return type.fields;
}

/** Fields of a record, or of an array of one. @throws TypeError for other types */
export function shapeOf(type: Type): RecordShape {
  if (type.kind !== 'RECORD' && type.kind !== 'SINGLE') throw new TypeError(`${type.kind} is no record.`);
  return type.shape;
}

export function isNumeric(type: Type): boolean {
  return type.kind === 'INT64' || type.kind === 'FLOAT64';
}

/** TIMESTAMP, DATETIME or DATE, which are points in time; a TIME is a time of day. */
export function isTime(type: Type): boolean {
  return type.kind === 'TIMESTAMP' || type.kind === 'DATETIME' || type.kind === 'DATE';
}

/** Kinds without inner structure, which can be compared, grouped and sorted. */
export function isScalar(type: Type): boolean {
  return isPlain(type.kind) || isNumeric(type) || isTime(type);
}

function isPlain(kind: Type['kind']): boolean {
  return kind === 'STRING' || kind === 'BYTES' || kind === 'BOOL' || kind === 'NULL' || kind === 'TIME';
}

/** Values that have an order. Intervals have one, but of equal ones the parts may differ, so they are not grouped. */
export function isOrdered(type: Type): boolean {
  return isScalar(type) || type.kind === 'INTERVAL';
}

/** An array or a struct that a query makes. */
export function isNested({ kind }: Type): boolean {
  return kind === 'ARRAY' || kind === 'STRUCT';
}

/** Values that can be compared for equality and grouped. */
export function isComparable(type: Type): boolean {
  if (type.kind === 'ARRAY') return isComparable(type.element);
  return type.kind === 'STRUCT' ? type.fields.every((field) => isComparable(field.type)) : isScalar(type);
}

/** Name of a field without one, by its position from 0. */
export function unnamedField(index: number): string {
  return `_field_${index + 1}`;
}

/** Name of a type in the dialect, e.g. `ARRAY<STRUCT<level STRING>>`; a single record is an ARRAY<STRUCT>. */
export function typeName(type: Type): string {
  return nameWith(type, shownFields);
}

type FieldsOf = (shape: RecordShape) => Iterable<readonly [string, Type]>;

function nameWith(type: Type, fieldsOf: FieldsOf): string {
  if (!hasInnerTypes(type)) return type.kind;
  const nameOf = ([name, field]: readonly [string, Type]): string => `${name} ${nameWith(field, fieldsOf)}`;
  switch (type.kind) {
    case 'ARRAY':
      return `ARRAY<${nameWith(type.element, fieldsOf)}>`;
    case 'STRUCT':
      return `STRUCT<${type.fields
        .map(({ name, type: field }, index) =>
          name === unnamedField(index) ? nameWith(field, fieldsOf) : nameOf([name, field])
        )
        .join(', ')}>`;
    case 'RECORD':
      return `STRUCT<${Array.from(fieldsOf(type.shape), nameOf).join(', ')}>`;
    case 'SINGLE':
      return `ARRAY<STRUCT<${Array.from(fieldsOf(type.shape), nameOf).join(', ')}>>`;
    default:
      return type.kind;
  }
}

/** Like `typeName`, without the fields of records, for error messages. */
export function shortTypeName(type: Type): string {
  switch (type.kind) {
    case 'ARRAY':
      return `ARRAY<${shortTypeName(type.element)}>`;
    case 'STRUCT':
    case 'RECORD':
      return 'STRUCT';
    case 'SINGLE':
      return 'ARRAY<STRUCT>';
    default:
      return type.kind;
  }
}

function fullName(type: Type): string {
  return nameWith(type, ({ fields }) => fields);
}

function hasInnerTypes({ kind }: Type): boolean {
  return kind === 'ARRAY' || kind === 'STRUCT' || kind === 'RECORD' || kind === 'SINGLE';
}

/** Equal for equal types. */
export function typeKey(type: Type): string {
  return hasInnerTypes(type) ? fullName(type) : type.kind;
}

export function sameType(a: Type, b: Type): boolean {
  return a === b || (a.kind === b.kind && typeKey(a) === typeKey(b));
}
