/** Binds the values of a compiled statement. */
import { type DuckDBPreparedStatement, DuckDBTimestampValue } from '@duckdb/node-api';
import type { BoundValue } from '#compiler/store';

export function bindValues(statement: DuckDBPreparedStatement, values: readonly BoundValue[]): void {
  values.forEach((value, i) => bind(statement, i + 1, value));
}

function bind(statement: DuckDBPreparedStatement, index: number, bound: BoundValue): void {
  if (bound.value === null) return statement.bindNull(index);
  switch (bound.type) {
    case 'STRING':
      return statement.bindVarchar(index, bound.value);
    case 'INT64':
      return statement.bindBigInt(index, bound.value);
    case 'FLOAT64':
      return statement.bindDouble(index, bound.value);
    case 'BOOL':
      return statement.bindBoolean(index, bound.value);
    case 'TIMESTAMP':
      return statement.bindTimestamp(index, new DuckDBTimestampValue(bound.value));
  }
}
