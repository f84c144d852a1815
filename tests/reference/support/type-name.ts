/** Names of types, as results and the reference implementation write them: `ARRAY<STRUCT<a INT64, STRING>>`. */

export type NamedType =
  | { readonly kind: 'ARRAY'; readonly item: NamedType }
  | { readonly kind: 'STRUCT'; readonly fields: readonly NamedField[] }
  | { readonly kind: 'OTHER'; readonly name: string };

/** `name` is empty for a field without one. */
export interface NamedField {
  readonly name: string;
  readonly type: NamedType;
}

const PIECE = /`[^`]*`|[<>,]|[^\s<>,`]+/g;

/** @throws Error for a text that is no name of a type */
export function parseTypeName(text: string): NamedType {
  const pieces = text.match(PIECE) ?? [];
  let at = 0;
  const next = (): string => {
    const piece = pieces[at++];
    if (piece === undefined) throw new Error(`not a type: ${text}`);
    return piece;
  };
  const readField = (): NamedField => {
    const isNamed = pieces[at + 1] !== undefined && !/^[<>,]$/.test(pieces[at + 1] as string);
    const name = isNamed ? next().replaceAll('`', '') : '';
    return { name, type: readType() };
  };
  const readType = (): NamedType => {
    const name = next();
    if (pieces[at] !== '<') return { kind: 'OTHER', name };
    at += 1;
    if (name === 'ARRAY') {
      const item = readType();
      at += 1;
      return { kind: 'ARRAY', item };
    }
    const fields: NamedField[] = [];
    while (pieces[at] !== '>') {
      fields.push(readField());
      if (pieces[at] === ',') at += 1;
    }
    at += 1;
    return { kind: 'STRUCT', fields };
  };
  return readType();
}

/** The name that a value's JSON has for a field. */
export function fieldKey(field: NamedField, index: number): string {
  return field.name === '' ? `_field_${index + 1}` : field.name;
}

/** Text for a query; names in backticks. */
export function printTypeName(type: NamedType): string {
  if (type.kind === 'ARRAY') return `ARRAY<${printTypeName(type.item)}>`;
  if (type.kind === 'OTHER') return type.name;
  const fields = type.fields.map(({ name, type: inner }) => `${quoteName(name)}${printTypeName(inner)}`);
  return `STRUCT<${fields.join(', ')}>`;
}

/** Results name the fields that have no name by their position. */
function quoteName(name: string): string {
  return name === '' || /^_field_\d+$/.test(name) ? '' : `\`${name}\` `;
}
