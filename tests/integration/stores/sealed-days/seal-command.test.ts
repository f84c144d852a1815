/**
 * `lqe store seal` beside a running server and on a stopped one.
 *
 * @slow 15
 */
import { join } from 'node:path';
import { openDatabase } from '#server/stores/duckdb/file/database';
import { Journal } from '#server/stores/journal/journal';
import buildServer from '../../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCliWith,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';

let place: Place;
let service: ServiceProcess | null = null;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
});

afterAll(async () => {
  await service?.stop('SIGINT');
  place.remove();
});

async function api(path: string, body?: string): Promise<string> {
  const response = await fetch(`${service!.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${PROCESS_TOKEN}`, 'content-type': 'application/x-ndjson' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return text;
}

async function send(from: number, to: number): Promise<void> {
  const now = Date.now();
  const lines = Array.from({ length: to - from }, (_, i) =>
    JSON.stringify({
      id: `e${from + i}`,
      // Three days ago, two days ago, and now.
      timestamp: new Date(now - [3, 2, 0][i % 3]! * 86_400_000).toISOString(),
      event_message: 'GET | 200 | /',
      project: `p${i % 2}`,
      metadata: { request: { method: 'GET' } },
    })
  );
  await api('/api/logs?source=edge_requests', lines.join('\n'));
}

async function edge(): Promise<unknown> {
  const { result } = JSON.parse(await api('/api/sources')) as { readonly result: readonly Record<string, unknown>[] };
  return result.find(({ name }) => name === 'edge_requests');
}

const seal = () => runCliWith({}, 'store', 'seal', '--data-dir', place.dataDir);

test('past days are sealed through the running server, then on its files', async () => {
  service = await startService(place);
  await send(0, 90);
  expect(await edge()).toMatchObject({ events: 90, days: 3, sealed_days: 0, seal_fault: null });
  expect(await seal()).toMatchObject({ code: 0, stdout: 'sealed 2 days with 60 events\n' });
  expect(await api('/metrics')).toContain('logquery_store_days{source="edge_requests",state="sealed"} 2');
  expect(await seal()).toMatchObject({ code: 0, stdout: 'sealed 0 days with 0 events\n' });
  await send(90, 120);
  await service.stop('SIGINT');
  const { code, stdout, stderr } = await seal();
  expect([code, stdout]).toEqual([0, 'sealed 2 days with 80 events\n']);
  expect(stderr).toContain('2 of 3 days sealed');
  service = await startService(place);
  expect(await edge()).toMatchObject({ events: 120, days: 3, sealed_days: 2 });
}, 60_000);

test('an acknowledged batch that the sources of the command do not take is named', async () => {
  const { dataDir, remove } = createPlace();
  (await openDatabase({ dataDir, memoryLimitMb: 64, threads: 1 })).close();
  const journal = await Journal.open(join(dataDir, 'journal'), 0);
  await (
    await journal.append({ source: 'former', body: Buffer.from('{}'), nowMicros: 1 })
  ).synced;
  await journal.close(0);
  expect(await runCliWith({}, 'store', 'seal', '--data-dir', dataDir)).toMatchObject({
    code: 0,
    stderr:
      'a batch cannot be stored and is kept as former-1.rejected in the journal folder (The source is no longer declared.)\n',
  });
  remove();
});

test('ClickHouse has no days to seal', async () => {
  const outcome = await runCliWith({ LQE_STORE: 'clickhouse' }, 'store', 'seal', '--data-dir', place.dataDir);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain('ClickHouse orders events itself');
});
