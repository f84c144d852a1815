/** Encodes one value of a column as JSON. The encoder is chosen by type once per column. */
import type { TimestampStyle } from '#contract/query';
import type { OutputColumn, OutputType } from '#compiler';
import type { StoreValue } from '../../../stores/store';
import { floatJson, integerJson } from './number-text';
import { recordJson } from './record-text';
import { dateText, dateTimeJson, timestampJson } from './time-text';

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
      return (value) => JSON.stringify(value);
    case 'INT64':
      return (value) => integerJson(value as bigint);
    case 'FLOAT64':
      return (value) => floatJson(value as number);
    case 'BOOL':
      return (value) => (value === true ? 'true' : 'false');
    case 'TIMESTAMP':
      return (value) => timestampJson(value as bigint, style);
    case 'DATETIME':
      return (value) => dateTimeJson(value as bigint, style);
    case 'DATE':
      return (value) => `"${dateText(value as number)}"`;
    case 'JSON':
      return (value) => value as string;
    case 'RECORD_TEXT':
      return (value) => recordJson(value as string, type.single);
    case 'ARRAY': {
      const element = jsonCell(type.element, style);
      return (value) => `[${(value as readonly StoreValue[]).map(element).join(',')}]`;
    }
    case 'STRUCT':
      return jsonRecord(type.fields, style);
  }
}

/** Encodes values in field order as one object. */
export function jsonRecord(fields: readonly OutputColumn[], style: TimestampStyle): CellText {
  const cells = fields.map((field) => jsonCell(field.type, style));
  const keys = jsonKeys(fields);
  return (value) => {
    const values = value as readonly StoreValue[];
    let text = '{';
    for (let index = 0; index < cells.length; index += 1) {
      text += (keys[index] as string) + (cells[index] as CellText)(values[index] ?? null);
    }
    return `${text}}`;
  };
}

/** Prefixes `"name":` of the fields, with a comma before all but the first. */
export function jsonKeys(fields: readonly OutputColumn[]): readonly string[] {
  return fields.map(({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
}
