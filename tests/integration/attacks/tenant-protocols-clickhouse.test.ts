/**
 * Senders of one tenant that name another, on ClickHouse.
 *
 * @slow 20
 * @waits
 */
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/processes/clickhouse';
import { createClickHouseStore } from '../../support/servers/clickhouse-store';
import { describeTenantProtocols } from './tenant-protocols-suite';

let engine: ClickHouseEngine;
afterAll(() => engine.stop());

describeTenantProtocols(async (settings) => {
  engine = await startClickHouseEngine();
  return createClickHouseStore(engine, settings);
});
