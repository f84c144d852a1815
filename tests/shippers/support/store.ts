/** The store under the service: DuckDB, or the ClickHouse engine of the tests with LQE_SHIPPERS_STORE=clickhouse. */
import { startClickHouseEngine } from '../../support/processes/clickhouse';
import { runCliWith } from '../../support/servers/spawned';

export interface TestStore {
  readonly name: 'duckdb' | 'clickhouse';
  /** Settings for a service whose store is empty. */
  newDatabase(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export async function openStore(): Promise<TestStore> {
  if (process.env.LQE_SHIPPERS_STORE !== 'clickhouse') {
    return { name: 'duckdb', newDatabase: () => Promise.resolve({}), close: () => Promise.resolve() };
  }
  const engine = await startClickHouseEngine();
  let databases = 0;
  return {
    name: 'clickhouse',
    newDatabase: async () => {
      const env = {
        LQE_STORE: 'clickhouse',
        LQE_CLICKHOUSE_URL: engine.url,
        LQE_CLICKHOUSE_USER: 'writer',
        LQE_CLICKHOUSE_PASSWORD: 'write',
        LQE_CLICKHOUSE_READ_USER: 'reader',
        LQE_CLICKHOUSE_READ_PASSWORD: 'read',
        LQE_CLICKHOUSE_DATABASE: `shippers_${++databases}`,
      };
      const { code, stderr } = await runCliWith(env, 'store', 'init', '--yes');
      if (code !== 0) throw new Error(stderr);
      return env;
    },
    close: () => engine.stop(),
  };
}
