/** JSON functions on arbitrary text, where invalid JSON reads as NULL, and conversion of any value to JSON text. */
import { parseJsonPath, type JsonPathStep } from '../../../functions/json/json-path';
import type { CallExpr } from '../../../ir/expression';
import type { RecordShape, Type } from '../../../ir/types';
import type { CallPrinter } from '../../dialect';
import { nameOnce, nameOperand } from '../bind-once';
import { clockText, toText } from '../casts';
import { elements } from '../arrays/values';
import { castTo, quoteText } from '../literals';

export const json: Readonly<Record<string, CallPrinter>> = {
  json_value: (args, call) =>
    checked(args, call, (at) => {
      const kind = `JSONType(${at})`;
      return `multiIf(${kind} = 'String', JSONExtractString(${at}), ${kind} IN ('Null', 'Object', 'Array'), NULL, JSONExtractRaw(${at}))`;
    }),
  json_query: (args, call) => checked(args, call, (at) => `nullIf(nullIf(JSONExtractRaw(${at}), 'null'), '')`),
  json_value_array: (args, call) =>
    checkedList(args, call, (list) => {
      const kind = (e: string): string => `JSONType(${e})`;
      const value = `multiIf(${kind('e')} = 'String', JSONExtractString(e), ${kind('e')} = 'Null', NULL, e)`;
      const odd = `arrayExists(e -> ${kind('e')} IN ('Object', 'Array'), ${list})`;
      return `if(${odd}, NULL, tuple(arrayMap(e -> ${value}, ${list})))`;
    }),
  json_query_array: (args, call) => checkedList(args, call, (list) => `tuple(${list})`),
  to_json_string: ([x], { args: [expr] }) => {
    const { type } = expr as CallExpr['args'][number];
    return nameOperand(String(x), expr, (v) => jsonText(v, type));
  },
};

/** @param read receives the arguments of JSON functions: the text and the steps into it */
function checked(args: readonly string[], { args: exprs, options }: CallExpr, read: (at: string) => string): string {
  const steps = parseJsonPath(String(options?.['path']));
  return nameOperand(String(args[0]), exprs[0], (x) => {
    const at = (count: number): string => [x, ...steps.slice(0, count).map(printStep)].join(', ');
    // ClickHouse also accepts a number as the index of an object member.
    const lists = steps.flatMap((step, index) =>
      typeof step === 'number' ? [`JSONType(${at(index)}) = 'Array'`] : [`JSONType(${at(index)}) = 'Object'`]
    );
    const present = [`isValidJSON(${x})`, ...lists, ...(steps.length === 0 ? [] : [`JSONHas(${at(steps.length)})`])];
    return `(CASE WHEN ${present.join(' AND ')} THEN ${read(at(steps.length))} END)`;
  });
}

/** @param read receives the elements of an array, as JSON texts under a short name, and returns an ARRAY */
function checkedList(args: readonly string[], call: CallExpr, read: (list: string) => string): string {
  return checked(args, call, (at) => {
    const list = nameOnce(`JSONExtractArrayRaw(ifNull(JSONExtractRaw(${at}), ''))`, (v) => castTo(read(v), call.type));
    return `if(JSONType(${at}) = 'Array', ${list}, NULL)`;
  });
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
  const nested = [...shape.fields].filter(([, type]) => wrapped(type));
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

function wrapped(type: Type): boolean {
  if (type.kind === 'SINGLE') return true;
  return (
    type.kind === 'ARRAY' && type.element.kind === 'RECORD' && [...type.element.shape.fields.values()].some(wrapped)
  );
}

/** A member that is not an object, contrary to its declared type, is not changed. @param value a short text */
function wrappedJson(value: string, type: Type): string {
  if (type.kind === 'SINGLE') {
    return `if(startsWith(${value}, '{'), concat('[', ${recordText(value, type.shape)}, ']'), ${value})`;
  }
  const shape = (type as { element: { shape: RecordShape } }).element.shape;
  const items = `arrayMap(v -> ${recordText('v', shape)}, JSONExtractArrayRaw(${value}))`;
  return `if(startsWith(${value}, '['), concat('[', arrayStringConcat(${items}, ','), ']'), ${value})`;
}

function orNull(sql: string): string {
  return `ifNull(${sql}, 'null')`;
}
