/**
 * `lqe token` on a running server, over HTTP: the same output as on the data folder, within the power of its token.
 *
 * @slow 30
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VERSION } from '#server/common/version';
import buildServer from '../../support/processes/build-server';
import {
  type CliOutcome,
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCliWith,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

let place: Place;
let service: ServiceProcess;
let env: Record<string, string>;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  service = await startService(place);
  env = { LQE_URL: service.url, LQE_TOKEN: PROCESS_TOKEN, LQE_DATA_DIR: place.dataDir };
}, 120_000);
afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
});

const overHttp = (...args: string[]): Promise<CliOutcome> => runCliWith(env, 'token', ...args);
const onFolder = (...args: string[]): Promise<CliOutcome> =>
  runCliWith(env, 'token', ...args, '--data-dir', place.dataDir);
const statusOf = async (token: string): Promise<number> =>
  (await fetch(`${service.url}/api/endpoints`, { headers: { 'X-API-KEY': token } })).status;
const parsed = ({ stdout }: CliOutcome): unknown => JSON.parse(stdout);
const LAST_USE = /"last_used_at": (null|"[^"]*")/g;

it('lqe --version prints the version of the program', async () => {
  expect(await runCliWith({}, '--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
});

it('both backends print the same for every command', async () => {
  const shape = ({ code, stdout, stderr }: CliOutcome): unknown => ({
    code,
    stdout: stdout
      .replace(/lqe_\w{8}_\w{43}_\w{6}/g, '<text>')
      .replace(/\b[0-9A-Za-z]{8}\b(?= \(|")/g, '<id>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(LAST_USE, '<last use>')
      .replace(/-http|-file/g, ''),
    stderr: stderr.replace(/token \w{8}/, 'token <id>').replace(/-http|-file/g, ''),
  });
  const limits = ['--scope', 'query', '--endpoint', 'logs.all', '--fix', 'region=eu', '--tenant', 'acme'];
  const story = async (run: typeof overHttp, name: string): Promise<unknown[]> => [
    shape(await run('create', '-n', name, ...limits, '--max-rows', '5', '--expires', '90d', '--json')),
    shape(await run('create', '-n', `${name}-plain`)),
    shape(await run('change', name, '--max-rows', '7', '--fix', 'zone=a', '--expires', 'never', '--json')),
    shape(await run('change', name, '-n', `${name}-b`, '--message', 'other name')),
    shape(await run('rotate', `${name}-b`, '--grace-seconds', '0', '--json')),
    shape(await run('revoke', `${name}-b`)),
    shape(await run('revoke', `${name}-plain`, '--json')),
    shape(await run('revoke', `${name}-b`)),
    shape(await run('rotate', 'unknown')),
    shape(await run('create', '-n', 'x', '--scope', 'endpoints:write', '--tenant', 'acme')),
  ];
  expect(await story(overHttp, 'a-http')).toEqual(await story(onFolder, 'a-file'));
  const lists = [parsed(await overHttp('list', '--json')), parsed(await onFolder('list', '--json'))];
  const withoutUse = lists.map((list) => JSON.stringify(list, null, 1).replace(LAST_USE, ''));
  expect(withoutUse[0]).toBe(withoutUse[1]);
}, 120_000);

it('the server knows a token at once that it created, changed or revoked for the command line', async () => {
  const { stdout } = await overHttp('create', '-n', 'quick', '--scope', 'endpoints:read');
  const token = stdout.trim();
  expect(await statusOf(token)).toBe(200);
  await overHttp('change', 'quick', '--scope', 'query');
  expect(await statusOf(token)).toBe(403);
  await overHttp('revoke', 'quick');
  expect(await statusOf(token)).toBe(401);
}, 60_000);

it('a token gives at most what it has, and the message says which fields exceed it', async () => {
  const { stdout } = await overHttp('create', '-n', 'clerk', '--scope', 'tokens:admin', 'query', '--tenant', 'acme');
  const clerk = { ...env, LQE_TOKEN: stdout.trim() };
  const refused = await runCliWith(clerk, 'token', 'create', '-n', 'x', '--scope', 'ingest');
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/scopes, tenant.*\(token_exceeded\)\n {2}hint: /s);
  const made = await runCliWith(clerk, 'token', 'create', '-n', 'x', '--scope', 'query', '--tenant', 'acme', '--json');
  expect(parsed(made)).toMatchObject({ tenant: 'acme', scopes: ['query'] });
  const seen = parsed(await runCliWith(clerk, 'token', 'list', '--json')) as { tenant: string }[];
  expect(new Set(seen.map(({ tenant }) => tenant))).toEqual(new Set(['acme']));
}, 60_000);

it.each([
  [
    'no token',
    { LQE_TOKEN: '' },
    ['list'],
    /No access token. Give --token or set LQE_TOKEN to one with the scope tokens:admin/,
  ],
  ['a wrong token', { LQE_TOKEN: 'lqe_wrong' }, ['list'], /not valid.*\(token_invalid\)/],
  [
    'a server that is away',
    { LQE_URL: 'http://127.0.0.1:1' },
    ['create', '-n', 'x', '--token', 'x'],
    /does not answer/,
  ],
  ['no URL', { LQE_URL: 'nowhere' }, ['list'], /"nowhere" is no URL/],
  ['a user in the URL', { LQE_URL: 'http://a:b@127.0.0.1:1' }, ['list'], /no user, password/],
  [
    'a folder and a URL',
    {},
    ['list', '--url', 'http://127.0.0.1:1', '--data-dir', '/tmp'],
    /either --url or --data-dir/,
  ],
])(
  '%s ends with exit code 1 and a message',
  async (_what, other, args, message) => {
    // The patience for a server that is away is longer than a test.
    const running = runCliWith({ ...env, ...other }, 'token', ...args);
    const { code, stderr, stdout } = await running;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
  },
  120_000
);

describe('behind a proxy with a path', () => {
  let proxy: Server;
  const seen: string[] = [];
  let busy = 0;
  beforeAll(async () => {
    proxy = createServer((req, res) => {
      seen.push(`${req.method} ${req.url} ${String(req.headers['idempotency-key'])}`);
      if (busy > 0) {
        busy -= 1;
        // Without a body of the service, as a proxy answers.
        res.writeHead(503, { 'Retry-After': '0' }).end('busy');
        return;
      }
      const target = `${service.url}${req.url!.replace('/logs/prefix', '')}`;
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const headers = { 'X-API-KEY': String(req.headers['x-api-key']), 'Content-Type': 'application/json' };
        const key = req.headers['idempotency-key'];
        const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
        void fetch(target, {
          method: req.method!,
          headers: { ...headers, ...(key === undefined ? {} : { 'Idempotency-Key': String(key) }) },
          ...body,
        }).then(async (answer) => res.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer())));
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => proxy.close());

  it('repeats a refused request with the same Idempotency-Key, and says so', async () => {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/logs/prefix`;
    busy = 2;
    const { code, stderr, stdout } = await runCliWith(env, 'token', 'create', '-n', 'patient', '--url', url);
    expect([code, await statusOf(stdout.trim())]).toEqual([0, 200]);
    expect(stderr.match(/Trying again in/g)).toHaveLength(2);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toMatch(/^POST \/logs\/prefix\/api\/tokens [0-9a-f-]{36}$/);
  }, 60_000);
});
