/** JSON functions on arbitrary text, where invalid JSON reads as NULL, and on values of type JSON. */
import type { JsonPathStep } from '../../../functions/json/json-path';
import type { JsonOps } from '../../../ir/ops';
import type { CallPrinter, CallPrinters } from '../../dialect';
import { bindOnce, nameOnce } from '../bind-once';
import { hasOddNumber, isPlainJson, isStrictJson, unmarkedJson, unmarkedText, withMarkedNumbers } from '../json-text';
import { quoteText } from '../literals';
import { jsonValues } from './json-values';
import { jsonText } from './json-write';

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
    result: (v, ofJson) => (ofJson ? v : `nullif(${v}, 'null')`),
    unmarked: (v, ofJson) => (ofJson ? unmarkedJson(v) : `nullif(${unmarkedJson(v)}, 'null')`),
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
  to_json_string: ([x]) => jsonText(x.sql, x.expr.type, 'text'),
  ...jsonValues,
};

interface Reading {
  /** The value as DuckDB reads it. */
  readonly plain: (json: string, path: string) => string;
  /** Pattern of a plain value whose digits DuckDB may have changed. */
  readonly odd: string;
  /** Result for a plain value. `ofJson`: of a value of type JSON, where null is a value. */
  readonly result: (plain: string, ofJson?: boolean) => string;
  /** Result for a plain value of JSON with marked numbers. */
  readonly unmarked: (plain: string, ofJson?: boolean) => string;
}

function reading({ plain, odd, result, unmarked }: Reading): CallPrinter<'json_value' | 'json_query'> {
  return (operands, { options }) => {
    const path = quoteText(printPath(options.path));
    return bindOnce(operands, (x) => {
      const value = plain(x, path);
      const [{ expr }] = operands;
      const mayDiffer = `regexp_extract(CAST(${value} AS VARCHAR), ${quoteText(odd)}) <> ''`;
      const marked = unmarked(plain(withMarkedNumbers(x), path));
      if (expr.type.kind === 'JSON') {
        const odd = `${hasOddNumber(x)} AND ${mayDiffer}`;
        return `(CASE WHEN ${odd} THEN ${unmarked(plain(withMarkedNumbers(x), path), true)} ELSE ${result(value, true)} END)`;
      }
      return (
        `(CASE WHEN ${isPlainJson(x)} THEN ${result(value)} ` +
        `WHEN ${isStrictJson(x)} THEN (CASE WHEN ${mayDiffer} THEN ${marked} ELSE ${result(value)} END) END)`
      );
    });
  };
}

/** @param read receives the elements of an array as a short text; numbers may be marked */
function listReading(read: (list: string) => string): CallPrinter<'json_value_array' | 'json_query_array'> {
  return (operands, { options }) => {
    const path = quoteText(printPath(options.path));
    return bindOnce(operands, (x) => {
      const readable = `(CASE WHEN ${isPlainJson(x)} THEN ${x} WHEN ${isStrictJson(x)} THEN ${withMarkedNumbers(x)} END)`;
      const list = nameOnce(readable, (v) => {
        const isList = `json_type(${v}, ${path}) = 'ARRAY'`;
        return `(CASE WHEN ${isList} THEN CAST(json_extract(${v}, ${path}) AS JSON[]) END)`;
      });
      return nameOnce(list, read);
    });
  };
}

/** The path parser refuses keys that DuckDB does not accept in quotes. */
function printPath(steps: readonly JsonPathStep[]): string {
  return `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step}"`)).join('')}`;
}
