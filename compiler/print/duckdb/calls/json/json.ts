/** JSON functions on arbitrary text, where invalid JSON reads as NULL, and on values of type JSON. */
import type { JsonPathStep } from '../../../../functions/json/json-path';
import type { JsonOps } from '../../../../ir/ops';
import type { CallPrinter, CallPrinters } from '../../../dialect';
import { MARK } from '../../../base/json-text';
import { bindOnce, nameOnce } from '../../bind-once';
import { hasOddNumber, isPlain, isStrict, unmarkedJson, unmarkedText, withMarkedNumbers } from '../../json-text';
import { quoteText } from '../../literals';
import { jsonValues } from './json-values';
import { jsonText } from './json-write';

/** What surrounds the digits of a marked number. */
const MARK_OF_TEXT = `"${MARK}`;

export const json: CallPrinters<JsonOps> = {
  // json_value returns scalars only, as JSON text.
  json_value: reading({
    value: (j, path) => `json_value(${j}, ${path})`,
    odd: '-?(?:[0-9]+[.eE].*|[0-9]{19,}|0)',
    result: (v) => `json_extract_string(${v}, '$')`,
    unmarked: (v) => `trim(${v}, ${quoteText(MARK_OF_TEXT)})`,
  }),
  json_query: reading({
    value: (j, path) => `CAST(json_extract(${j}, ${path}) AS VARCHAR)`,
    odd: '(?s).*(?:[0-9][.eE]|[0-9]{19}|(?:^|[:,[])0(?:[^.0-9]|$)).*',
    result: (v, ofJson) => (ofJson ? v : `nullif(${v}, 'null')`),
    unmarked: unmarkedJson,
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
  readonly value: (json: string, path: string) => string;
  /** Pattern of a whole value whose digits DuckDB may have changed. */
  readonly odd: string;
  /** Result for the value. `ofJson`: of a value of type JSON, where null is a value. */
  readonly result: (value: string, ofJson: boolean) => string;
  /** Result for such a value of JSON with marked numbers. */
  readonly unmarked: (value: string) => string;
}

function reading({ value, odd, result, unmarked }: Reading): CallPrinter<'json_value' | 'json_query'> {
  return (operands, { options }) => {
    const path = quoteText(printPath(options.path));
    return bindOnce(operands, (x) => {
      const ofJson = operands[0].expr.type.kind === 'JSON';
      const plain = result(value(x, path), ofJson);
      const marked = unmarked(value(withMarkedNumbers(x), path));
      const mayDiffer = `regexp_full_match(${value(x, path)}, ${quoteText(odd)})`;
      const rest = `${mayDiffer} THEN ${marked} ELSE ${plain} END)`;
      if (ofJson) return `(CASE WHEN ${hasOddNumber(x)} AND ${rest}`;
      return (
        `(CASE WHEN NOT json_valid(${x}) THEN NULL WHEN ${isPlain(x)} THEN ${plain} ` +
        `WHEN NOT ${isStrict(x)} THEN NULL WHEN ${rest}`
      );
    });
  };
}

/** @param read receives the elements of an array as a short text; numbers may be marked */
function listReading(read: (list: string) => string): CallPrinter<'json_value_array' | 'json_query_array'> {
  return (operands, { options }) => {
    const path = quoteText(printPath(options.path));
    return bindOnce(operands, (x) => {
      const readable = `(CASE WHEN NOT json_valid(${x}) THEN NULL WHEN ${isPlain(x)} THEN ${x} WHEN ${isStrict(x)} THEN ${withMarkedNumbers(x)} END)`;
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
