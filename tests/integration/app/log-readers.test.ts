/**
 * The service while the reader of its log stands still, or the disk of the log is full.
 *
 * @slow 20
 * @waits
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import buildServer from '../../support/processes/build-server';
import { createPlace, enginePidOf, type Place, PROCESS_TOKEN, startService } from '../../support/servers/spawned';

const ROOT = resolve(__dirname, '../../..');
const STOP_MS = 10_000;

let place: Place;
let child: ChildProcess;
let url: string;

beforeAll(() => buildServer(), 180_000);
beforeEach(() => (place = createPlace()));
afterEach(() => {
  child?.kill('SIGKILL');
  place.remove();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts the server with this file as its standard output and waits until it is ready. */
async function startInto(log: number): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  child = spawn(process.execPath, [join(ROOT, 'build/bin/server.js')], {
    cwd: ROOT,
    stdio: ['ignore', log, 'inherit'],
    env: {
      PATH: process.env['PATH'],
      LQE_PORT: String(port),
      LQE_DATA_DIR: place.dataDir,
      LQE_BOOTSTRAP_TOKEN: PROCESS_TOKEN,
      LQE_DRAIN_DELAY_MS: '0',
    },
  });
  while ((await fetch(`${url}/health/ready`).catch(() => null))?.status !== 200) {
    expect(child.exitCode).toBeNull();
    await sleep(50);
  }
}

async function call(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) expect((await fetch(`${url}/health/live`)).status).toBe(200);
}

async function stop(): Promise<number | null> {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  child.kill('SIGTERM');
  return (await Promise.race([exited, sleep(STOP_MS, ['still running'] as const)]))[0] as number | null;
}

it('starts, answers and stops while nothing reads the pipe of its log', async () => {
  const path = join(place.folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const filler = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const log = openSync(path, 'w');
  expect(() => {
    for (;;) writeSync(filler, 'x'.repeat(4096));
  }).toThrow('EAGAIN');
  try {
    await startInto(log);
    await call(500);
    expect(await stop()).toBe(0);
    // With a reader, the lines are there, the first included.
    await startInto(log);
    const chunk = Buffer.alloc(1 << 20);
    let text = '';
    for (const until = Date.now() + 20_000; !text.includes('listens on') && Date.now() < until; await sleep(20)) {
      try {
        text += chunk.toString('utf8', 0, readSync(reader, chunk));
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('EAGAIN');
      }
    }
    expect(text).toContain('listens on');
    expect(await stop()).toBe(0);
  } finally {
    for (const file of [reader, filler, log]) closeSync(file);
  }
}, 120_000);

it('starts, answers, counts dropped lines and stops while the disk of its log is full', async () => {
  const log = openSync('/dev/full', 'w');
  await startInto(log);
  closeSync(log);
  await call(20);
  await sleep(300);
  const metrics = await fetch(`${url}/metrics`, { headers: { 'X-API-KEY': PROCESS_TOKEN } });
  const dropped = /^logquery_log_lines_dropped_total (\d+)$/m.exec(await metrics.text())?.[1];
  expect(Number(dropped)).toBeGreaterThan(10);
  expect(await stop()).toBe(0);
}, 120_000);

it('passes on what the engine prints', async () => {
  const service = await startService(place);
  // The runtime of the engine prints a line on this signal.
  process.kill(enginePidOf(service)!, 'SIGUSR1');
  while (!service.output().includes('Debugger listening')) await sleep(20);
  expect(await service.stop('SIGINT')).toBe(0);
}, 60_000);
