/** Commands whose standard output has no reader, or cannot be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import buildServer from '../../support/processes/build-server';

const CLI = resolve(__dirname, '..', '..', '..', 'build', 'bin', 'lqe.js');
const FILES = 12;

let folder: string;
let server: Server;
/** Saved queries that were created. */
let created: number;

beforeAll(async () => {
  await buildServer();
  folder = mkdtempSync(join(tmpdir(), 'lqe-lost-'));
  for (let at = 0; at < FILES; at++)
    writeFileSync(join(folder, `n${at}.yaml`), `name: edge.n${at}\nquery: SELECT 1 AS n\n`);
  created = 0;
  server = createServer((req, res) => {
    const isCreated = req.method === 'POST' && req.url === '/api/endpoints';
    if (isCreated) created += 1;
    req.resume();
    const result = isCreated ? { id: String(created), name: 'edge.n', revision: 1 } : [];
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ result, next_cursor: null }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}, 120_000);
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function lqe(args: readonly string[], stdout: 'pipe' | number) {
  const { port } = server.address() as AddressInfo;
  const env = { PATH: process.env.PATH, LQE_URL: `http://127.0.0.1:${port}`, LQE_TOKEN: 'token' };
  return spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', stdout, 'pipe'] });
}

it('a reader that closes the pipe does not end `apply` in the middle of its changes', async () => {
  const run = lqe(['endpoints', 'apply', folder, '--yes'], 'pipe');
  run.stdout!.destroy();
  expect(await once(run, 'close')).toEqual([0, null]);
  expect(created).toBe(FILES);
});

it('a command whose output is lost on a full disk fails and says so', async () => {
  const full = openSync('/dev/full', 'w');
  try {
    const run = lqe(['endpoints', 'list'], full);
    let text = '';
    run.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    expect(await once(run, 'close')).toEqual([1, null]);
    expect(text).toBe('lqe: Standard output cannot be written (ENOSPC), so what the command printed is lost.\n');
  } finally {
    closeSync(full);
  }
});
