/**
 * A tenant that uses up the fields of a source, on ClickHouse.
 *
 * @slow 20
 */
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/processes/clickhouse';
import { createClickHouseStore } from '../../support/servers/clickhouse-store';
import { describeSharedFields } from './shared-fields-suite';

let engine: ClickHouseEngine;
afterAll(() => engine.stop());

describeSharedFields(async () => {
  engine = await startClickHouseEngine();
  return createClickHouseStore(engine);
});
