/** A database of DuckDB in memory, for the tests of a file or of a `describe`. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';

/** Call it before hooks that use the connection. */
export function useMemoryDatabase(): { readonly connection: DuckDBConnection } {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    connection = await instance.connect();
  });
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
  });
  return {
    get connection() {
      return connection;
    },
  };
}
