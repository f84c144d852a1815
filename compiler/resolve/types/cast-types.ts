/** Type names in CAST, including synonyms of other dialects. */
import type { Identifier, TypeName } from '../../ast';
import { arrayOf, BYTES, INTERVAL, isTime, JSON_TYPE, unnamedField, type ScalarKind, type Type } from '../../ir/types';
import { failure } from '../failure';
import { didYouMean } from '#contract/nearest-name';

const TYPES: Readonly<Record<string, ScalarKind>> = {
  STRING: 'STRING',
  TEXT: 'STRING',
  VARCHAR: 'STRING',
  INT64: 'INT64',
  INT: 'INT64',
  INTEGER: 'INT64',
  BIGINT: 'INT64',
  SMALLINT: 'INT64',
  TINYINT: 'INT64',
  BYTEINT: 'INT64',
  FLOAT64: 'FLOAT64',
  FLOAT: 'FLOAT64',
  DOUBLE: 'FLOAT64',
  NUMERIC: 'FLOAT64',
  DECIMAL: 'FLOAT64',
  BIGNUMERIC: 'FLOAT64',
  BIGDECIMAL: 'FLOAT64',
  BOOL: 'BOOL',
  BOOLEAN: 'BOOL',
  TIMESTAMP: 'TIMESTAMP',
  TIMESTAMPTZ: 'TIMESTAMP',
  DATETIME: 'DATETIME',
  DATE: 'DATE',
  TIME: 'TIME',
};
/** Types that are no type of a column. A cast to JSON exists for NULL only. */
const OTHER_TYPES: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['JSON', JSON_TYPE],
  ['JSONB', JSON_TYPE],
  ['BYTES', BYTES],
  ['INTERVAL', INTERVAL],
]);

/** @throws unknown_type; type_mismatch for an array of arrays */
export function castType(written: TypeName): Type {
  const { name, parts, position } = written;
  if (parts === undefined) return scalarType(written);
  const types = parts.map((part) => castType(part.type));
  const [element] = types;
  if (name === 'ARRAY' && element !== undefined) {
    if (element.kind !== 'ARRAY') return arrayOf(element);
    throw failure('type_mismatch', 'an array cannot hold arrays', position, {
      hint: 'write ARRAY<STRUCT<ARRAY<...>>>',
    });
  }
  return {
    kind: 'STRUCT',
    fields: types.map((type, index) => ({ name: parts[index]?.name?.name ?? unnamedField(index), type })),
  };
}

function scalarType(name: Identifier): Type {
  const other = OTHER_TYPES.get(name.name.toUpperCase());
  if (other !== undefined) return other;
  const kind = TYPES[name.name.toUpperCase()];
  if (kind === undefined) {
    const shown = ['STRING', 'BYTES', 'INT64', 'FLOAT64', 'NUMERIC', 'BOOL', 'TIMESTAMP', 'DATETIME', 'DATE', 'TIME'];
    throw failure('unknown_type', `unknown type ${name.name}${didYouMean(name.name, shown)}`, name.position, {
      name: name.name,
      hint: `types are ${shown.join(', ')}`,
    });
  }
  return { kind };
}

/** Types to which each type converts, besides itself. */
const CASTABLE: Readonly<Record<ScalarKind | 'BYTES', readonly (ScalarKind | 'BYTES')[]>> = {
  STRING: ['INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP', 'DATETIME', 'DATE', 'TIME', 'BYTES'],
  BYTES: ['STRING'],
  INT64: ['STRING', 'FLOAT64', 'BOOL'],
  FLOAT64: ['STRING', 'INT64'],
  BOOL: ['STRING', 'INT64'],
  TIMESTAMP: ['STRING', 'DATETIME', 'DATE', 'TIME'],
  DATETIME: ['STRING', 'TIMESTAMP', 'DATE', 'TIME'],
  DATE: ['STRING', 'TIMESTAMP', 'DATETIME'],
  TIME: ['STRING'],
};

export function isCastable(from: Type, to: Type): boolean {
  if (from.kind === 'INTERVAL' || to.kind === 'INTERVAL') return from.kind === 'STRING' || to.kind === 'STRING';
  return Object.hasOwn(CASTABLE, from.kind) && CASTABLE[from.kind as ScalarKind].includes(to.kind as ScalarKind);
}

/** Hint for a conversion that does not exist. */
export function castHint(from: Type, to: Type): { readonly hint?: string } {
  if (isTime(from) && to.kind === 'INT64') return { hint: 'use UNIX_SECONDS, UNIX_MILLIS or UNIX_MICROS' };
  if (to.kind === 'JSON') return { hint: from.kind === 'STRING' ? 'use PARSE_JSON, or TO_JSON' : 'use TO_JSON' };
  if (from.kind === 'JSON')
    return {
      hint:
        to.kind === 'STRING' ? 'use TO_JSON_STRING, JSON_VALUE or STRING' : 'use BOOL, INT64, FLOAT64 or JSON_VALUE',
    };
  if (to.kind === 'BYTES') return { hint: 'cast to STRING first' };
  if (from.kind === 'BYTES') return { hint: 'use TO_HEX or TO_BASE64, or cast to STRING' };
  if (from.kind === 'INT64' && isTime(to))
    return { hint: 'use TIMESTAMP_SECONDS, TIMESTAMP_MILLIS or TIMESTAMP_MICROS' };
  return {};
}
