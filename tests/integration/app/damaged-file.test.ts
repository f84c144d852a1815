/**
 * A disk that changes a block of stored events: what reads the block fails, the rest goes on, and operators see why.
 *
 * @slow 30
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import buildServer from '../../support/processes/build-server';
import {
  type CliOutcome,
  createPlace,
  PROCESS_TOKEN,
  type Place,
  runCliWith,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const HEADERS = { 'X-API-KEY': PROCESS_TOKEN };
const DAY_MS = 86_400_000;
const SEALED_EVENTS = 6000;
/** More than one block has. */
const MANY_EVENTS = 50_000;

let place: Place;
let service: ServiceProcess | null;

beforeAll(buildServer, 300_000);
beforeEach(() => (place = createPlace()));
afterEach(async () => {
  await service?.stop('SIGINT');
  place.remove();
});

/** @returns the status, and the reason of a failure */
async function ingest(count: number, at: number): Promise<readonly [number, unknown]> {
  const events = Array.from({ length: count }, (_, n) => ({
    id: `e${at}-${n}`,
    timestamp: new Date(at).toISOString(),
    event_message: `${n} ${Math.random()} ${Math.random()}`,
    project: 'acme',
  }));
  const response = await fetch(`${service!.url}/api/logs?source=edge_requests`, {
    method: 'POST',
    headers: { ...HEADERS, 'Content-Type': 'application/x-ndjson' },
    body: events.map((event) => JSON.stringify(event)).join('\n'),
  });
  const { error } = (await response.json()) as { error?: { details: { reason?: string } } };
  return [response.status, error?.details.reason];
}

async function lengthOfMessages(from: number, to: number): Promise<Response> {
  const query = new URLSearchParams({
    project: 'acme',
    iso_timestamp_start: new Date(from).toISOString(),
    iso_timestamp_end: new Date(to).toISOString(),
    sql: 'SELECT sum(length(event_message)) AS length, count(*) AS events FROM edge_logs',
  });
  return fetch(`${service!.url}/api/endpoints/query/logs.all?${query.toString()}`, { headers: HEADERS });
}

/** Changes a byte in the middle of a file, which a disk may do. */
function damage(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 0xff;
  writeFileSync(file, bytes);
}

async function storeAndSeal(at: number, count = SEALED_EVENTS): Promise<void> {
  service = await startService(place);
  expect(await ingest(count, at)).toEqual([200, undefined]);
  expect(await runCliWith({ LQE_DATA_DIR: place.dataDir }, 'store', 'seal')).toMatchObject({
    stdout: `sealed 1 day with ${count.toLocaleString('en')} events\n`,
  });
  await service.stop('SIGINT');
  service = null;
}

it('a damaged block of a sealed day fails the queries and batches that read it, and is reported', async () => {
  const now = Date.now();
  const sealedAt = now - 3 * DAY_MS;
  await storeAndSeal(sealedAt);
  damage(path.join(place.dataDir, 'sealed.duckdb'));
  service = await startService(place);

  const failed = await lengthOfMessages(sealedAt - 1, sealedAt + 1);
  expect(failed.status).toBe(502);
  expect(await failed.json()).toMatchObject({
    error: { code: 'backend_error', details: { reason: 'store_damaged', hint: expect.any(String) as string } },
  });
  expect(await ingest(5, now)).toEqual([200, undefined]);
  const others = await lengthOfMessages(now - 1, now + 1);
  expect(await others.json()).toMatchObject({ result: [{ events: 5 }] });

  const ready = await fetch(`${service.url}/health/ready`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({
    status: 'degraded',
    store: { reason: expect.stringContaining('damaged') as string },
  });
  const metrics = await (await fetch(`${service.url}/metrics`, { headers: HEADERS })).text();
  expect(metrics).toContain('logquery_store_damaged 1');
  const lines = service.output().match(/^\{.*Corrupt database file.*$/gm) ?? [];
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; trace_id?: string; cause?: string });
  expect(logged.map(({ msg }) => msg)).toEqual([
    'a file of the store is damaged: what reads the damaged block fails; restore a backup, or run "lqe store drop-damaged"',
    'the store failed to answer a call',
  ]);
  expect(logged[1]).toMatchObject({ call: 'run', cause: expect.stringMatching(/^IO Error: Corrupt/) as string });

  const folder = path.join(place.folder, 'backup');
  const backup = (...flags: string[]): Promise<CliOutcome> =>
    runCliWith({ LQE_DATA_DIR: place.dataDir, LQE_ENDPOINTS_DIR: place.endpointsDir }, 'backup', folder, ...flags);
  const day = `edge_requests/${new Date(sealedAt).toISOString().slice(0, 10)}`;
  expect(await backup()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`The events of ${day} cannot be read`) as string,
  });
  const partial = await backup('--skip-damaged');
  expect(partial.stderr).toContain(`The events of ${day} are left out: a file of the store is damaged.`);
  expect(partial).toMatchObject({ code: 0, stdout: expect.stringContaining('complete: 5 events of 1 day,') as string });
}, 60_000);

it('lqe store drop-damaged drops the events that cannot be read, and keeps the others of their day', async () => {
  const dropDamaged = (...flags: string[]): Promise<CliOutcome> =>
    runCliWith({ LQE_DATA_DIR: place.dataDir }, 'store', 'drop-damaged', ...flags);
  const now = Date.now();
  const sealedAt = now - 3 * DAY_MS;
  const day = `edge_requests/${new Date(sealedAt).toISOString().slice(0, 10)}`;
  await storeAndSeal(sealedAt, MANY_EVENTS);
  service = await startService(place);
  expect(await ingest(5, now)).toEqual([200, undefined]);
  expect(await dropDamaged('--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it') as string });
  await service.stop('SIGINT');
  expect(await dropDamaged()).toMatchObject({ code: 0, stdout: 'all events of 2 days can be read\n' });
  damage(path.join(place.dataDir, 'sealed.duckdb'));

  const found = await dropDamaged();
  expect(found.code).toBe(1);
  const [, lost, kept] = /^(\S+: .*) events cannot be read, (.*) can\nnothing was dropped; add --yes/
    .exec(found.stdout)!
    .map((text) => Number(text.replace(/^.*: /, '').replaceAll(',', '')));
  expect([lost! + kept!, lost! > 0, kept! > 0]).toEqual([MANY_EVENTS, true, true]);
  const printed = [lost!, kept!].map((count) => count.toLocaleString('en'));
  expect(await dropDamaged('--yes')).toMatchObject({
    code: 0,
    stdout: `${day}: dropped ${printed[0]!} events, kept ${printed[1]!}\n`,
  });
  expect(await dropDamaged()).toMatchObject({ code: 0, stdout: 'all events of 2 days can be read\n' });

  service = await startService(place);
  const rest = await lengthOfMessages(sealedAt - 1, sealedAt + 1);
  expect(await rest.json()).toMatchObject({ result: [{ events: kept }] });
  expect(await ingest(5, now)).toEqual([200, undefined]);
  // Those that were lost can be sent again; the others are known.
  expect(await ingest(MANY_EVENTS, sealedAt)).toEqual([200, undefined]);
  const all = await lengthOfMessages(sealedAt - 1, sealedAt + 1);
  expect(await all.json()).toMatchObject({ result: [{ events: MANY_EVENTS }] });
  expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject({ status: 'ok' });
  const { code, stdout } = await runCliWith(
    { LQE_DATA_DIR: place.dataDir, LQE_ENDPOINTS_DIR: place.endpointsDir },
    'backup',
    path.join(place.folder, 'backup')
  );
  expect([code, stdout]).toEqual([0, expect.stringContaining('of 2 days,')]);
}, 90_000);

it('lqe store drop-damaged drops the sealed days of a lost file, and keeps the others', async () => {
  const now = Date.now();
  const sealedAt = now - 3 * DAY_MS;
  await storeAndSeal(sealedAt);
  service = await startService(place);
  expect(await ingest(5, now)).toEqual([200, undefined]);
  await service.stop('SIGINT');
  rmSync(path.join(place.dataDir, 'sealed.duckdb'));
  await expect(startService(place)).rejects.toThrow('sealed.duckdb lacks the events of edge_requests/');
  const dropDamaged = (...flags: string[]): Promise<CliOutcome> =>
    runCliWith({ LQE_DATA_DIR: place.dataDir }, 'store', 'drop-damaged', ...flags);
  const day = `edge_requests/${new Date(sealedAt).toISOString().slice(0, 10)}`;
  expect(await dropDamaged()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(`^${day}: an unknown number of events cannot be read, 0 can\n`) as string,
  });
  expect(await dropDamaged('--yes')).toMatchObject({
    code: 0,
    stdout: `${day}: dropped an unknown number of events, kept 0\n`,
  });
  service = await startService(place);
  expect(await (await lengthOfMessages(now - 1, now + 1)).json()).toMatchObject({ result: [{ events: 5 }] });
  expect(await ingest(10, sealedAt)).toEqual([200, undefined]);
  expect(await (await lengthOfMessages(sealedAt - 1, sealedAt + 1)).json()).toMatchObject({ result: [{ events: 10 }] });
}, 60_000);
