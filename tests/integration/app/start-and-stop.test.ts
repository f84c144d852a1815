/**
 * @slow 25
 * @waits
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import buildServer from '../../support/processes/build-server';
import { createPlace, type Place, PROCESS_TOKEN, runCli, runServer, startService } from '../../support/servers/spawned';

const KEY = { 'X-API-KEY': PROCESS_TOKEN };

let place: Place;
beforeAll(() => buildServer(), 180_000);
beforeEach(() => (place = createPlace()));
afterEach(() => place.remove());

const edit = (name: string, change: (text: string) => string): void => {
  const file = path.join(place.endpointsDir, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
};

describe('a start is refused', () => {
  it('with invalid settings, all reported at once', async () => {
    const { code, output } = await runServer(place, { LQE_PROT: '80', LQE_LOG_LEVEL: 'loud' });
    expect(code).toBe(1);
    expect(output).toContain('LQE_PROT: there is no such setting; did you mean LQE_PORT?');
    expect(output).toContain('LQE_LOG_LEVEL: must be "trace" or ');
    expect(output).not.toMatch(/\bat .*\.js:/);
  });

  it('with broken files, each reported with file, line, column and reason', async () => {
    edit('closed.yaml', (text) => text.replace('unknown_parameters', 'unknown_parameter'));
    edit('logs.all.yaml', (text) => text.replace('max_rows: 1000', 'max_rows: lots'));
    const { code, output } = await runServer(place);
    expect(code).toBe(1);
    expect(output).toContain('closed.yaml:3:1: unknown key "unknown_parameter" — did you mean "unknown_parameters"?');
    expect(output).toMatch(/logs\.all\.yaml:\d+:11: max_rows: /);
    expect(output).not.toMatch(/\bat .*\.js:/);
  });

  it('with a query that does not compile, reported with its line in the file', async () => {
    edit('closed.yaml', (text) => text.replace('SELECT id FROM', 'SELECT idd FROM'));
    const { code, output } = await runServer(place);
    expect(code).toBe(1);
    const line =
      readFileSync(path.join(place.endpointsDir, 'closed.yaml'), 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('idd')) + 1;
    expect(output).toContain(`closed.yaml:${line}:10: unknown column "idd"`);
  });

  it('when the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { code, output } = await runServer(place, { LQE_PORT: String(port) });
    other.close();
    expect([
      code,
      output.includes(`cannot listen on 127.0.0.1:${port}`),
      output.includes('the port is in use'),
    ]).toEqual([1, true, true]);
  });
});

it('a server that listens beyond this machine without any token logs a warning', async () => {
  const service = await startService(place, { LQE_HOST: '0.0.0.0', LQE_BOOTSTRAP_TOKEN: '' });
  await service.stop();
  expect(service.output()).toMatch(
    /"level":40,.*"msg":"listening beyond this machine, and there is no access token yet/
  );
});

it('a server on SIGTERM is not ready, still answers for a while, and exits with code 0', async () => {
  const service = await startService(place, { LQE_DRAIN_DELAY_MS: '1500' });
  const stopped = service.stop('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
  expect((await fetch(`${service.url}/api/endpoints/query/closed`, { headers: KEY })).status).toBe(200);
  expect(await stopped).toBe(0);
}, 30_000);

it('a server exits at once on the second signal', async () => {
  const service = await startService(place, { LQE_DRAIN_DELAY_MS: '60000' });
  const stopped = service.stop('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 200));
  service.child.kill('SIGTERM');
  expect(await stopped).toBe(1);
});

it('stored events remain after a restart', async () => {
  const first = await startService(place);
  const body = '{"id":"kept","project":"p","event_message":"x"}';
  await fetch(`${first.url}/api/logs?source=edge_requests`, {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/json' },
    body,
  });
  expect(await first.stop('SIGINT')).toBe(0);
  const second = await startService(place);
  const answer = await fetch(`${second.url}/api/endpoints/query/logs.all?project=p`, { headers: KEY });
  expect(((await answer.json()) as { result: { id: string }[] }).result.map(({ id }) => id)).toEqual(['kept']);
  await second.stop('SIGINT');
}, 30_000);

it('the stop does not wait for headers or bodies that arrive slowly', async () => {
  const service = await startService(place, { LQE_HEADERS_TIMEOUT_MS: '400', LQE_REQUEST_TIMEOUT_MS: '400' });
  const starts = [
    'GET /health/live HTTP/1.1\r\nHost: t\r\n',
    `POST /api/logs?source=edge_requests HTTP/1.1\r\nHost: t\r\nX-API-KEY: ${PROCESS_TOKEN}\r\nContent-Length: 100\r\n\r\n{`,
  ];
  for (const start of starts) {
    const received = await new Promise<string>((resolve) => {
      const socket = connect(service.port, '127.0.0.1', () => socket.write(start));
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(received).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
  }
  await service.stop('SIGINT');
}, 30_000);

it('a start without the key of the tokens says that they are not valid', async () => {
  mkdirSync(place.dataDir, { mode: 0o700 });
  expect((await runCli('token', 'create', '--name', 'a', '--data-dir', place.dataDir)).code).toBe(0);
  const first = await startService(place);
  await first.stop();
  expect(first.output()).not.toContain('server.key');
  rmSync(path.join(place.dataDir, 'server.key'));
  const second = await startService(place);
  await second.stop();
  expect(second.output()).toContain('no token of tokens.json is valid with it');
}, 60_000);
