/**
 * Attacks through the tools of agents, on ClickHouse: some of each kind. All of them go through the tools on DuckDB
 * (attacks.test.ts), and through calls on ClickHouse (tests/integration/attacks); the tools run what a call runs.
 *
 * @slow 15
 */
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/processes/clickhouse';
import { createClickHouseStore } from '../../support/servers/clickhouse-store';
import { describeAgentAttacks } from './attack-suite';

let engine: ClickHouseEngine;
afterAll(() => engine.stop());

describeAgentAttacks(async () => {
  engine = await startClickHouseEngine();
  return createClickHouseStore(engine);
}, 'some of each kind');
