/** Reads DuckDB's values by logical type, as `StoreValue` describes them. */
import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import './whole-texts';
import { intervalText, type OutputType, storedFieldNames, timeOfDayText } from '#compiler/store';
import type { StoreValue } from '../../store-value';

export type ValueReader = (value: DuckDBValue) => StoreValue;

/** Created once per column, so that the type is not examined for each row. */
export function valueReader(type: OutputType): ValueReader {
  const read = presentReader(type);
  return (value) => (value === null ? null : read(value));
}

function presentReader(type: OutputType): ValueReader {
  switch (type.kind) {
    case 'STRING':
    case 'RECORD_TEXT':
    case 'JSON':
      return (value) => (typeof value === 'string' ? value : mismatch(type));
    case 'BYTES':
      return (value) =>
        value instanceof DuckDBBlobValue ? Buffer.from(value.bytes).toString('base64') : mismatch(type);
    case 'INT64':
      return readInteger;
    case 'TIME':
      return (value) => (typeof value === 'bigint' ? timeOfDayText(value) : mismatch(type));
    case 'INTERVAL':
      return (value) => (typeof value === 'bigint' ? intervalText(value) : mismatch(type));
    case 'FLOAT64':
      return readFloat;
    case 'BOOL':
      return (value) => (typeof value === 'boolean' ? value : mismatch(type));
    case 'TIMESTAMP':
    case 'DATETIME':
      return readMicros;
    case 'DATE':
      return (value) => (value instanceof DuckDBDateValue ? value.days : mismatch(type));
    case 'ARRAY': {
      const readItem = valueReader(type.element);
      return (value) => (value instanceof DuckDBListValue ? value.items.map(readItem) : mismatch(type));
    }
    case 'STRUCT':
      return structReader(type);
  }
}

/** Reads fields by name and not by index: an object with keys that look like numbers does not keep their order. */
function structReader(type: Extract<OutputType, { kind: 'STRUCT' }>): ValueReader {
  const names = storedFieldNames(type.fields.map((field) => field.writtenName ?? field.name));
  const fields = type.fields.map((field, index) => ({ name: names[index]!, read: valueReader(field.type) }));
  return (value) => {
    if (!(value instanceof DuckDBStructValue)) return mismatch(type);
    return fields.map(({ name, read }) => read(value.entries[name] ?? null));
  };
}

function readInteger(value: DuckDBValue): StoreValue {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : mismatch({ kind: 'INT64' });
}

function readFloat(value: DuckDBValue): StoreValue {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof DuckDBDecimalValue ? value.toDouble() : mismatch({ kind: 'FLOAT64' });
}

function readMicros(value: DuckDBValue): StoreValue {
  const isTime = value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue;
  return isTime ? value.micros : mismatch({ kind: 'TIMESTAMP' });
}

/** Fails when the store returns another type than the compiler printed: a bug, and never the caller's fault. */
function mismatch(type: OutputType): never {
  throw new Error(`a value of the store is not of the expected type ${type.kind}`);
}
