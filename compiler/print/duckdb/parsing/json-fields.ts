/**
 * Reads nested fields from the JSON text that ingestion wrote. Keys are addressed by JSON pointer, which has no
 * wildcards. Values of an unexpected form read as NULL and never fail the query.
 */
import type { Expr } from '../../../ir/expression';
import type { Type } from '../../../ir/types';
import { some } from '../../../ir/walk/children';
import { SCALAR_FORMS } from '../../base/json/json';
import type { JsonField } from '../../dialect/dialect';
import { nameOnce } from '../values/bind-once';
import { quoteText, typeName } from '../values/literals';
import { forLambda } from '../values/for-lambda';

/** TRY takes no aggregates, windows, subqueries and random numbers, as other expressions may have. */
const TRIED: ReadonlySet<Expr['kind']> = new Set<Expr['kind']>([
  'column',
  'json-field',
  'struct-field',
  'element',
  'redacted',
  'literal',
  'bound',
]);

export function jsonField(base: string, { path, type, base: record }: JsonField): string {
  const pointer = quoteText(jsonPointer(path));
  const isTried = record === undefined || !some(record, ({ kind }) => !TRIED.has(kind));
  return isTried ? fieldAt(base, pointer, type) : nameOnce(base, (x) => fieldAt(x, pointer, type));
}

function fieldAt(base: string, pointer: string, type: Type): string {
  switch (type.kind) {
    case 'RECORD':
    case 'SINGLE':
      return nameOnce(`TRY(json_extract(${base}, ${pointer}))`, recordText);
    case 'ARRAY': {
      const value = `TRY(json_extract(${base}, ${pointer}))`;
      const items = isRecord(type.element) ? nameOnce(value, recordItems) : `TRY_CAST(${value} AS JSON[])`;
      return `list_transform(${forLambda(items)}, lambda v: ${itemOf('v', type.element)})`;
    }
    case 'STRING':
      return `TRY(json_extract_string(${base}, ${pointer}))`;
    default:
      return scalarOf(`TRY(json_extract(${base}, ${pointer}))`, type);
  }
}

/** JSON pointer such as `/request/cf~1colo`, with `~` and `/` escaped. */
export function jsonPointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Object as JSON text; an array of one object is treated as that object; NULL for anything else. */
function recordText(json: string): string {
  const only = `json_extract(${json}, '$[0]')`;
  return (
    `(CASE WHEN json_type(${json}) = 'OBJECT' THEN CAST(${json} AS VARCHAR) ` +
    `WHEN json_type(${json}) = 'ARRAY' AND json_array_length(${json}) = 1 AND json_type(${only}) = 'OBJECT' ` +
    `THEN CAST(${only} AS VARCHAR) END)`
  );
}

/** Objects from before the field was a list of records are lists of one. */
export function recordItems(json: string): string {
  return `(CASE WHEN json_type(${json}) = 'OBJECT' THEN [${json}] ELSE TRY_CAST(${json} AS JSON[]) END)`;
}

function isRecord({ kind }: Type): boolean {
  return kind === 'RECORD' || kind === 'SINGLE';
}

function itemOf(json: string, type: Type): string {
  if (type.kind === 'STRING') return `json_extract_string(${json}, '$')`;
  if (isRecord(type)) return recordText(json);
  return scalarOf(json, type);
}

function scalarOf(json: string, type: Type): string {
  const form = SCALAR_FORMS[type.kind];
  if (form === undefined) throw new Error(`JSON text holds no ${type.kind}`);
  const whole = `regexp_extract(CAST(${json} AS VARCHAR), '${form.whole}')`;
  const value = `TRY_CAST(regexp_extract(${whole}, '${form.value}') AS ${typeName(type)})`;
  if (type.kind !== 'FLOAT64') return value;
  return `nullif(nullif(${value}, CAST('inf' AS DOUBLE)), CAST('-inf' AS DOUBLE))`;
}
