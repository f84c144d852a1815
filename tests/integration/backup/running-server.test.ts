/**
 * `lqe backup` beside a real server that takes events, with kills of either in the middle.
 *
 * @slow 30
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Source } from '#contract/events/source';
import { loadSources } from '#server/catalog/definitions/load-sources';
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCliWith,
  runServer,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';
import { storedRows } from '../../support/stores/stored-rows';

jest.setTimeout(120_000);

const ROOT = path.resolve(__dirname, '..', '..', '..');
const CLI = path.join(ROOT, 'build', 'bin', 'lqe.js');
const SOURCES_FILE = path.join(ROOT, 'sources.yaml');
const FIRST_DAY = Date.UTC(2026, 10, 2);
const DAY_MS = 86_400_000;
const FILLED_DAYS = 3;

let place: Place;
let service: ServiceProcess;
let sources: readonly Source[];
/** Ids of acknowledged events. */
const acknowledged = new Set<string>();
let sent = 0;

beforeAll(async () => {
  await buildServer();
  sources = loadSources(SOURCES_FILE);
  place = createPlace();
  service = await startService(place);
  for (let day = 0; day < FILLED_DAYS; day++) await send(4000, FIRST_DAY + day * DAY_MS);
}, 120_000);
afterAll(async () => {
  await service.stop('SIGKILL');
  place.remove();
});

async function send(count: number, dayMs: number): Promise<void> {
  const events = Array.from({ length: count }, () => {
    const n = sent++;
    return {
      id: `event-${n}`,
      timestamp: new Date(dayMs + (n % 80_000) * 1000)
        .toISOString()
        .replace('Z', `${String(n % 1000).padStart(3, '0')}Z`),
      event_message: n % 9 === 0 ? undefined : `message ${n} "ünïcode" \\`,
      project: `p${n % 7}`,
      metadata: [{ request: [{ path: `/${n % 50}`, n }], list: [n, n + 1], ratio: n / 3, odd: n % 3 === 0 ? n : null }],
    };
  });
  const response = await fetch(`${service.url}/api/logs?source=edge_requests`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PROCESS_TOKEN}`, 'content-type': 'application/x-ndjson' },
    body: events.map((event) => JSON.stringify(event)).join('\n'),
  });
  if (!response.ok) throw new Error(await response.text());
  for (const { id } of events) acknowledged.add(id);
}

const backupDir = (name: string): string => path.join(place.folder, name);
const backupArgs = (name: string): string[] => [
  'backup',
  backupDir(name),
  '--data-dir',
  place.dataDir,
  '--endpoints-dir',
  place.endpointsDir,
  '--sources-file',
  SOURCES_FILE,
];
const backup = (name: string) => runCliWith({}, ...backupArgs(name));
const restore = (name: string, target: string, ...words: string[]) =>
  runCliWith(
    {},
    'restore',
    backupDir(name),
    '--data-dir',
    path.join(place.folder, target),
    '--endpoints-dir',
    path.join(place.folder, `${target}-endpoints`),
    '--sources-file',
    path.join(place.folder, `${target}-sources.yaml`),
    ...words
  );

function startBackup(name: string): ChildProcess {
  return spawn(process.execPath, [CLI, ...backupArgs(name)], { stdio: 'ignore' });
}

/** Waits until the running backup has written an event file, and noted it for its continuation. */
async function firstEventFile(name: string, child: ChildProcess): Promise<void> {
  const list = path.join(backupDir(name), 'manifest.next.json');
  const isNoted = (): boolean => existsSync(list) && readFileSync(list, 'utf8').includes('.parquet');
  while (child.exitCode === null && !isNoted()) await delay(5);
}

/** Kills a new backup after its first file. @returns its list of finished files */
async function kill(name: string): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const child = startBackup(name);
    const ended = once(child, 'exit');
    await firstEventFile(name, child);
    child.kill('SIGKILL');
    await ended;
    const list = path.join(backupDir(name), 'manifest.next.json');
    if (existsSync(list)) return readFileSync(list, 'utf8');
    // It was complete before the signal.
    rmSync(backupDir(name), { recursive: true, force: true });
  }
  throw new Error('every backup was complete before it was killed');
}

function eventFiles(name: string): string[] {
  const folder = path.join(backupDir(name), 'events', 'edge_requests');
  return existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.parquet')) : [];
}

function inodes(name: string): Map<string, bigint> {
  const folder = path.join(backupDir(name), 'events', 'edge_requests');
  return new Map(
    eventFiles(name).map((file) => [file, statSync(path.join(folder, file), { bigint: true }).mtimeNs] as const)
  );
}

it('a backup beside senders has every event that was acknowledged before it began', async () => {
  let isSending = true;
  const senders = [0, 1].map(async () => {
    while (isSending) await send(50, FIRST_DAY + (sent % (FILLED_DAYS + 1)) * DAY_MS);
  });
  await delay(300);
  const before = new Set(acknowledged);
  const done = await backup('loaded');
  isSending = false;
  await Promise.all(senders);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('backup complete') });
  expect(acknowledged.size).toBeGreaterThan(before.size);

  expect(await restore('loaded', 'restored')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('counts and checksums of every day are equal'),
  });
  const restored = await storedRows(path.join(place.folder, 'restored'), sources);
  const ids = new Set([...restored.keys()].map((key) => key.split(' ')[1]!));
  expect([...before].filter((id) => !ids.has(id))).toEqual([]);

  await service.stop();
  const original = await storedRows(place.dataDir, sources);
  const different = [...restored].filter(([key, row]) => original.get(key) !== row);
  expect(different.slice(0, 3)).toEqual([]);
  service = await startService(place);
});

it('the restored folder is served with its tokens and saved queries', async () => {
  const restored: Place = {
    ...place,
    dataDir: path.join(place.folder, 'restored'),
    endpointsDir: path.join(place.folder, 'restored-endpoints'),
  };
  const other = await startService(restored, { LQE_SOURCES_FILE: path.join(place.folder, 'restored-sources.yaml') });
  try {
    const response = await fetch(`${other.url}/api/endpoints`, {
      headers: { authorization: `Bearer ${PROCESS_TOKEN}` },
    });
    expect(response.status).toBe(200);
    expect(readFileSync(path.join(restored.dataDir, 'server.key'))).toEqual(
      readFileSync(path.join(place.dataDir, 'server.key'))
    );
  } finally {
    await other.stop();
  }
});

it('a second backup writes only the days that changed, and none of an unchanged store', async () => {
  await backup('grown');
  const first = inodes('grown');
  await send(10, FIRST_DAY + DAY_MS);
  expect((await backup('grown')).stdout).toContain(' 1 of them written');
  const second = inodes('grown');
  const kept = [...second].filter(([file, changedAt]) => first.get(file) === changedAt);
  expect([second.size, kept.length]).toEqual([first.size, first.size - 1]);

  expect((await backup('grown')).stdout).toContain(' 0 of them written');
  expect(inodes('grown')).toEqual(second);
});

it('a killed backup is continued by the next one, and damages no earlier one', async () => {
  const noted = await kill('killed');
  const kept = [...inodes('killed')].filter(([file]) => noted.includes(file));
  expect(kept.length).toBeGreaterThan(0);
  expect((await backup('killed')).code).toBe(0);
  const complete = inodes('killed');
  expect(kept.every(([file, changedAt]) => complete.get(file) === changedAt)).toBe(true);
  expect(await restore('killed', 'unused', '--dry-run')).toMatchObject({ code: 0 });
  // The server removes what the killed command left behind.
  expect(readdirSync(path.join(place.dataDir, 'backup-staging'))).toEqual([]);

  await send(10, FIRST_DAY);
  const again = startBackup('killed');
  const againEnded = once(again, 'exit');
  await delay(700);
  again.kill('SIGINT');
  const [code] = (await againEnded) as [number | null];
  // Where it was complete before the signal, it ends with 0; before its first line, the signal ends it.
  expect([0, 130, null]).toContain(code);
  expect(await restore('killed', 'unused', '--dry-run')).toMatchObject({ code: 0 });
});

it('a server that is killed during a backup fails the command, and the next one continues', async () => {
  const child = spawn(process.execPath, [CLI, ...backupArgs('orphaned')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = once(child, 'close');
  await firstEventFile('orphaned', child);
  await service.stop('SIGKILL');
  const [code] = (await ended) as [number];
  service = await startService(place);
  if (code !== 0) expect(Buffer.concat(errors).toString()).toMatch(/server has closed the connection|socket/);
  expect((await backup('orphaned')).code).toBe(0);
  expect(await restore('orphaned', 'unused', '--dry-run')).toMatchObject({ code: 0 });
});

it('the socket is for the owner alone, and peers that send nonsense do not hurt the server', async () => {
  const socket = path.join(place.dataDir, 'control.sock');
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  const say = async (text: string | Buffer): Promise<string> => {
    const peer = connect(socket);
    const chunks: Buffer[] = [];
    peer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      peer.end();
    });
    peer.on('error', () => undefined);
    peer.write(text);
    await new Promise((resolve) => peer.once('close', resolve));
    return Buffer.concat(chunks).toString();
  };
  expect(await say('no JSON\n')).toContain('request_invalid');
  expect(await say('{"do":"run","sql":"SELECT 1"}\n')).toContain('request_invalid');
  expect(await say('{"do":"export","rows":{"source":"../x","day":1,"from":0,"to":1}}\n')).toContain('request_invalid');
  expect(await say('{"do":"export","rows":{"source":"edge_requests","day":1,"from":0,"to":1}}\n')).toContain(
    'day_dropped'
  );
  expect(await say(Buffer.alloc(100_000, 0x61))).toBe('');
  expect(await say('{"do":"list"}\n'.repeat(50))).toBe('');
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  expect((await backup('grown')).code).toBe(0);
});

it('two backups into one folder exclude each other', async () => {
  const [one, two] = await Promise.all([backup('both'), backup('both')]);
  const codes = [one.code, two.code].sort();
  // Where the first one ends before the second begins, both are complete.
  if (codes[1] === 0) return;
  expect(codes).toEqual([0, 1]);
  expect([one, two].find(({ code }) => code === 1)!.stderr).toContain('Another backup or restore uses');
});

it('a folder of a stopped restore is not served', async () => {
  const child = spawn(process.execPath, [
    CLI,
    ...['restore', backupDir('grown'), '--data-dir', path.join(place.folder, 'half')],
    ...['--endpoints-dir', path.join(place.folder, 'half-endpoints')],
    ...['--sources-file', path.join(place.folder, 'half-sources.yaml')],
  ]);
  const ended = once(child, 'exit');
  const state = path.join(place.folder, 'half', 'restore.json');
  while (child.exitCode === null && !(existsSync(state) && readFileSync(state, 'utf8').includes('edge_requests/'))) {
    await delay(5);
  }
  child.kill('SIGKILL');
  await ended;
  expect(existsSync(state)).toBe(true);
  const half: Place = { ...place, dataDir: path.join(place.folder, 'half') };
  expect(await runServer(half)).toMatchObject({ code: 1, output: expect.stringContaining('lqe restore') });

  expect((await restore('loaded', 'half')).stderr).toContain('unfinished restore of another backup');
  expect(await restore('grown', 'half')).toMatchObject({ code: 0, stdout: expect.stringContaining('are equal') });
  expect((await restore('grown', 'half')).stderr).toContain('is not empty');
});
