/**
 * The attacks on ClickHouse, with a user for queries who may only read.
 *
 * @slow 90
 */
import { startClickHouseEngine } from '../../support/processes/clickhouse';
import { runCliWith } from '../../support/servers/spawned';
import { describeAttacks } from './attack-suite';

const RUNNING =
  "SELECT count() FROM system.processes WHERE query LIKE '%edge_requests%' AND query NOT LIKE '%system.%'";

describeAttacks(async () => {
  const engine = await startClickHouseEngine();
  let databases = 0;
  return {
    async environmentOf() {
      const env = {
        LQE_STORE: 'clickhouse',
        LQE_CLICKHOUSE_URL: engine.url,
        LQE_CLICKHOUSE_DATABASE: `attacked_${++databases}`,
        LQE_CLICKHOUSE_USER: 'writer',
        LQE_CLICKHOUSE_PASSWORD: 'write',
        LQE_CLICKHOUSE_READ_USER: 'reader',
        LQE_CLICKHOUSE_READ_PASSWORD: 'read',
      };
      const { code, stderr } = await runCliWith(env, 'store', 'init', '--yes');
      if (code !== 0) throw new Error(stderr);
      return env;
    },
    heavyAtOnce: 2,
    countRunning: async () => Number((await engine.query(RUNNING))[0]![0]),
    stop: () => engine.stop(),
  };
});
