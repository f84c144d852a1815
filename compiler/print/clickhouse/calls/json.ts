/** JSON functions on arbitrary text, where invalid JSON reads as NULL, and conversion of any value to JSON text. */
import type { JsonPathStep } from '../../../functions/json/json-path';
import type { JsonOps } from '../../../ir/ops';
import type { RecordShape, Type } from '../../../ir/types';
import { wrappedFields, type WrappedType } from '../../base/json';
import type { CallPrinter, CallPrinters } from '../../dialect';
import { elements } from '../arrays/values';
import { INCOMPLETE } from '../../base/json-text';
import { bindOnce, nameOnce } from '../bind-once';
import { clockText, toText } from '../casts';
import { beginsJson, hasOddNumber, repaired, unmarkedJson, unmarkedText, withMarkedNumbers } from '../json-text';
import { castTo, quoteText } from '../literals';

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
    plain: (at) => `nullIf(nullIf(JSONExtractRaw(${at}), 'null'), '')`,
    mayDiffer: () => 'TRUE',
    unmarked: (at) => nameOnce(`JSONExtractRaw(${at})`, (m) => `nullIf(nullIf(${unmarkedJson(m)}, 'null'), '')`),
  }),
  json_value_array: listReading((list) => {
    const kind = (e: string): string => `JSONType(${e})`;
    const text = unmarkedText('JSONExtractString(e)');
    const value = `multiIf(${kind('e')} = 'String', ${text}, ${kind('e')} = 'Null', NULL, e)`;
    const odd = `arrayExists(e -> ${kind('e')} IN ('Object', 'Array'), ${list})`;
    return `if(${odd}, NULL, tuple(arrayMap(e -> ${value}, ${list})))`;
  }),
  json_query_array: listReading((list) => `tuple(arrayMap(e -> ${unmarkedJson('e')}, ${list}))`),
  to_json_string: (operands) => bindOnce(operands, (v) => jsonText(v, operands[0].expr.type)),
};

/** Printers of a value. `at`: the arguments of JSON functions, which are the text and the steps into it. */
interface Reading {
  readonly plain: (at: string) => string;
  /** Whether ClickHouse may have changed digits of the plain value. */
  readonly mayDiffer: (at: string) => string;
  /** Reads JSON with marked numbers, which may be incomplete. */
  readonly unmarked: (at: string) => string;
}

function reading({ plain, mayDiffer, unmarked }: Reading): CallPrinter<'json_value' | 'json_query'> {
  return (operands, { options: { path } }) =>
    bindOnce(operands, (x) => {
      const at = printAt(x, path);
      const marked = nameOnce(withMarkedNumbers(x), (r) => unmarked(printAt(r, path)));
      const exact = `if(${hasOddNumber(x)} AND ${mayDiffer(at)}, ${marked}, ${plain(at)})`;
      const cut = nameOnce(repaired(x), (r) => `if(${isPresent(r, path)}, ${unmarked(printAt(r, path))}, NULL)`);
      return `(CASE WHEN isValidJSON(${x}) THEN if(${isPresentIn(x, path)}, ${exact}, NULL) WHEN ${beginsJson(x)} THEN ${cut} END)`;
    });
}

/** @param read receives the elements of an array, as JSON texts under a short name, and returns an ARRAY */
function listReading(read: (list: string) => string): CallPrinter<'json_value_array' | 'json_query_array'> {
  return (operands, { options: { path }, type }) =>
    bindOnce(operands, (x) => {
      const marked = `if(${hasOddNumber(x)}, ${withMarkedNumbers(x)}, ${x})`;
      return nameOnce(`multiIf(isValidJSON(${x}), ${marked}, ${beginsJson(x)}, ${repaired(x)}, '')`, (r) => {
        const at = printAt(r, path);
        const list = nameOnce(`JSONExtractArrayRaw(ifNull(JSONExtractRaw(${at}), ''))`, (v) => castTo(read(v), type));
        const isComplete = `position(JSONExtractRaw(${at}), ${quoteText(INCOMPLETE)}) = 0`;
        return `(CASE WHEN ${isPresent(r, path)} THEN if(JSONType(${at}) = 'Array' AND ${isComplete}, ${list}, NULL) END)`;
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

/** JSON text of a value; NULL becomes `null`. @param x a short text, which is repeated */
function jsonText(x: string, type: Type): string {
  switch (type.kind) {
    case 'STRING':
      return orNull(textJson(x));
    case 'INT64':
      // Most readers would lose digits of integers beyond 2^53.
      return orNull(
        `if(${x} BETWEEN -9007199254740992 AND 9007199254740992, toString(${x}), concat('"', toString(${x}), '"'))`
      );
    case 'FLOAT64':
      return orNull(
        `multiIf(isFinite(${x}), ${toText(x, type)}, isNaN(${x}), '"NaN"', ${x} > 0, '"Infinity"', ${x} < 0, '"-Infinity"', NULL)`
      );
    case 'BOOL':
      return orNull(toText(x, type));
    case 'TIMESTAMP':
      return orNull(`concat('"', ${clockText(x, 'T')}, 'Z"')`);
    case 'DATETIME':
      return orNull(`concat('"', ${clockText(x, 'T')}, '"')`);
    case 'DATE':
      return orNull(`concat('"', ${toText(x, type)}, '"')`);
    case 'ARRAY': {
      const items = `arrayMap(v -> ${jsonText('v', type.element)}, ${elements(x)})`;
      return `if(${x} IS NULL, 'null', concat('[', arrayStringConcat(${items}, ','), ']'))`;
    }
    case 'STRUCT': {
      const members = type.fields.map(({ name, type: field }, index) => {
        const value = nameOnce(`tupleElement(${x}, ${index + 1})`, (v) => jsonText(v, field));
        return `${quoteText(`${JSON.stringify(name)}:`)}, ${value}`;
      });
      return `if(${x} IS NULL, 'null', concat('{', ${members.join(", ',', ")}, '}'))`;
    }
    case 'RECORD':
      return orNull(recordText(x, type.shape));
    case 'SINGLE':
      // An absent record is an empty array.
      return `ifNull(concat('[', ${recordText(x, type.shape)}, ']'), '[]')`;
    default:
      return "'null'";
  }
}

/**
 * ClickHouse escapes two line separators although JSON does not require it. @param x a short text, which is repeated
 */
function textJson(x: string): string {
  const marks = ['2028', '2029'];
  const chosen = marks.map((code) => `t = '\\\\u${code}', '${String.fromCodePoint(parseInt(code, 16))}'`);
  const tokens = `extractAll(toJSONString(ifNull(${x}, '')), '\\\\\\\\u[0-9a-f]{4}|\\\\\\\\.|[^\\\\\\\\]+')`;
  const plain = `arrayStringConcat(arrayMap(t -> multiIf(${chosen.join(', ')}, t), ${tokens}))`;
  return `if(match(${x}, '[\\\\x{2028}\\\\x{2029}]'), ${plain}, toJSONString(${x}))`;
}

/**
 * Converts JSON text in object form to the form of queries, in which nested records are arrays of one. @param text a
 * short text
 */
function recordText(text: string, shape: RecordShape): string {
  const nested = wrappedFields(shape);
  if (nested.length === 0) return text;
  const chosen = nested.map(
    ([name, type]) => `m.1 = ${quoteText(name)}, ${nameOnce('m.2', (v) => wrappedJson(v, type))}`
  );
  const member = `concat(toJSONString(m.1), ':', multiIf(${chosen.join(', ')}, m.2))`;
  const names = `[${nested.map(([name]) => quoteText(name)).join(', ')}]`;
  const written = nameOnce(`JSONExtractKeysAndValuesRaw(ifNull(${text}, ''))`, (v) => {
    // Nested records come last, in declaration order, as DuckDB writes them.
    const ordered = `arraySort((m, i) -> (indexOf(${names}, m.1), i), ${v}, arrayEnumerate(${v}))`;
    return `arrayStringConcat(arrayMap(m -> ${member}, ${ordered}), ',')`;
  });
  return `if(${text} IS NULL, NULL, concat('{', ${written}, '}'))`;
}

/** A member that is not an object, contrary to its declared type, is not changed. @param value a short text */
function wrappedJson(value: string, type: WrappedType): string {
  if (type.kind === 'SINGLE') {
    return `if(startsWith(${value}, '{'), concat('[', ${recordText(value, type.shape)}, ']'), ${value})`;
  }
  const items = `arrayMap(v -> ${recordText('v', type.element.shape)}, JSONExtractArrayRaw(${value}))`;
  return `if(startsWith(${value}, '['), concat('[', arrayStringConcat(${items}, ','), ']'), ${value})`;
}

function orNull(sql: string): string {
  return `ifNull(${sql}, 'null')`;
}
