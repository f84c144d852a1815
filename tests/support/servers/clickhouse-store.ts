/** Settings of a service on the ClickHouse engine of the tests, with a user for queries who may only read. */
import type { ClickHouseEngine } from '../processes/clickhouse';
import { runCliWith } from './spawned';

type Settings = Readonly<Record<string, string>>;

export function clickHouseSettings(engine: Pick<ClickHouseEngine, 'url'>): Settings {
  return {
    LQE_STORE: 'clickhouse',
    LQE_CLICKHOUSE_URL: engine.url,
    LQE_CLICKHOUSE_USER: 'writer',
    LQE_CLICKHOUSE_PASSWORD: 'write',
    LQE_CLICKHOUSE_READ_USER: 'reader',
    LQE_CLICKHOUSE_READ_PASSWORD: 'read',
  };
}

/** Makes an empty store. @param further settings, such as those of sources @returns the settings of the store */
export async function createClickHouseStore(engine: ClickHouseEngine, further: Settings = {}): Promise<Settings> {
  const settings = { ...clickHouseSettings(engine), ...further };
  const { code, stderr } = await runCliWith(settings, 'store', 'init', '--yes');
  if (code !== 0) throw new Error(stderr);
  return settings;
}
