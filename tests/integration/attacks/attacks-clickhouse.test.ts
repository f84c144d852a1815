/**
 * The attacks on ClickHouse, with a user for queries who may only read.
 *
 * @slow 90
 */
import { startClickHouseEngine } from '../../support/processes/clickhouse';
import { createClickHouseStore } from '../../support/servers/clickhouse-store';
import { describeAttacks } from './attack-suite';

const RUNNING =
  "SELECT count() FROM system.processes WHERE query LIKE '%edge_requests%' AND query NOT LIKE '%system.%'";

describeAttacks(async () => {
  const engine = await startClickHouseEngine();
  let databases = 0;
  return {
    environmentOf: () => createClickHouseStore(engine, { LQE_CLICKHOUSE_DATABASE: `attacked_${++databases}` }),
    heavyAtOnce: 2,
    countRunning: async () => Number((await engine.query(RUNNING))[0]![0]),
    stop: () => engine.stop(),
  };
});
