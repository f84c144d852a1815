/**
 * Modes of the files that a server writes, under any umask.
 *
 * @slow 20
 * @waits
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import buildServer from '../../support/processes/build-server';
import {
  runCli,
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

beforeAll(buildServer, 300_000);

let place: Place;
let service: ServiceProcess | null = null;
const umask = process.umask();

beforeEach(() => {
  place = createPlace();
  process.umask(0);
});

afterEach(async () => {
  process.umask(umask);
  await service?.stop('SIGINT');
  service = null;
  place.remove();
});

/** Paths below the data folder that anybody but the owner has a right to, with their modes. */
function openToOthers(): string[] {
  const names = ['.', ...readdirSync(place.dataDir, { recursive: true, encoding: 'utf8' })];
  return names
    .map((name) => [name, statSync(path.join(place.dataDir, name), { throwIfNoEntry: false })?.mode ?? 0] as const)
    .filter(([, mode]) => (mode & 0o077) !== 0)
    .map(([name, mode]) => `${name} ${(mode & 0o777).toString(8)}`);
}

async function ingest(lines: number): Promise<Response> {
  const body = Array.from({ length: lines }, (_, i) =>
    JSON.stringify({ event_message: `m${Date.now()}-${i}`, metadata: { i } })
  ).join('\n');
  return fetch(`${service!.url}/api/logs?source=edge_requests&project=acme`, {
    method: 'POST',
    headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/x-ndjson' },
    body,
  });
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(50);
}

it('all files are readable by their owner alone, the write-ahead log after a checkpoint too', async () => {
  service = await startService(place);
  const log = path.join(place.dataDir, 'logs.duckdb.wal');
  expect((await ingest(50)).status).toBe(200);
  await until(() => existsSync(log));
  expect(openToOthers()).toEqual([]);
  // The checkpoint of an idle store removes the log; the next batch makes another one.
  await until(() => !existsSync(log));
  expect((await ingest(50)).status).toBe(200);
  await until(() => existsSync(log));
  expect(openToOthers()).toEqual([]);
  expect(service.output()).not.toContain('chmod');
  await service.stop('SIGINT');
  service = null;
  expect(openToOthers()).toEqual([]);
}, 60_000);

it('the first command of the command line tool makes the folder for its owner alone', async () => {
  const cli = path.resolve(__dirname, '../../../build/bin/lqe.js');
  const args = [cli, 'token', 'create', '--name', 'a', '--scope', 'query', '--data-dir', place.dataDir];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({ status: 0 });
  expect(openToOthers()).toEqual([]);
});

it('a folder and a store file that others may read are left so, and the log warns once', async () => {
  service = await startService(place);
  await service.stop('SIGINT');
  chmodSync(place.dataDir, 0o755);
  chmodSync(path.join(place.dataDir, 'logs.duckdb'), 0o644);
  service = await startService(place);
  const warnings = (): string[] =>
    service!
      .output()
      .split('\n')
      .filter((line) => line.includes('chmod o-rwx'));
  // The log may reach this process after the answer that says that the server is ready.
  while (warnings().length === 0) await delay(20);
  expect(warnings()).toHaveLength(1);
  expect(JSON.parse(warnings()[0]!)).toMatchObject({
    level: 40,
    paths: [place.dataDir, path.join(place.dataDir, 'logs.duckdb')],
  });
  expect(openToOthers()).toEqual(['. 755', 'logs.duckdb 644']);
});

it('a server whose data folder was moved away is not ready, and refuses batches', async () => {
  const made = await runCli('token', 'create', '--name', 'n', '--scope', 'query', '--data-dir', place.dataDir);
  service = await startService(place);
  const { url } = service;
  const call = (token: string) =>
    fetch(`${url}/api/endpoints/query/logs.all?project=p`, { headers: { 'X-API-KEY': token } });
  const token = made.stdout.trim();
  expect([(await ingest(1)).status, (await call(token)).status]).toEqual([200, 200]);
  renameSync(place.dataDir, `${place.dataDir}.moved`);
  mkdirSync(place.dataDir);
  type Readiness = { readonly checks?: { readonly store: string } };
  const readiness = async () => {
    const ready = await fetch(`${url}/health/ready`);
    return [ready.status, (await ready.json()) as Readiness] as const;
  };
  let answer = await readiness();
  while (answer[1].checks?.store !== 'failed') {
    await delay(100);
    answer = await readiness();
  }
  expect(answer).toMatchObject([
    503,
    {
      status: 'unready',
      checks: { engine: 'ok', store: 'failed' },
      store: { reason: expect.stringContaining('data folder was deleted, moved or replaced') as string },
    },
  ]);
  const refused = await ingest(1);
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { error: { code: 'backend_unavailable', details: { reason: 'data_folder_replaced' } } },
  ]);
  expect(existsSync(path.join(place.dataDir, 'journal'))).toBe(false);
  // The tokens were in the folder, which is looked at twice a second. A client that got 401 would take its token for
  // revoked.
  await delay(600);
  const lost = await call(token);
  expect([lost.status, await lost.json()]).toMatchObject([
    503,
    { error: { code: 'backend_unavailable', details: { reason: 'tokens_unreadable' } } },
  ]);
  const unknown = token.replace(/^lqe_......../, 'lqe_aaaaaaaa');
  expect((await call(unknown)).status).toBe(401);
  rmSync(place.dataDir, { recursive: true });
  await delay(600);
  expect((await call(token)).status).toBe(503);
  renameSync(`${place.dataDir}.moved`, place.dataDir);
  await delay(600);
  expect((await call(token)).status).toBe(200);
}, 60_000);

it.each([
  ['a symbolic link', (file: string) => spawnSync('ln', ['-s', '/etc/hostname', file])],
  ['a pipe', (file: string) => spawnSync('mkfifo', [file])],
  ['a folder', (file: string) => mkdirSync(file)],
])('%s in the place of a journal file makes the start fail with a message', async (_, put) => {
  mkdirSync(path.join(place.dataDir, 'journal'), { recursive: true });
  put(path.join(place.dataDir, 'journal', '0000000000000001.journal'));
  const failed = startService(place);
  await expect(failed).rejects.toThrow(/0000000000000001\.journal in the journal folder cannot be read/);
});
