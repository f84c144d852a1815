/** Writes any value as JSON text. */
import type { RecordShape, Type } from '../../../../ir/types';
import { balanced } from '../../../base/functions';
import { byType, orderOf } from '../../../../ir/by-type';
import { type JsonStyle, type Member, membersOf, wrappedFields, type WrappedType } from '../../../base/json/json';
import { nameOnce } from '../../values/bind-once';
import { clockText, toText } from '../../casts';
import { jsonPointer, recordItems } from '../../parsing/json-fields';
import { quoteText, structNames } from '../../values/literals';
import { base64 } from '../text/bytes';
import { jsonNumber } from './json-number';
import { itemAt } from '../../../../items';
import { forLambda } from '../../values/for-lambda';

type StructType = Extract<Type, { kind: 'STRUCT' }>;

/** JSON text of a value; NULL becomes `null`. */
export function jsonText(x: string, type: Type, style: JsonStyle): string {
  switch (type.kind) {
    case 'STRING':
      return orNull(`CAST(to_json(${x}) AS VARCHAR)`);
    case 'BYTES':
      return orNull(`('"' || ${base64(x)} || '"')`);
    case 'JSON':
      return orNull(x);
    case 'INT64':
      if (style === 'value') return orNull(`CAST(${x} AS VARCHAR)`);
      // Most readers would lose digits of integers beyond 2^53.
      return nameOnce(x, (v) =>
        orNull(
          `(CASE WHEN ${v} BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(${v} AS VARCHAR) ELSE '"' || CAST(${v} AS VARCHAR) || '"' END)`
        )
      );
    case 'FLOAT64':
      return nameOnce(x, (v) =>
        orNull(
          `(CASE WHEN isfinite(${v}) THEN ${style === 'value' ? jsonNumber(`CAST(${v} + CAST('0' AS DOUBLE) AS VARCHAR)`) : toText(v, type)} WHEN isnan(${v}) THEN '"NaN"' WHEN ${v} > 0 THEN '"Infinity"' WHEN ${v} < 0 THEN '"-Infinity"' END)`
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
    case 'TIME':
      return orNull(`('"' || ${toText(x, type)} || '"')`);
    case 'ARRAY':
      return orNull(
        `('[' || ${joinedItems(`list_transform(${forLambda(x)}, lambda v: ${jsonText('v', type.element, style)})`)} || ']')`
      );
    case 'STRUCT':
      return nameOnce(x, (v) => structText(v, type, style));
    case 'RECORD':
      return orNull(recordText(x, type.shape));
    case 'SINGLE':
      // An absent record is an empty array.
      return `coalesce('[' || ${recordText(x, type.shape)} || ']', '[]')`;
    default:
      return "'null'";
  }
}

function structText(v: string, type: StructType, style: JsonStyle): string {
  // A chain of || is as deep as it is long, and DuckDB refuses 1,000 levels.
  return `(CASE WHEN ${v} IS NULL THEN 'null' ELSE concat('{', ${joinedMembers(v, type, style, membersOf(type, style), keyOf)}, '}') END)`;
}

/** Fewer take less time for many rows without. */
const MANY_OF_A_TYPE = 64;

/** JSON text of an array with the fields of a struct. */
export function jsonArray(x: string, type: Type): string {
  if (type.kind !== 'STRUCT') throw new Error('The elements are not in a struct.');
  const members = type.fields.map((field, index) => ({ field, index }));
  return nameOnce(x, (v) => `concat('[', ${joinedMembers(v, type, 'value', members, null)}, ']')`);
}

/**
 * Arguments of `concat`: members with commas between them.
 *
 * @param v a short text, which is repeated
 * @param keyOf what stands before each; null: nothing
 */
function joinedMembers(
  v: string,
  type: StructType,
  style: JsonStyle,
  members: readonly Member[],
  keyOf: ((member: Member) => string) | null
): string {
  const names = structNames(type.fields.map((field) => field.name));
  const value = ({ index }: Member): string => `struct_extract(${v}, ${structKey(itemAt(names, index))})`;
  const parts = (member: Member): readonly string[] => [
    ...(keyOf === null ? [] : [keyOf(member)]),
    jsonText(value(member), member.field.type, style),
  ];
  const grouped = byType(members, ({ field }) => field.type, MANY_OF_A_TYPE);
  if (grouped === null) return members.map((member) => parts(member).join(', ')).join(", ',', ");
  const { groups, others, places } = grouped;
  const texts = groups.map((same) => {
    const values = `[${same.map(value).join(', ')}]`;
    const written = `list_transform(${forLambda(values)}, lambda v: ${jsonText('v', same[0].field.type, style)})`;
    if (keyOf === null) return written;
    const pairs = `list_zip([${same.map(keyOf).join(', ')}], ${written})`;
    return `list_transform(${forLambda(pairs)}, lambda v: struct_extract_at(v, 1) || struct_extract_at(v, 2))`;
  });
  const rest = others.map((member) => `concat(${parts(member).join(', ')})`);
  const listed = balanced(rest.length === 0 ? texts : [...texts, `[${rest.join(', ')}]`], '||');
  const ordered =
    places === null
      ? listed
      : `list_select(${listed}, [${orderOf(places)
          .map((index) => index + 1)
          .join(', ')}])`;
  return `list_aggr(${ordered}, 'string_agg', ',')`;
}

function keyOf({ field: { name } }: Member): string {
  return quoteText(`${JSON.stringify(name)}:`);
}

/** Text constant of a quoted identifier. */
function structKey(identifier: string): string {
  return quoteText(identifier.slice(1, -1).replaceAll('""', '"'));
}

/**
 * Converts JSON text in object form to the form of queries, in which nested records are arrays of one. What is no
 * object is not changed.
 */
function recordText(text: string, shape: RecordShape): string {
  if (wrappedFields(shape).length === 0) return text;
  return `list_extract(${recordTexts(`[CAST(${text} AS JSON)]`, shape)}, 1)`;
}

/**
 * Like `recordText`, of each item of a list of JSON. Events decide how deep records are nested, and DuckDB takes twice
 * the time to bind a lambda for each lambda around it: so the records in an item are read at once, by their paths, and
 * only lists of records are further lambdas.
 */
function recordTexts(items: string, shape: RecordShape): string {
  const nested = new NestedRecords();
  const object = nested.objectText(nested.whole, [], shape);
  const text = `(CASE WHEN json_type(${nested.whole}) = 'OBJECT' THEN ${object} ELSE CAST(${nested.whole} AS VARCHAR) END)`;
  const pointers = nested.pointers.map(quoteText).join(', ');
  const parts = `list_transform(${forLambda(items)}, lambda v: list_prepend(v, json_extract(v, [${pointers}])))`;
  return `list_transform(${forLambda(parts)}, lambda v: ${text})`;
}

/** Writes the records nested in a JSON value. The lambda parameter is a list: the value, then each of its records. */
class NestedRecords {
  readonly pointers: string[] = [];
  readonly whole = 'list_extract(v, 1)';

  objectText(object: string, path: readonly string[], shape: RecordShape): string {
    const nested = wrappedFields(shape);
    if (nested.length === 0) return `CAST(${object} AS VARCHAR)`;
    const members = nested.map(([name, type]) => this.member([...path, name], type));
    // A patch must have no other members: it would remove those that are null.
    const patch = `('{' || coalesce(list_aggr([${members.join(', ')}], 'string_agg', ','), '') || '}')`;
    return `CAST(json_merge_patch(${object}, CAST(${patch} AS JSON)) AS VARCHAR)`;
  }

  /** A member in the form of queries; NULL if it is not of its type, so that it is not changed. */
  private member(path: readonly string[], type: WrappedType): string {
    this.pointers.push(jsonPointer(path));
    const value = `list_extract(v, ${this.pointers.length + 1})`;
    const isOne = type.kind === 'SINGLE';
    const items = isOne
      ? this.objectText(value, path, type.shape)
      : joinedItems(
          `list_transform(${forLambda(recordTexts(recordItems(value), type.element.shape))}, lambda v: ${orNull('v')})`
        );
    const member = `${quoteText(`${JSON.stringify(path.at(-1))}:[`)} || ${items} || ']'`;
    const forms = isOne ? ['OBJECT'] : ['OBJECT', 'ARRAY'];
    return `(CASE WHEN json_type(${value}) IN (${forms.map(quoteText).join(', ')}) THEN ${member} END)`;
  }
}

/**
 * Texts with commas between them. @param list of texts that are not NULL; not `array_to_string`, a macro that would
 * print it twice, and what is nested in it 2^n times
 */
function joinedItems(list: string): string {
  return `substr(list_aggr([''] || ${list}, 'string_agg', ','), 2)`;
}

function orNull(sql: string): string {
  return `coalesce(${sql}, 'null')`;
}
