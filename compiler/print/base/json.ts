/** Shapes of records in JSON. */
import type { RecordShape, Type } from '../../ir/types';

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
