/**
 * Constants and type names in DuckDB's SQL. Literals always have an explicit type: DuckDB would read 1.5 as DECIMAL and
 * 1 as INTEGER.
 */
import { storedFieldNames } from '../../../output/compiled-query';
import type { LiteralExpr } from '../../../ir/expression';
import type { Type } from '../../../ir/types';
import { formatDays, formatMicros, MAX_MICROS, MIN_MICROS } from '../../../time/parse-iso';
import { floatDigits } from '../../base/constants';
import { runFailureText, type RunFailure } from '../../../output/run-failure';
import { givesNull, placeSuffix } from '../../expressions/failure-place';
import { itemAt } from '../../../items';

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text constant. DuckDB stops reading SQL at a NUL character, so NUL is escaped. */
export function quoteText(text: string): string {
  const parts = text
    .toWellFormed()
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? itemAt(parts, 0) : `(${parts.join(' || chr(0) || ')})`;
}

/** An expression that fails the run with one of our errors, or is NULL in a safe operation. */
export function raise(failure: RunFailure): string {
  if (givesNull(failure)) return 'NULL';
  return `error(${quoteText(`${runFailureText(failure)}${placeSuffix()}`)})`;
}

export function typeName(type: Type): string {
  switch (type.kind) {
    case 'INT64':
    case 'TIME':
      return 'BIGINT';
    case 'INTERVAL':
      return 'HUGEINT';
    case 'FLOAT64':
      return 'DOUBLE';
    case 'BOOL':
      return 'BOOLEAN';
    case 'TIMESTAMP':
    case 'DATETIME':
      return 'TIMESTAMP';
    case 'DATE':
      return 'DATE';
    case 'ARRAY':
      return `${typeName(type.element)}[]`;
    case 'STRUCT': {
      const names = structNames(type.fields.map((field) => field.name));
      return `STRUCT(${type.fields.map((field, index) => `${names[index]} ${typeName(field.type)}`).join(', ')})`;
    }
    case 'STRING':
    case 'RECORD':
    case 'SINGLE':
    case 'JSON':
      return 'VARCHAR';
    case 'BYTES':
      return 'BLOB';
    case 'NULL':
      // In the dialect the empty array is an array of INT64.
      return 'BIGINT';
  }
}

export function literal({ type, value }: LiteralExpr): string {
  if (value === null) return type.kind === 'NULL' ? 'NULL' : `CAST(NULL AS ${typeName(type)})`;
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
      return `CAST(${BigInt(value).toString()} AS BIGINT)`;
    case 'INTERVAL':
      return `CAST('${BigInt(value)}' AS HUGEINT)`;
    case 'FLOAT64':
      return `CAST('${floatDigits(Number(value))}' AS DOUBLE)`;
    case 'TIMESTAMP':
    case 'DATETIME':
      return timestamp(BigInt(value));
    case 'DATE':
      return `DATE '${formatDays(BigInt(value))}'`;
    default:
      throw new Error(`a ${type.kind} has no constant`);
  }
}

/**
 * DATE is bound as a number of days: DuckDB's conversion of bound text would accept more than the dialect. BYTES are
 * bound as hexadecimal digits.
 */
export function placeholder(index: number, type: Type): string {
  if (type.kind === 'DATE') return `(DATE '1970-01-01' + CAST($${index} AS INTEGER))`;
  if (type.kind === 'BYTES') return `unhex(CAST($${index} AS VARCHAR))`;
  return type.kind === 'NULL' ? `$${index}` : `CAST($${index} AS ${typeName(type)})`;
}

/** Quoted names of struct fields. */
export function structNames(names: readonly string[]): readonly string[] {
  return storedFieldNames(names).map(quoteIdentifier);
}

function timestamp(micros: bigint): string {
  return micros < MIN_MICROS || micros > MAX_MICROS
    ? `make_timestamp(CAST(${micros} AS BIGINT))`
    : `TIMESTAMP '${formatMicros(micros)}'`;
}
