/** The tables of a store file that hold edge requests: one per UTC day, oldest first. */
import type { DuckDBConnection } from '@duckdb/node-api';

export const EDGE_SOURCE = 'edge_requests';

export async function partTables(connection: DuckDBConnection, database: string): Promise<string[]> {
  const found = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = $1 AND starts_with(table_name, $2) ORDER BY table_name`,
    [database, `${EDGE_SOURCE}/`]
  );
  return found.getRows().map(([name]) => String(name));
}
