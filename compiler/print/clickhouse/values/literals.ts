/**
 * Constants and type names in ClickHouse's SQL. All types are nullable: since arrays and tuples cannot be, an array is
 * a nullable tuple of one array and a struct a nullable tuple. Times and dates are DateTime64(6) in the years 0001 to
 * 9999.
 */
import type { LiteralExpr } from '../../../ir/expression';
import type { Type } from '../../../ir/types';
import { MAX_MICROS, MICROS_PER_DAY, MIN_MICROS } from '../../../time/parse-iso';
import { floatDigits } from '../../base/constants';
import { runFailureText, type RunFailure } from '../../../output/run-failure';
import { failingElement, givesNull, placeSuffix } from '../../expressions/failure-place';

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

export function quoteText(text: string): string {
  const escaped = text.toWellFormed().replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0');
  return `'${escaped}'`;
}

/**
 * A condition that is never true: it fails the run with one of our errors instead. NULL does not fail. In a safe
 * operation it is the condition itself, so that the branch for it must be NULL. What does not depend on the element of
 * a list, ClickHouse computes before it looks at elements, whatever the conditions are.
 */
export function failsWhen(condition: string, failure: RunFailure): string {
  if (givesNull(failure)) return `ifNull(${condition}, FALSE)`;
  const element = failingElement();
  const when = element === null ? condition : `(${condition}) AND NOT ignore(${element})`;
  return `(throwIf(ifNull(${when}, FALSE), ${quoteText(`${runFailureText(failure)}${placeSuffix()}`)}) <> 0)`;
}

/** Store type, including NULL. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'INT64':
    case 'TIME':
      return 'Nullable(Int64)';
    case 'INTERVAL':
      return 'Nullable(Int128)';
    case 'FLOAT64':
      return 'Nullable(Float64)';
    case 'BOOL':
      return 'Nullable(Bool)';
    case 'TIMESTAMP':
    case 'DATETIME':
    case 'DATE':
      return "Nullable(DateTime64(6, 'UTC'))";
    case 'ARRAY':
      return `Nullable(Tuple(${listTypeName(type.element)}))`;
    case 'STRUCT':
      return `Nullable(Tuple(${type.fields.map((field) => typeName(field.type)).join(', ')}))`;
    case 'STRING':
    case 'BYTES':
    case 'RECORD':
    case 'SINGLE':
    case 'JSON':
      return 'Nullable(String)';
    case 'NULL':
      // In the dialect the empty array is an array of INT64.
      return 'Nullable(Int64)';
  }
}

/** Type of the array inside an ARRAY value. */
function listTypeName(element: Type): string {
  return `Array(${typeName(element)})`;
}

export function castTo(sql: string, type: Type): string {
  return `CAST(${sql}, ${quoteText(typeName(type))})`;
}

export function literal({ type, value }: LiteralExpr): string {
  if (value === null) return type.kind === 'NULL' ? 'NULL' : castTo('NULL', type);
  switch (type.kind) {
    case 'STRING':
    case 'JSON':
      return quoteText(String(value));
    case 'BYTES':
      return `unhex(${quoteText(String(value))})`;
    case 'BOOL':
      return value === true ? 'TRUE' : 'FALSE';
    case 'INT64':
    case 'TIME':
      return int(BigInt(value));
    case 'INTERVAL':
      return `toInt128('${BigInt(value)}')`;
    case 'FLOAT64':
      return `toFloat64('${floatDigits(Number(value))}')`;
    case 'TIMESTAMP':
    case 'DATETIME':
      return fromMicros(int(BigInt(value)));
    case 'DATE':
      return fromMicros(int(BigInt(value) * MICROS_PER_DAY));
    default:
      throw new Error(`a ${type.kind} has no constant`);
  }
}

export function int(value: bigint | number): string {
  return `toInt64('${value}')`;
}

/** Converts microseconds since 1970 to a time. */
export function fromMicros(micros: string): string {
  return `fromUnixTimestamp64Micro(${micros}, 'UTC')`;
}

/**
 * Like `fromMicros`, but NULL outside of the years 0001 to 9999, which ClickHouse would clamp. @param micros a short
 * text
 */
export function knownMicros(micros: string): string {
  return `if(${micros} BETWEEN ${int(MIN_MICROS)} AND ${int(MAX_MICROS)}, ${fromMicros(micros)}, NULL)`;
}

export function micros(time: string): string {
  return `toUnixTimestamp64Micro(${time})`;
}

const BOUND_TYPES: Readonly<Partial<Record<Type['kind'], string>>> = {
  FLOAT64: 'Float64',
  BOOL: 'Bool',
  INT64: 'Int64',
  TIMESTAMP: 'Int64',
  DATETIME: 'Int64',
  DATE: 'Int64',
  TIME: 'Int64',
};

/** Placeholder such as `{p1:String}`. Times are bound as microseconds, dates as days, bytes as hexadecimal digits. */
export function placeholder(index: number, type: Type, isNull: boolean): string {
  const plain = BOUND_TYPES[type.kind] ?? 'String';
  const bound = `{p${index}:${isNull ? `Nullable(${plain})` : plain}}`;
  if (type.kind === 'BYTES') return `unhex(${bound})`;
  if (type.kind === 'DATE') return fromMicros(`(${bound} * ${int(MICROS_PER_DAY)})`);
  return type.kind === 'TIMESTAMP' || type.kind === 'DATETIME' ? fromMicros(bound) : bound;
}
