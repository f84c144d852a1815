/** JSON functions on arbitrary text, where invalid JSON reads as NULL, and on values of type JSON. */
import type { JsonPathStep } from '../../../../functions/json/json-path';
import type { JsonOps } from '../../../../ir/operations/ops';
import type { CallPrinter, CallPrinters } from '../../../dialect/dialect';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { hasOddNumber, unmarkedJson, unmarkedText, withMarkedNumbers } from '../../parsing/json-text';
import { castTo, quoteText } from '../../values/literals';
import { prettyJson } from './json-pretty';
import { jsonValues } from './json-values';
import { jsonText } from './json-write';

export const json: CallPrinters<JsonOps> = {
  json_value: reading({
    plain: (at) => {
      const kind = `JSONType(${at})`;
      return `multiIf(${kind} = 'String', JSONExtractString(${at}), ${kind} IN ('Null', 'Object', 'Array'), NULL, JSONExtractRaw(${at}))`;
    },
    mayDiffer: (at) => `JSONType(${at}) IN ('Double', 'Int64')`,
    unmarked: (at) => {
      const kind = `JSONType(${at})`;
      const text = unmarkedText(`JSONExtractString(${at})`);
      return `multiIf(${kind} = 'String', ${text}, ${kind} = 'Bool', JSONExtractRaw(${at}), NULL)`;
    },
  }),
  json_query: reading({
    plain: (at, ofJson) => (ofJson ? `JSONExtractRaw(${at})` : `nullIf(nullIf(JSONExtractRaw(${at}), 'null'), '')`),
    mayDiffer: () => 'TRUE',
    unmarked: (at, ofJson) =>
      nameOnce(`JSONExtractRaw(${at})`, (m) =>
        ofJson ? unmarkedJson(m) : `nullIf(nullIf(${unmarkedJson(m)}, 'null'), '')`
      ),
  }),
  json_value_array: listReading((list) => {
    const kind = (e: string): string => `JSONType(${e})`;
    const text = unmarkedText('JSONExtractString(e)');
    const value = `multiIf(${kind('e')} = 'String', ${text}, ${kind('e')} = 'Null', NULL, e)`;
    const odd = `arrayExists(e -> ${kind('e')} IN ('Object', 'Array'), ${list})`;
    return `if(${odd}, NULL, tuple(arrayMap(e -> ${value}, ${list})))`;
  }),
  json_query_array: listReading((list) => `tuple(arrayMap(e -> ${unmarkedJson('e')}, ${list}))`),
  to_json_string: (operands) => bindOnce(operands, (v) => jsonText(v, operands[0].expr.type, 'text')),
  pretty_json: (operands) => bindOnce(operands, prettyJson),
  ...jsonValues,
};

/**
 * Printers of a value. `at`: the arguments of JSON functions, which are the text and the steps into it. `ofJson`: of a
 * value of type JSON, where null is a value.
 */
interface Reading {
  readonly plain: (at: string, ofJson: boolean) => string;
  /** Whether ClickHouse may have changed digits of the plain value. */
  readonly mayDiffer: (at: string) => string;
  /** Reads JSON with marked numbers. */
  readonly unmarked: (at: string, ofJson: boolean) => string;
}

function reading({ plain, mayDiffer, unmarked }: Reading): CallPrinter<'json_value' | 'json_query'> {
  return (operands, { options: { path } }) =>
    bindOnce(operands, (x) => {
      const at = printAt(x, path);
      const ofJson = operands[0].expr.type.kind === 'JSON';
      const marked = nameOnce(withMarkedNumbers(x), (r) => unmarked(printAt(r, path), ofJson));
      const exact = `if(${hasOddNumber(x)} AND ${mayDiffer(at)}, ${marked}, ${plain(at, ofJson)})`;
      if (ofJson) return `(CASE WHEN ${isPresentIn(x, path)} THEN ${exact} END)`;
      // ClickHouse refuses a text with a number that FLOAT64 does not hold.
      const large = nameOnce(
        withMarkedNumbers(x),
        (r) => `if(${isPresent(r, path)}, ${unmarked(printAt(r, path), ofJson)}, NULL)`
      );
      return `(CASE WHEN isValidJSON(${x}) THEN if(${isPresentIn(x, path)}, ${exact}, NULL) WHEN ${hasOddNumber(x)} THEN ${large} END)`;
    });
}

/** @param read receives the elements of an array, as JSON texts under a short name, and returns an ARRAY */
function listReading(read: (list: string) => string): CallPrinter<'json_value_array' | 'json_query_array'> {
  return (operands, { options: { path }, type }) =>
    bindOnce(operands, (x) => {
      const marked = `if(${hasOddNumber(x)}, ${withMarkedNumbers(x)}, ${x})`;
      return nameOnce(marked, (r) => {
        const at = printAt(r, path);
        const list = nameOnce(`JSONExtractArrayRaw(ifNull(JSONExtractRaw(${at}), ''))`, (v) => castTo(read(v), type));
        return `(CASE WHEN ${isPresent(r, path)} THEN if(JSONType(${at}) = 'Array', ${list}, NULL) END)`;
      });
    });
}

function isPresent(x: string, path: readonly JsonPathStep[]): string {
  return `isValidJSON(${x}) AND ${isPresentIn(x, path)}`;
}

/** Whether valid JSON has a value at the path. ClickHouse also accepts a number as the index of an object member. */
function isPresentIn(x: string, path: readonly JsonPathStep[]): string {
  const types = path.map(
    (step, index) =>
      `JSONType(${printAt(x, path.slice(0, index))}) = '${typeof step === 'number' ? 'Array' : 'Object'}'`
  );
  return path.length === 0 ? 'TRUE' : [...types, `JSONHas(${printAt(x, path)})`].join(' AND ');
}

function printAt(x: string, path: readonly JsonPathStep[]): string {
  return [x, ...path.map(printStep)].join(', ');
}

function printStep(step: JsonPathStep): string {
  return typeof step === 'number' ? String(step + 1) : quoteText(step);
}
