/** Converts logical types for the encoders. */
import type { OutputColumn, OutputType } from '../compiled-query';
import { INT64, STRING, typeName, type Type } from './types';

export function outputColumn(name: string, type: Type): OutputColumn {
  return { name, type: outputType(type), typeName: typeName(settled(type)) };
}

/** Replaces undetermined types: a bare NULL is a STRING, an empty array is an array of INT64. */
function settled(type: Type): Type {
  if (type.kind === 'NULL') return STRING;
  return type.kind === 'ARRAY' && type.element.kind === 'NULL' ? { kind: 'ARRAY', element: INT64 } : type;
}

function outputType(type: Type): OutputType {
  switch (type.kind) {
    case 'ARRAY':
      return { kind: 'ARRAY', element: outputType(type.element) };
    case 'STRUCT':
      return { kind: 'STRUCT', fields: type.fields.map((field) => outputColumn(field.name, field.type)) };
    case 'RECORD':
      return { kind: 'RECORD_TEXT', single: false };
    case 'SINGLE':
      return { kind: 'RECORD_TEXT', single: true };
    case 'NULL':
    case 'INTERVAL':
    case 'BYTES':
      return { kind: 'STRING' };
    default:
      return { kind: type.kind };
  }
}
