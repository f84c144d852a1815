/**
 * Attacks through the tools of agents, on ClickHouse.
 *
 * @slow 40
 */
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/processes/clickhouse';
import { createClickHouseStore } from '../../support/servers/clickhouse-store';
import { describeAgentAttacks } from './attack-suite';

let engine: ClickHouseEngine;
afterAll(() => engine.stop());

describeAgentAttacks(async () => {
  engine = await startClickHouseEngine();
  return createClickHouseStore(engine);
});
