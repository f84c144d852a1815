/** JSON functions on arbitrary text, where invalid JSON reads as NULL, and on values of type JSON. */
import type { JsonPathStep } from '../../../../functions/json/json-path';
import type { JsonOps } from '../../../../ir/operations/ops';
import { isCall } from '../../../../ir/operations/call';
import type { CallPrinter, CallPrinters, Operand, SharedPart } from '../../../dialect/dialect';
import { MARK } from '../../../base/json/json-text';
import { bindOnce, nameOnce } from '../../values/bind-once';
import {
  hasOddNumber,
  isPlain,
  isStrict,
  unmarkedJson,
  unmarkedText,
  withMarkedNumbers,
} from '../../parsing/json-text';
import { quoteText } from '../../values/literals';
import { prettyJson } from './json-pretty';
import { jsonValues } from './json-values';
import { jsonText } from './json-write';
import { forLambda } from '../../values/for-lambda';

/** What surrounds the digits of a marked number. */
const MARK_OF_TEXT = `"${MARK}`;

export const json: CallPrinters<JsonOps> = {
  json_value: (operands, { options }) => readingOf(VALUE, operands, options.path),
  json_query: (operands, { options }) => readingOf(QUERY, operands, options.path),
  json_value_array: listReading((list) => {
    const hasNested = `len(list_filter(${forLambda(list)}, lambda e: json_type(e) IN ('OBJECT', 'ARRAY'))) > 0`;
    const text = unmarkedText("json_extract_string(json_value(e, '$'), '$')");
    return `(CASE WHEN NOT (${hasNested}) THEN list_transform(${forLambda(list)}, lambda e: ${text}) END)`;
  }),
  json_query_array: listReading(
    (list) =>
      `list_transform(${forLambda(`list_transform(${forLambda(list)}, lambda e: coalesce(CAST(e AS VARCHAR), 'null'))`)}, lambda e: ${unmarkedJson('e')})`
  ),
  to_json_string: ([x]) => jsonText(x.sql, x.expr.type, 'text'),
  pretty_json: (operands) => bindOnce(operands, prettyJson),
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

/** json_value returns scalars only, as JSON text. */
const VALUE: Reading = {
  value: (j, path) => `json_value(${j}, ${path})`,
  odd: '-?(?:[0-9]+[.eE].*|[0-9]{19,}|0)',
  result: (v) => `json_extract_string(${v}, '$')`,
  unmarked: (v) => `trim(${v}, ${quoteText(MARK_OF_TEXT)})`,
};

const QUERY: Reading = {
  value: (j, path) => `CAST(json_extract(${j}, ${path}) AS VARCHAR)`,
  odd: '(?s).*(?:[0-9][.eE]|[0-9]{19}|(?:^|[:,[])0(?:[^.0-9]|$)).*',
  result: (v, ofJson) => (ofJson ? v : `nullif(${v}, 'null')`),
  unmarked: unmarkedJson,
};

/** Texts of one reading of a path. */
function partsOf({ value, odd, result, unmarked }: Reading, x: string, path: readonly JsonPathStep[], ofJson: boolean) {
  const at = quoteText(printPath(path));
  return {
    plain: result(value(x, at), ofJson),
    mayDiffer: `regexp_full_match(${value(x, at)}, ${quoteText(odd)})`,
    fromMarked: (marked: string): string => unmarked(value(marked, at)),
  };
}

function readingOf(reading: Reading, operands: readonly [Operand], path: readonly JsonPathStep[]): string {
  return bindOnce(operands, (x) => {
    const ofJson = operands[0].expr.type.kind === 'JSON';
    const { plain, mayDiffer, fromMarked } = partsOf(reading, x, path, ofJson);
    const rest = `${mayDiffer} THEN ${fromMarked(withMarkedNumbers(x))} ELSE ${plain} END)`;
    if (ofJson) return `(CASE WHEN ${hasOddNumber(x)} AND ${rest}`;
    return (
      `(CASE WHEN NOT json_valid(${x}) THEN NULL WHEN ${isPlain(x)} THEN ${plain} ` +
      `WHEN NOT ${isStrict(x)} THEN NULL WHEN ${rest}`
    );
  });
}

/**
 * What calls on the same column share: the text with marked numbers, empty if DuckDB reads the text itself as the
 * dialect does, and NULL for a text that is not JSON.
 */
export const sharedJson: SharedPart = {
  readers: ['json_value', 'json_query'],
  columnOf: (expr) => {
    if (!isCall(expr, 'json_value', 'json_query')) return undefined;
    const [operand] = expr.args;
    return operand?.kind === 'column' && operand.type.kind === 'STRING' ? operand : undefined;
  },
  part: (x) =>
    `(CASE WHEN NOT json_valid(${x}) THEN NULL WHEN ${isPlain(x)} THEN '' WHEN ${isStrict(x)} THEN ${withMarkedNumbers(x)} END)`,
  call: (call, x, marked) => {
    if (!isCall(call, 'json_value', 'json_query')) throw new Error('The call reads no shared JSON.');
    const reading = call.fn === 'json_value' ? VALUE : QUERY;
    const { plain, mayDiffer, fromMarked } = partsOf(reading, x, call.options.path, false);
    return (
      `(CASE WHEN ${marked} IS NULL THEN NULL ` +
      `WHEN ${marked} <> '' AND ${mayDiffer} THEN ${fromMarked(marked)} ELSE ${plain} END)`
    );
  },
};

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
