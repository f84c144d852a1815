/** Shapes of records in JSON. */
import type { RecordShape, StructField, Type } from '../../../ir/types';

/** Fields whose JSON differs from the stored text: nested records are arrays of one in queries. */
export function wrappedFields(shape: RecordShape): readonly (readonly [string, WrappedType])[] {
  return [...shape.fields].filter((field): field is [string, WrappedType] => isWrapped(field[1]));
}

/** A record as an array of one, or a list of records that contain such records. */
export type WrappedType =
  | Extract<Type, { kind: 'SINGLE' }>
  | (Extract<Type, { kind: 'ARRAY' }> & { readonly element: Extract<Type, { kind: 'RECORD' }> });

function isWrapped(type: Type): type is WrappedType {
  if (type.kind === 'SINGLE') return true;
  return type.kind === 'ARRAY' && type.element.kind === 'RECORD' && wrappedFields(type.element.shape).length > 0;
}

/** `text` for TO_JSON_STRING: large integers in quotes, fields in their order. `value` for values of type JSON. */
export type JsonStyle = 'text' | 'value';

export interface Member {
  readonly field: StructField;
  /** From 0. */
  readonly index: number;
}

/** Fields of a struct as they are written. */
export function membersOf({ fields }: Extract<Type, { kind: 'STRUCT' }>, style: JsonStyle): readonly Member[] {
  const members = fields.map((field, index) => ({ field, index }));
  if (style === 'text') return members;
  const names = new Set<string>();
  const first = members.filter(({ field: { name } }) => !names.has(name) && names.add(name));
  return first.sort((a, b) => Buffer.compare(Buffer.from(a.field.name), Buffer.from(b.field.name)));
}

/** Forms of JSON text that are valid for each scalar type; conversions check the rest. */
export interface ScalarForm {
  /** A whole text; as in columns of events, a number or boolean in quotes counts as its value. */
  readonly whole: string;
  /** What is converted of it. */
  readonly value: string;
}

export const SCALAR_FORMS: Readonly<Partial<Record<Type['kind'], ScalarForm>>> = {
  INT64: { whole: '^(?:-?[0-9]+|"-?[0-9]{1,18}(?:[.]0+)?")$', value: '-?[0-9]+' },
  FLOAT64: {
    whole: '^(?:-?[0-9][0-9.eE+-]*|"-?[0-9]{1,100}(?:[.][0-9]{1,100})?(?:[eE][+-]?[0-9]{1,3})?")$',
    value: '-?[0-9][0-9.eE+-]*',
  },
  BOOL: { whole: '^"?(?:true|false)"?$', value: 'true|false' },
};
