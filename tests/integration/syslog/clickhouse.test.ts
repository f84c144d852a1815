/** Syslog messages in ClickHouse: the same count, and structured data of any shape. */
import buildServer from '../../support/processes/build-server';
import { type ClickHouseEngine, startClickHouseEngine } from '../../support/processes/clickhouse';
import { createClickHouseStore } from '../../support/servers/clickhouse-store';
import {
  createSyslogPlace,
  readMetric,
  sendAndEnd,
  settledCount,
  startSyslogService,
  type SyslogPlace,
  type SyslogService,
} from './fixture';

jest.setTimeout(120_000);

let engine: ClickHouseEngine;
let place: SyslogPlace;
let service: SyslogService;

beforeAll(async () => {
  await buildServer();
  engine = await startClickHouseEngine();
  place = createSyslogPlace([{ name: 'tcp', transport: 'tcp', port: 0, source: 'syslog' }]);
  service = await startSyslogService(place, await createClickHouseStore(engine, place.env));
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await engine.stop();
  place.remove();
});

it('equal messages are different events, and no structured data is refused', async () => {
  const data = ['[a@1 x="1"]', '[a@1 x="1" x="2"]', '[a@1 y.z="1"][b c="2"]', '[metadata event_message="1"]'];
  const shaped = data.map((each, at) => `<13>1 - - - - - ${each} m${at}\n`).join('');
  await sendAndEnd(service.portOf('tcp'), `${shaped}${'<13>Jan  1 00:00:00 host app[1]: equal\n'.repeat(10_000)}`);
  const events = 10_000 + data.length;
  expect(await settledCount(service, events)).toEqual({ events, messages: data.length + 1 });
  expect(await readMetric(service, 'logquery_syslog_lost_total')).toBe(0);
});
