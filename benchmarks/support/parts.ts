/** The tables of a store file that hold edge requests: one per UTC day, oldest first. */
import { quotedIdentifier, type DuckDBConnection } from '@duckdb/node-api';
import type { PhysicalType } from '#compiler/catalog/catalog';
import { columnDefinition } from '#server/stores/duckdb/tables/column-definition';
import { physicalType } from '#server/stores/duckdb/tables/column-types';

export const EDGE_SOURCE = 'edge_requests';

export async function partTables(connection: DuckDBConnection, database: string): Promise<string[]> {
  const found = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = $1 AND starts_with(table_name, $2) ORDER BY table_name`,
    [database, `${EDGE_SOURCE}/`]
  );
  return found.getRows().map(([name]) => String(name));
}

/** The columns of a table as the store itself would write them, packing included, which DuckDB does not tell. */
export async function columnDefinitions(
  connection: DuckDBConnection,
  database: string,
  part: string
): Promise<string[]> {
  const described = await connection.runAndReadAll(
    `SELECT column_name, column_type FROM (DESCRIBE ${database}.${quotedIdentifier(part)})`
  );
  return described
    .getRows()
    .map(([name, type]) => columnDefinition(String(name), physicalType(String(type)) as PhysicalType));
}

/** Name of the part of the day of a time. */
export function partAt(micros: number): string {
  return `${EDGE_SOURCE}/${new Date(micros / 1000).toISOString().slice(0, 10)}`;
}
