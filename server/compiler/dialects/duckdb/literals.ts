/** Constants and type names in DuckDB's SQL. A literal always carries its type: DuckDB would read 1.5 as DECIMAL and 1 as INTEGER. */
import { storedFieldNames } from '../../compiled-query';
import type { LiteralExpr } from '../../ir/expression';
import type { Type } from '../../ir/types';
import { formatDays, formatMicros, MAX_MICROS, MIN_MICROS } from '../../time/parse-iso';
import { runFailureText, type RunFailure } from '../../run-failure';

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text constant. DuckDB reads SQL up to a NUL character, so that one is spelled out. */
export function quoteText(text: string): string {
  const parts = text
    .toWellFormed()
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' || chr(0) || ')})`;
}

/** An expression that ends the run with a failure of ours. */
export function raise(failure: RunFailure): string {
  return `error(${quoteText(runFailureText(failure))})`;
}

export function typeName(type: Type): string {
  switch (type.kind) {
    case 'INT64':
      return 'BIGINT';
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
      return 'VARCHAR';
    case 'NULL':
      // An array of nothing holds INT64, as the dialect says.
      return 'BIGINT';
    case 'INTERVAL':
    case 'BYTES':
      throw new Error(`${type.kind} has no place in the store`);
  }
}

export function literal({ type, value }: LiteralExpr): string {
  if (value === null) return type.kind === 'NULL' ? 'NULL' : `CAST(NULL AS ${typeName(type)})`;
  switch (type.kind) {
    case 'STRING':
      return quoteText(String(value));
    case 'BOOL':
      return value === true ? 'TRUE' : 'FALSE';
    case 'INT64':
      return `CAST(${BigInt(value).toString()} AS BIGINT)`;
    case 'FLOAT64':
      return `CAST('${Number(value)}' AS DOUBLE)`;
    case 'TIMESTAMP':
    case 'DATETIME':
      return timestamp(BigInt(value));
    case 'DATE':
      return `DATE '${formatDays(BigInt(value))}'`;
    default:
      throw new Error(`a ${type.kind} has no constant`);
  }
}

/** DATE travels as the count of its days; the store's own conversion of bound text would accept more than we do. */
export function placeholder(index: number, type: Type): string {
  if (type.kind === 'DATE') return `(DATE '1970-01-01' + CAST($${index} AS INTEGER))`;
  return type.kind === 'NULL' ? `$${index}` : `CAST($${index} AS ${typeName(type)})`;
}

/** Names of struct fields, quoted. */
export function structNames(names: readonly string[]): readonly string[] {
  return storedFieldNames(names).map(quoteIdentifier);
}

function timestamp(micros: bigint): string {
  return micros < MIN_MICROS || micros > MAX_MICROS
    ? `make_timestamp(CAST(${micros} AS BIGINT))`
    : `TIMESTAMP '${formatMicros(micros)}'`;
}
