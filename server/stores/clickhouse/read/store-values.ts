/** Reads values of ClickHouse's JSON results, by logical type, as `StoreValue` describes them. */
import { intervalText, type OutputType, timeOfDayText } from '#compiler/store';
import type { StoreValue } from '../../store-value';

export type ValueReader = (value: unknown) => StoreValue;

const MICROS_PER_MILLI = 1000n;
const MS_PER_DAY = 86_400_000;
const TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?$/;

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
      return (value) => (typeof value === 'string' ? Buffer.from(value, 'hex').toString('base64') : mismatch(type));
    case 'INT64':
      return (value) => readWhole(value) ?? mismatch(type);
    case 'TIME':
    case 'INTERVAL': {
      const text = type.kind === 'TIME' ? timeOfDayText : intervalText;
      return (value) => {
        const whole = readWhole(value);
        return whole === null ? mismatch(type) : text(whole);
      };
    }
    case 'FLOAT64':
      return (value) => readFloat(value) ?? mismatch(type);
    case 'BOOL':
      return (value) => (typeof value === 'boolean' ? value : mismatch(type));
    case 'TIMESTAMP':
    case 'DATETIME':
      return (value) => readMicros(value) ?? mismatch(type);
    case 'DATE':
      return (value) => {
        const ms = typeof value === 'string' ? Date.parse(`${value.slice(0, 10)}T00:00:00Z`) : NaN;
        return Number.isNaN(ms) ? mismatch(type) : ms / MS_PER_DAY;
      };
    case 'ARRAY': {
      const readItem = valueReader(type.element);
      // A tuple of one array: an array itself cannot be NULL.
      return (value) => (Array.isArray(value) && Array.isArray(value[0]) ? value[0].map(readItem) : mismatch(type));
    }
    case 'STRUCT': {
      const readers = type.fields.map((field) => valueReader(field.type));
      return (value) =>
        Array.isArray(value) && value.length === readers.length
          ? readers.map((read, index) => read(value[index]))
          : mismatch(type);
    }
  }
}

function readWhole(value: unknown): bigint | null {
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? BigInt(value) : null;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : null;
}

/** Values that are no JSON numbers are in quotes. */
function readFloat(value: unknown): number | null {
  if (typeof value === 'number') return value;
  switch (value) {
    case 'nan':
    case '-nan':
      return NaN;
    case 'inf':
      return Infinity;
    case '-inf':
      return -Infinity;
    default:
      return typeof value === 'string' && /^-?\d/.test(value) ? Number(value) : null;
  }
}

function readMicros(value: unknown): bigint | null {
  const match = typeof value === 'string' ? TIME.exec(value) : null;
  if (match === null) return null;
  const ms = Date.parse(`${match[1]}T${match[2]}Z`);
  return BigInt(ms) * MICROS_PER_MILLI + BigInt((match[3] ?? '').padEnd(6, '0').slice(0, 6));
}

/** Fails when the store returns another type than the compiler printed: a bug, and never the caller's fault. */
function mismatch(type: OutputType): never {
  throw new TypeError(`a value of the store is not of the expected type ${type.kind}`);
}
