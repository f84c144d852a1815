/** Encodes one value of a column as JSON. The encoder is chosen by type once per column. */
import type { TimestampStyle } from '#contract/queries/query';
import type { OutputColumn, OutputType } from '#compiler';
import { ofKind, type StoreValue } from '../../../../stores/store-value';
import { floatJson, integerJson } from '../number-text';
import { recordJson } from './record-text';
import { dateText, dateTimeJson, timestampJson } from '../time-text';

export type CellText = (value: StoreValue) => string;

export function jsonCell(type: OutputType, style: TimestampStyle): CellText {
  const text = presentCell(type, style);
  const absent = type.kind === 'RECORD_TEXT' && type.single ? '[]' : 'null';
  return (value) => (value === null ? absent : text(value));
}

function presentCell(type: OutputType, style: TimestampStyle): CellText {
  switch (type.kind) {
    case 'STRING':
    case 'TIME':
    case 'INTERVAL':
    case 'BYTES':
      return ofKind(type.kind, (text) => JSON.stringify(text));
    case 'INT64':
      return ofKind(type.kind, integerJson);
    case 'FLOAT64':
      return ofKind(type.kind, floatJson);
    case 'BOOL':
      return ofKind(type.kind, String);
    case 'TIMESTAMP':
      return ofKind(type.kind, (micros) => timestampJson(micros, style));
    case 'DATETIME':
      return ofKind(type.kind, (micros) => dateTimeJson(micros, style));
    case 'DATE':
      return ofKind(type.kind, (day) => `"${dateText(day)}"`);
    case 'JSON':
      return ofKind(type.kind, (json) => json);
    case 'RECORD_TEXT':
      return ofKind(type.kind, (json) => recordJson(json, type.single));
    case 'ARRAY': {
      const element = jsonCell(type.element, style);
      return ofKind(type.kind, (values) => `[${values.map(element).join(',')}]`);
    }
    case 'STRUCT':
      return ofKind(type.kind, jsonRecord(type.fields, style));
  }
}

/** Encodes values in field order as one object. */
function jsonRecord(fields: readonly OutputColumn[], style: TimestampStyle): (values: readonly StoreValue[]) => string {
  const keys = jsonKeys(fields);
  const members = fields.map((field, index) => ({ key: keys[index]!, cell: jsonCell(field.type, style) }));
  return (values) => {
    let text = '{';
    for (let index = 0; index < members.length; index += 1) {
      const { key, cell } = members[index]!;
      text += key + cell(values[index] ?? null);
    }
    return `${text}}`;
  };
}

/** Prefixes `"name":` of the fields, with a comma before all but the first. */
export function jsonKeys(fields: readonly OutputColumn[]): readonly string[] {
  return fields.map(({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
}
