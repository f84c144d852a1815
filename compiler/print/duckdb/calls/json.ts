/** JSON functions on arbitrary text, where invalid JSON reads as NULL, and conversion of any value to JSON text. */
import type { JsonPathStep } from '../../../functions/json/json-path';
import type { JsonOps } from '../../../ir/ops';
import type { RecordShape, Type } from '../../../ir/types';
import { wrappedFields, type WrappedType } from '../../base/json';
import type { CallPrinter, CallPrinters } from '../../dialect';
import { INCOMPLETE } from '../../base/json-text';
import { bindOnce, nameOnce } from '../bind-once';
import { clockText, toText } from '../casts';
import { jsonPointer } from '../json-fields';
import {
  beginsJson,
  isPlainJson,
  isStrictJson,
  repaired,
  unmarkedJson,
  unmarkedText,
  withMarkedNumbers,
} from '../json-text';
import { quoteText, structNames } from '../literals';

export const json: CallPrinters<JsonOps> = {
  // json_value returns scalars only, as JSON text.
  json_value: reading({
    plain: (j, path) => `json_value(${j}, ${path})`,
    odd: '^-?(?:[0-9]+[.eE]|[0-9]{20}|0$)',
    result: (v) => `json_extract_string(${v}, '$')`,
    unmarked: (v) => unmarkedText(`json_extract_string(${v}, '$')`),
  }),
  json_query: reading({
    plain: (j, path) => `CAST(json_extract(${j}, ${path}) AS VARCHAR)`,
    odd: '[0-9][.eE]|[0-9]{20}|(?:^|[:,[])0(?:[^.0-9]|$)',
    result: (v) => `nullif(${v}, 'null')`,
    unmarked: (v) => `nullif(${nameOnce(v, unmarkedJson)}, 'null')`,
  }),
  json_value_array: listReading((list) => {
    const hasNested = `len(list_filter(${list}, lambda e: json_type(e) IN ('OBJECT', 'ARRAY'))) > 0`;
    const text = unmarkedText("json_extract_string(json_value(e, '$'), '$')");
    return `(CASE WHEN NOT (${hasNested}) THEN list_transform(${list}, lambda e: ${text}) END)`;
  }),
  json_query_array: listReading(
    (list) =>
      `list_transform(list_transform(${list}, lambda e: coalesce(CAST(e AS VARCHAR), 'null')), lambda e: ${unmarkedJson('e')})`
  ),
  to_json_string: ([x]) => jsonText(x.sql, x.expr.type),
};

interface Reading {
  /** The value as DuckDB reads it. */
  readonly plain: (json: string, path: string) => string;
  /** Pattern of a plain value whose digits DuckDB may have changed. */
  readonly odd: string;
  /** Result for a plain value. */
  readonly result: (plain: string) => string;
  /** Result for a plain value of JSON with marked numbers, which may be incomplete. */
  readonly unmarked: (plain: string) => string;
}

function reading({ plain, odd, result, unmarked }: Reading): CallPrinter<'json_value' | 'json_query'> {
  return (operands, { options }) => {
    const path = quoteText(printPath(options.path));
    return bindOnce(operands, (x) => {
      const value = plain(x, path);
      const mayDiffer = `regexp_extract(CAST(${value} AS VARCHAR), ${quoteText(odd)}) <> ''`;
      const marked = unmarked(plain(withMarkedNumbers(x), path));
      const cut = nameOnce(repaired(x), (v) => `(CASE WHEN json_valid(${v}) THEN ${plain(v, path)} END)`);
      return (
        `(CASE WHEN ${isPlainJson(x)} THEN ${result(value)} ` +
        `WHEN ${isStrictJson(x)} THEN (CASE WHEN ${mayDiffer} THEN ${marked} ELSE ${result(value)} END) ` +
        `WHEN ${beginsJson(x)} THEN ${unmarked(cut)} END)`
      );
    });
  };
}

/** @param read receives the elements of an array as a short text; numbers may be marked */
function listReading(read: (list: string) => string): CallPrinter<'json_value_array' | 'json_query_array'> {
  return (operands, { options }) => {
    const path = quoteText(printPath(options.path));
    return bindOnce(operands, (x) => {
      const readable =
        `(CASE WHEN ${isPlainJson(x)} THEN ${x} WHEN ${isStrictJson(x)} THEN ${withMarkedNumbers(x)} ` +
        `WHEN ${beginsJson(x)} THEN ${repaired(x)} END)`;
      const list = nameOnce(readable, (v) => {
        const isList = `json_type(${v}, ${path}) = 'ARRAY'`;
        const isComplete = `NOT contains(CAST(json_extract(${v}, ${path}) AS VARCHAR), ${quoteText(INCOMPLETE)})`;
        const items = `(CASE WHEN ${isList} AND ${isComplete} THEN CAST(json_extract(${v}, ${path}) AS JSON[]) END)`;
        return `(CASE WHEN json_valid(${v}) THEN ${items} END)`;
      });
      return nameOnce(list, read);
    });
  };
}

/** The path parser refuses keys that DuckDB does not accept in quotes. */
function printPath(steps: readonly JsonPathStep[]): string {
  return `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step}"`)).join('')}`;
}

/** JSON text of a value; NULL becomes `null`. */
function jsonText(x: string, type: Type): string {
  switch (type.kind) {
    case 'STRING':
      return orNull(`CAST(to_json(${x}) AS VARCHAR)`);
    case 'INT64':
      // Most readers would lose digits of integers beyond 2^53.
      return nameOnce(x, (v) =>
        orNull(
          `(CASE WHEN ${v} BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(${v} AS VARCHAR) ELSE '"' || CAST(${v} AS VARCHAR) || '"' END)`
        )
      );
    case 'FLOAT64':
      return nameOnce(x, (v) =>
        orNull(
          `(CASE WHEN isfinite(${v}) THEN ${toText(v, type)} WHEN isnan(${v}) THEN '"NaN"' WHEN ${v} > 0 THEN '"Infinity"' WHEN ${v} < 0 THEN '"-Infinity"' END)`
        )
      );
    case 'BOOL':
      return orNull(`CAST(${x} AS VARCHAR)`);
    case 'TIMESTAMP':
      return orNull(`('"' || ${clockText(x, 'T')} || 'Z"')`);
    case 'DATETIME':
      return orNull(`('"' || ${clockText(x, 'T')} || '"')`);
    case 'DATE':
      return orNull(`('"' || CAST(${x} AS VARCHAR) || '"')`);
    case 'ARRAY':
      return orNull(
        `('[' || array_to_string(list_transform(${x}, lambda v: ${jsonText('v', type.element)}), ',') || ']')`
      );
    case 'STRUCT':
      return nameOnce(x, (v) => structText(v, type));
    case 'RECORD':
      return orNull(recordText(x, type.shape));
    case 'SINGLE':
      // An absent record is an empty array.
      return `coalesce('[' || ${recordText(x, type.shape)} || ']', '[]')`;
    default:
      return "'null'";
  }
}

function structText(v: string, type: Extract<Type, { kind: 'STRUCT' }>): string {
  const names = structNames(type.fields.map((field) => field.name));
  const members = type.fields.map((field, index) => {
    const key = quoteText(`${JSON.stringify(field.name)}:`);
    return `${key} || ${jsonText(`struct_extract(${v}, ${structKey(names[index] as string)})`, field.type)}`;
  });
  return `(CASE WHEN ${v} IS NULL THEN 'null' ELSE '{' || ${members.join(" || ',' || ")} || '}' END)`;
}

/** Text constant of a quoted identifier. */
function structKey(identifier: string): string {
  return quoteText(identifier.slice(1, -1).replaceAll('""', '"'));
}

/** Converts JSON text in object form to the form of queries, in which nested records are arrays of one. */
function recordText(text: string, shape: RecordShape): string {
  const nested = wrappedFields(shape);
  if (nested.length === 0) return text;
  return nameOnce(text, (v) => {
    const members = nested.map(([name, type]) => {
      const value = `json_extract(${v}, ${quoteText(jsonPointer([name]))})`;
      return `${quoteText(name)}, ${nameOnce(value, (inner) => wrappedJson(inner, type))}`;
    });
    return `CAST(json_merge_patch(CAST(${v} AS JSON), json_object(${members.join(', ')})) AS VARCHAR)`;
  });
}

/** A member that is not an object, contrary to its declared type, is not changed. */
function wrappedJson(value: string, type: WrappedType): string {
  if (type.kind === 'SINGLE') {
    const inner = recordText(`CAST(${value} AS VARCHAR)`, type.shape);
    return `(CASE WHEN json_type(${value}) = 'OBJECT' THEN CAST('[' || ${inner} || ']' AS JSON) ELSE ${value} END)`;
  }
  const items = `array_to_string(list_transform(CAST(${value} AS JSON[]), lambda v: ${recordText('CAST(v AS VARCHAR)', type.element.shape)}), ',')`;
  return `(CASE WHEN json_type(${value}) = 'ARRAY' THEN CAST('[' || ${items} || ']' AS JSON) ELSE ${value} END)`;
}

function orNull(sql: string): string {
  return `coalesce(${sql}, 'null')`;
}
