/** @slow 15 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { status } from '@grpc/grpc-js';
import { PLUGIN_FOLDER } from '../support/host-environment';
import { executablePath, grafanaEnvironment, type PluginHost, startPlugin } from '../support/plugin-host';

const hosts: PluginHost[] = [];

async function start(env?: Record<string, string>): Promise<PluginHost> {
  const host = await startPlugin(env);
  hosts.push(host);
  return host;
}

afterAll(() => hosts.forEach(({ child }) => child.kill('SIGKILL')));

/** For starts that are refused. */
async function startAndFail(env: Record<string, string>) {
  const child = spawn(executablePath(), [], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (chunks.stdout += chunk));
  child.stderr.on('data', (chunk) => (chunks.stderr += chunk));
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...chunks };
}

test('the handshake is the first and only line of stdout, and the socket answers', async () => {
  const host = await start();
  expect(host.handshake).toMatch(/^1\|2\|unix\|\/.{1,103}\|grpc\|$/);
  expect(await host.unary('grpc.health.v1.Health', 'Check', { service: 'plugin' })).toEqual({ status: 1 });
  expect(await host.unary('grpc.health.v1.Health', 'Check', { service: '' })).toEqual({ status: 1 });
  await expect(host.unary('grpc.health.v1.Health', 'Check', { service: 'other' })).rejects.toMatchObject({
    code: status.NOT_FOUND,
  });
  expect(host.stdout()).toBe(`${host.handshake}\n`);
});

test('the socket is where the host wants it, and nothing is written into the plugin folder', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lqe-socket-'));
  const listing = () =>
    readdirSync(PLUGIN_FOLDER).map((name) => [name, statSync(path.join(PLUGIN_FOLDER, name)).mtimeMs]);
  const before = listing();
  const host = await start({ PLUGIN_UNIX_SOCKET_DIR: folder });
  expect(readdirSync(folder)).toHaveLength(1);
  await host.metrics();
  await host.stop();
  expect(readdirSync(folder)).toEqual([]);
  expect(listing()).toEqual(before);
  rmSync(folder, { recursive: true });
});

test('shutdown ends the process with exit code 0 and removes the socket', async () => {
  const host = await start();
  const socket = host.handshake.split('|')[3]!;
  expect(existsSync(socket)).toBe(true);
  expect(await host.stop()).toMatchObject({ code: 0, signal: null });
  expect(existsSync(socket)).toBe(false);
});

test('the backend ignores SIGINT, which is meant for the host, and stops on SIGTERM', async () => {
  const host = await start();
  host.child.kill('SIGINT');
  expect(await host.unary('grpc.health.v1.Health', 'Check', { service: 'plugin' })).toEqual({ status: 1 });
  host.child.kill('SIGTERM');
  expect(await host.exited).toEqual([0, null]);
});

test('the backend stops when its host has died', async () => {
  const host = await start();
  await host.unary('grpc.health.v1.Health', 'Check', { service: 'plugin' });
  host.vanish();
  expect(await host.exited).toEqual([0, null]);
  expect(existsSync(host.handshake.split('|')[3]!)).toBe(false);
});

test.each([
  ['by hand', {}, /Grafana starts it/],
  ['as another kind of plugin', { ...grafanaEnvironment(), grafana_plugin_type: 'renderer' }, /Grafana starts it/],
  [
    'by a host of another protocol',
    { ...grafanaEnvironment(), PLUGIN_PROTOCOL_VERSIONS: '3,4' },
    /speaks plugin protocol 3,4/,
  ],
  ['by a host that wants mutual TLS', { ...grafanaEnvironment(), PLUGIN_CLIENT_CERT: 'x' }, /mutual TLS/],
])('the backend started %s says why it cannot run, on stderr alone', async (_name, env, message) => {
  const { code, stdout, stderr } = await startAndFail({ GF_PLUGIN_NODE_PATH: process.execPath, ...env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
});

test('every log line has a form that Grafana can read', async () => {
  const host = await start();
  await host.query({ url: '' }, [{ refId: 'A', query: {} }]);
  await host.query({ url: 'http://127.0.0.1:1', secure: { apiKey: 'x' } }, [
    { refId: 'A', query: { endpoint: { name: 'a' } } },
  ]);
  await host.stop();
  const lines = host.stderr().trim().split('\n');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) {
    const entry = JSON.parse(line) as Record<string, unknown>;
    expect(typeof entry['@message']).toBe('string');
    expect(['debug', 'info', 'warn', 'error']).toContain(entry['@level']);
    expect(entry['@timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Buffer.byteLength(line)).toBeLessThan(65_536);
  }
});

test('no one may publish into a stream', async () => {
  const host = await start();
  expect(await host.unary('pluginv2.Stream', 'PublishStream', { path: 'tail/x' })).toMatchObject({ status: 2 });
});

test('a message of many megabytes fails only its own query', async () => {
  const host = await start();
  const query = { endpoint: { name: 'a' }, mode: 'sql', sql: `select '${'x'.repeat(20_000_000)}'` };
  const { A } = await host.query({ url: 'http://127.0.0.1:1' }, [{ refId: 'A', query }]);
  expect(A).toMatchObject({ status: 413, error: 'The query has more than 1048576 bytes.' });
});

test('the backend starts from a read-only folder of any name, with the configured Node', async () => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'lqe-')), 'a folder with spaces');
  cpSync(PLUGIN_FOLDER, folder, { recursive: true });
  execFileSync('chmod', ['-R', 'a-w', folder]);
  const host = await startPlugin({}, executablePath(folder));
  expect(await host.stop()).toMatchObject({ code: 0 });
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(path.dirname(folder), { recursive: true });
});

test('the backend runs with a small heap, so a large result does not leave its memory in use', () => {
  expect(readFileSync(executablePath(), 'utf8')).toContain(
    '--max-old-space-size=96 --max-semi-space-size=4 --no-allocation-site-pretenuring'
  );
});

test('counters have the Prometheus format', async () => {
  const host = await start();
  await host.query({ url: '' }, [{ refId: 'A', query: {} }]);
  await host.query({ url: 'http://127.0.0.1:1' }, [{ refId: 'A', query: { endpoint: { name: 'a' } } }]);
  const metrics = await host.metrics();
  expect(metrics).toMatch(/^logquery_plugin_queries_total\{outcome="unreachable"\} 1$/m);
  expect(metrics).toMatch(/^logquery_plugin_query_duration_seconds_count 1$/m);
  expect(metrics).toMatch(/^logquery_plugin_nodejs_eventloop_busy_seconds_total 0\.\d+$/m);
  expect(metrics).not.toMatch(/eventloop_lag_p99/);
});
