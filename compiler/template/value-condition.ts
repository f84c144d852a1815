/** Conditions that a value of a result fulfills, printed by the type of its column. */
import { type FieldStep, nestedCondition } from './nested-condition';
import { printName, printText } from './print-text';
import { readType, type ResultType } from './read-type';

/** A single value of a row. */
export interface RowFilter {
  /** A column of the result and the fields below it, without positions in lists. */
  readonly path: readonly [string, ...string[]];
  /** Type of the column, as the service writes it. */
  readonly columnType: string;
  /** As in the JSON of the service. */
  readonly value: string | number | boolean | null;
  /** Keeps the rows without the value: also those where it is NULL. */
  readonly isNegated: boolean;
}

/** @param table alias of the table of the column; null: a column of the rows before */
export function valueCondition(
  { path, columnType, value, isNegated }: RowFilter,
  table: string | null
): string | undefined {
  const [column, ...names] = path;
  const type = readType(columnType);
  const found = type && stepsTo(type, names);
  const compare = found && comparison(found.leaf, value);
  if (!found || !compare) return undefined;
  const root = table === null ? printName(column) : `${table}.${printName(column)}`;
  const isWhole = found.steps.length === 0 && !found.isList;
  const own = nestedCondition(root, found.steps, compare, found.isList);
  if (!isNegated) return own;
  return isWhole && value !== null
    ? `not coalesce(${own}, false)`
    : `not ${value === null && isWhole ? `(${own})` : own}`;
}

/** Type of a field, or of the elements of a list; undefined where there is no single value to compare. */
export function leafOf(
  columnType: string,
  names: readonly string[]
): { readonly leaf: string; readonly isList: boolean } | undefined {
  const type = readType(columnType);
  return type && stepsTo(type, names);
}

interface Found {
  readonly steps: readonly FieldStep[];
  readonly leaf: string;
  readonly isList: boolean;
}

function stepsTo(column: ResultType, names: readonly string[]): Found | undefined {
  const steps: FieldStep[] = [];
  let type: ResultType = column;
  for (const name of names) {
    const parent: ResultType = type;
    const record: ResultType = parent.kind === 'array' ? parent.element : parent;
    const next: ResultType | undefined = record.kind === 'struct' ? record.fields.get(name) : undefined;
    if (next === undefined) return undefined;
    steps.push({ name, parent });
    type = next;
  }
  const isList = type.kind === 'array';
  const leaf = type.kind === 'array' ? type.element : type;
  return leaf.kind === 'scalar' ? { steps, leaf: leaf.name, isList } : undefined;
}

function comparison(type: string, value: RowFilter['value']): ((field: string) => string) | undefined {
  // NaN and infinities are null in JSON.
  if (value === null && type === 'FLOAT64')
    return (field) => `(${field} is null or is_nan(${field}) or is_inf(${field}))`;
  if (value === null) return (field) => `${field} is null`;
  const literal = printValue(type, value);
  return literal === undefined ? undefined : (field) => `${field} = ${literal}`;
}

/** @returns undefined for types that cannot be compared, and for a value of another type */
function printValue(type: string, value: string | number | boolean): string | undefined {
  const text = String(value);
  switch (type) {
    case 'STRING':
      // No text of SQL can hold it.
      return typeof value === 'string' && !value.includes('\0') ? printText(value) : undefined;
    case 'INT64':
      return /^-?\d{1,19}$/.test(text) ? text : undefined;
    case 'FLOAT64':
      return typeof value === 'number' && Number.isFinite(value) ? text : undefined;
    case 'BOOL':
      return typeof value === 'boolean' ? text : undefined;
    case 'TIMESTAMP':
      return /^-?\d{1,18}$/.test(text) ? `timestamp_micros(${text})` : undefined;
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
      return typeof value === 'string' ? `${type.toLowerCase()} ${printText(value)}` : undefined;
    case 'BYTES':
      return typeof value === 'string' ? `from_base64(${printText(value)})` : undefined;
    default:
      return undefined;
  }
}
