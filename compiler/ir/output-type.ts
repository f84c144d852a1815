/** Converts logical types for the encoders. */
import type { OutputColumn, OutputType } from '../output/compiled-query';
import { INT64, typeName, type Type } from './types';

/** Columns with unique names, since rows and structs are objects: repeated names get numbers, `id`, `id_1`, `id_2`. */
export function outputColumns(columns: readonly NamedType[]): readonly OutputColumn[] {
  const written = new Set(columns.map(({ name }) => name));
  const used = new Set<string>();
  return columns.map(({ name, type }) => {
    let unique = name;
    for (let n = 1; used.has(unique) || (unique !== name && written.has(unique)); n += 1) unique = `${name}_${n}`;
    used.add(unique);
    return { ...outputColumn(unique, type), ...(unique === name ? {} : { writtenName: name }) };
  });
}

interface NamedType {
  readonly name: string;
  readonly type: Type;
}

function outputColumn(name: string, type: Type): OutputColumn {
  return { name, type: outputType(type), typeName: typeName(settled(type)) };
}

/** Replaces undetermined types: a bare NULL and the elements of an empty array are INT64. */
function settled(type: Type): Type {
  switch (type.kind) {
    case 'NULL':
      return INT64;
    case 'ARRAY':
      return { kind: 'ARRAY', element: settled(type.element) };
    case 'STRUCT':
      return { kind: 'STRUCT', fields: type.fields.map(({ name, type: field }) => ({ name, type: settled(field) })) };
    default:
      return type;
  }
}

function outputType(type: Type): OutputType {
  switch (type.kind) {
    case 'ARRAY':
      return { kind: 'ARRAY', element: outputType(type.element) };
    case 'STRUCT':
      return { kind: 'STRUCT', fields: outputColumns(type.fields) };
    case 'RECORD':
      return { kind: 'RECORD_TEXT', single: false };
    case 'SINGLE':
      return { kind: 'RECORD_TEXT', single: true };
    case 'NULL':
      return { kind: 'INT64' };
    default:
      return { kind: type.kind };
  }
}
