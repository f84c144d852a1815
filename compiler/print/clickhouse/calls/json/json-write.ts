/** Writes any value as JSON text. */
import { type RecordShape, structFields, type Type } from '../../../../ir/types';
import { byType } from '../../../../ir/by-type';
import { type JsonStyle, type Member, membersOf, wrappedFields, type WrappedType } from '../../../base/json/json';
import { elements } from '../../values/lists';
import { nameOnce } from '../../values/bind-once';
import { clockText, toText } from '../../casts';
import { quoteText } from '../../values/literals';
import { listed } from '../../parsing/json-fields';
import { hasOddNumber, unmarkedJson, withMarkedNumbers } from '../../parsing/json-text';
import { base64 } from '../text/bytes';
import { jsonNumber } from './json-number';

/** JSON text of a value; NULL becomes `null`. @param x a short text, which is repeated */
export function jsonText(x: string, type: Type, style: JsonStyle): string {
  switch (type.kind) {
    case 'STRING':
      return orNull(textJson(x));
    case 'BYTES':
      return orNull(`concat('"', ${base64(x)}, '"')`);
    case 'JSON':
      return orNull(x);
    case 'INT64':
      if (style === 'value') return orNull(`toString(${x})`);
      // Most readers would lose digits of integers beyond 2^53.
      return orNull(
        `if(${x} BETWEEN -9007199254740992 AND 9007199254740992, toString(${x}), concat('"', toString(${x}), '"'))`
      );
    case 'FLOAT64':
      return orNull(
        `multiIf(isFinite(${x}), ${style === 'value' ? jsonNumber(`toString(${x} + 0)`) : toText(x, type)}, isNaN(${x}), '"NaN"', ${x} > 0, '"Infinity"', ${x} < 0, '"-Infinity"', NULL)`
      );
    case 'BOOL':
      return orNull(toText(x, type));
    case 'TIMESTAMP':
      return orNull(`concat('"', ${clockText(x, 'T')}, 'Z"')`);
    case 'DATETIME':
      return orNull(`concat('"', ${clockText(x, 'T')}, '"')`);
    case 'DATE':
      return orNull(`concat('"', ${toText(x, type)}, '"')`);
    case 'TIME':
      return orNull(`concat('"', ${toText(x, type)}, '"')`);
    case 'ARRAY': {
      const items = `arrayMap(v -> ${jsonText('v', type.element, style)}, ${elements(x)})`;
      return `if(${x} IS NULL, 'null', concat('[', arrayStringConcat(${items}, ','), ']'))`;
    }
    case 'STRUCT':
      return `if(${x} IS NULL, 'null', concat('{', ${joinedMembers(x, membersOf(type, style), style, keyOf)}, '}'))`;
    case 'RECORD':
      return orNull(recordJson(x, type.shape));
    case 'SINGLE':
      // An absent record is an empty array.
      return `ifNull(concat('[', ${recordJson(x, type.shape)}, ']'), '[]')`;
    default:
      return "'null'";
  }
}

/** Fewer are as fast without. */
const MANY_OF_A_TYPE = 16;

/** JSON text of an array with the fields of a struct. @param x a short text, which is repeated */
export function jsonArray(x: string, type: Type): string {
  const members = structFields(type).map((field, index) => ({ field, index }));
  return `concat('[', ${joinedMembers(x, members, 'value', null)}, ']')`;
}

/**
 * Arguments of `concat`: members with commas between them.
 *
 * @param x a short text, which is repeated
 * @param keyOf what stands before each; null: nothing
 */
function joinedMembers(
  x: string,
  members: readonly Member[],
  style: JsonStyle,
  keyOf: ((member: Member) => string) | null
): string {
  const value = ({ index }: Member): string => `tupleElement(${x}, ${index + 1})`;
  const parts = (member: Member): readonly string[] => [
    ...(keyOf === null ? [] : [keyOf(member)]),
    nameOnce(value(member), (v) => jsonText(v, member.field.type, style)),
  ];
  const grouped = byType(members, ({ field }) => field.type, MANY_OF_A_TYPE);
  if (grouped === null) return members.map((member) => parts(member).join(', ')).join(", ',', ");
  const { groups, others, places } = grouped;
  const texts = groups.map((same) => {
    const values = `[${same.map(value).join(', ')}]`;
    const written = jsonText('v', same[0].field.type, style);
    if (keyOf === null) return `arrayMap(v -> ${written}, ${values})`;
    return `arrayMap((k, v) -> concat(k, ${written}), [${same.map(keyOf).join(', ')}], ${values})`;
  });
  const rest = others.map((member) => `concat(${parts(member).join(', ')})`);
  const all = rest.length === 0 ? texts : [...texts, `[${rest.join(', ')}]`];
  const listed = all.length === 1 ? all.join() : `arrayConcat(${all.join(', ')})`;
  const ordered = places === null ? listed : `arraySort((t, i) -> i, ${listed}, [${places.join(', ')}])`;
  return `arrayStringConcat(${ordered}, ',')`;
}

function keyOf({ field: { name } }: Member): string {
  return quoteText(`${JSON.stringify(name)}:`);
}

/**
 * ClickHouse escapes two line separators although JSON does not require it.
 *
 * @param x a short text, which is repeated
 */
function textJson(x: string): string {
  const text = `toJSONString(ifNull(${x}, ''))`;
  return `if(match(${x}, '[\\\\x{2028}\\\\x{2029}]'), ${unescaped(text)}, toJSONString(${x}))`;
}

/** @param x a short text, which is repeated */
function recordJson(x: string, shape: RecordShape): string {
  if (wrappedFields(shape).length === 0) return withSeparators(x);
  // ClickHouse does not read again the digits that it writes for a fraction of more than 64 bits.
  const marked = `if(${hasOddNumber(x)}, ${withMarkedNumbers(x)}, ${x})`;
  return withSeparators(nameOnce(marked, (r) => unmarkedJson(recordText(r, shape))));
}

/** JSON text that ClickHouse wrote, without its escapes of line separators. */
function withSeparators(json: string): string {
  return nameOnce(json, (t) => `if(position(${t}, '\\\\u202') > 0, ${unescaped(`ifNull(${t}, '')`)}, ${t})`);
}

function unescaped(json: string): string {
  const chosen = ['2028', '2029'].map((code) => `t = '\\\\u${code}', '${String.fromCodePoint(parseInt(code, 16))}'`);
  const tokens = `extractAll(${json}, '\\\\\\\\u[0-9a-f]{4}|\\\\\\\\.|[^\\\\\\\\]+')`;
  return `arrayStringConcat(arrayMap(t -> multiIf(${chosen.join(', ')}, t), ${tokens}))`;
}

/**
 * Converts JSON text in object form to the form of queries, in which nested records are arrays of one. What is no
 * object is not changed.
 * @param text a short text
 */
function recordText(text: string, shape: RecordShape): string {
  const nested = wrappedFields(shape);
  if (nested.length === 0) return text;
  const chosen = nested.map(([name, type]) => `${isWrapped(name, type)}, ${nameOnce('m.2', (v) => wrapped(v, type))}`);
  const member = `concat(toJSONString(m.1), ':', multiIf(${chosen.join(', ')}, m.2))`;
  const places = nested.map(([name, type], index) => `${isWrapped(name, type)}, ${index + 1}`);
  const written = nameOnce(`JSONExtractKeysAndValuesRaw(ifNull(${text}, ''))`, (v) => {
    // Nested records come last, in declaration order, as DuckDB writes them.
    const ordered = `arraySort((m, i) -> (multiIf(${places.join(', ')}, 0), i), ${v}, arrayEnumerate(${v}))`;
    return `arrayStringConcat(arrayMap(m -> ${member}, ${ordered}), ',')`;
  });
  return `if(startsWith(${text}, '{'), concat('{', ${written}, '}'), ${text})`;
}

/** Whether the member `m` has this name and is of its type: another one is not changed. */
function isWrapped(name: string, type: WrappedType): string {
  const isOne = `startsWith(m.2, '{')`;
  return `m.1 = ${quoteText(name)} AND ${type.kind === 'SINGLE' ? isOne : `(startsWith(m.2, '[') OR ${isOne})`}`;
}

/** @param value a short text */
function wrapped(value: string, type: WrappedType): string {
  if (type.kind === 'SINGLE') return `concat('[', ${recordText(value, type.shape)}, ']')`;
  const items = `arrayMap(v -> ${recordText('v', type.element.shape)}, JSONExtractArrayRaw(${listed(value)}))`;
  return `concat('[', arrayStringConcat(${items}, ','), ']')`;
}

function orNull(sql: string): string {
  return `ifNull(${sql}, 'null')`;
}
