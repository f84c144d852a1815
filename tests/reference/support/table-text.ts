/** Rows of a response as a SELECT of constants, by which the reference gets the same table. */
import { fieldKey, type NamedType, parseTypeName, printTypeName } from './type-name';

export function tableText(
  fields: readonly { readonly name: string; readonly type: string }[],
  rows: readonly Readonly<Record<string, unknown>>[]
): string {
  const row: NamedType = {
    kind: 'STRUCT',
    fields: fields.map(({ name, type }) => ({ name, type: parseTypeName(type) })),
  };
  const items = rows.map((values) => literal(values, row));
  return `SELECT * FROM UNNEST(ARRAY<${printTypeName(row)}>[${items.join(', ')}])`;
}

/** Responses leave out the fields of a record that are NULL or an empty list. */
function literal(value: unknown, type: NamedType): string {
  const name = printTypeName(type);
  if (type.kind === 'ARRAY') {
    const items = (value ?? []) as readonly unknown[];
    return `${name}[${items.map((item) => literal(item, type.item)).join(', ')}]`;
  }
  if (value === null || value === undefined) return `CAST(NULL AS ${name})`;
  if (type.kind === 'STRUCT') {
    const fields = value as Readonly<Record<string, unknown>>;
    return `${name}(${type.fields.map((field, index) => literal(fields[fieldKey(field, index)], field.type)).join(', ')})`;
  }
  if (name === 'TIMESTAMP') return `TIMESTAMP_MICROS(${String(value)})`;
  return typeof value === 'string' ? `CAST(${JSON.stringify(value)} AS ${name})` : `CAST(${String(value)} AS ${name})`;
}
