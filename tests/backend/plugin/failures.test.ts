/** @slow 10 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { runCli } from '../../support/servers/spawned';
import { decodeFrame } from '../support/decode-frame';
import { type PluginHost, type SourceSettings, startPlugin } from '../support/plugin-host';
import { PROJECT, type SampleService, startSampleService } from '../support/sample-service';
import { serviceError, startStub, type StubAnswer } from '../support/stub-service';

let host: PluginHost;
let sample: SampleService;
let uid = 0;

beforeAll(async () => {
  [host, sample] = await Promise.all([startPlugin(), startSampleService({}, EXTRA_ENDPOINTS)]);
});

afterAll(async () => {
  await host.stop();
  await sample.stop();
});

const EXTRA_ENDPOINTS = {
  'short.yaml': `id: 7d1a9fd0-0000-4000-8000-00000000000a
name: short
max_rows: 5
query: SELECT id, timestamp, event_message FROM edge_requests ORDER BY timestamp DESC
`,
  'slow.yaml': `id: 7d1a9fd0-0000-4000-8000-00000000000b
name: slow
timeout_ms: 60
query: |
  SELECT COUNT(*) AS n FROM UNNEST(GENERATE_ARRAY(1, 20000)) AS a CROSS JOIN UNNEST(GENERATE_ARRAY(1, 20000)) AS b WHERE a * b > 7
`,
};

const UUID = /Request id: [0-9a-f-]{36}\.$/;
const good = { endpoint: { name: 'usage.api-counts' }, params: { interval: 'hourly', project: PROJECT } };
const sql = (text: string) => ({
  endpoint: { name: 'logs.all' },
  mode: 'sql',
  sql: text,
  params: { project: PROJECT },
});

/** The error of one query, asked for beside a good one that must not be harmed when the service is there. */
async function errorOf(source: SourceSettings, query: object) {
  const answers = await host.query({ uid: `s${uid++}`, ...source }, [{ refId: 'A', query }]);
  const { error = '', status, errorSource } = answers['A']!;
  return { error, status, errorSource };
}

async function token(...args: string[]): Promise<string> {
  const { dataDir } = sample.place;
  const { stdout } = await runCli('token', 'create', '--json', '--data-dir', dataDir, '--name', `t${uid++}`, ...args);
  return (JSON.parse(stdout) as { token: string }).token;
}

/** The tool makes none that are over already. */
async function expiredToken(): Promise<string> {
  const text = await token('--expires', '1h');
  const file = path.join(sample.place.dataDir, 'tokens.json');
  const content = JSON.parse(readFileSync(file, 'utf8')) as { tokens: { expires_at: string | null }[] };
  content.tokens.at(-1)!.expires_at = '2020-01-01T00:00:00.000Z';
  writeFileSync(file, JSON.stringify(content));
  return text;
}

/** A result as the service writes it. */
function oneNumber(): Uint8Array {
  return tableToIPC(tableFromArrays({ n: Float64Array.of(1) }), 'stream');
}

describe('a query in a panel', () => {
  test.each([
    [
      'an endpoint that is not there any more',
      { endpoint: { id: '00000000-0000-4000-8000-000000000000', name: 'old' } },
      404,
      /^The service has no endpoint "00000000-0000-4000-8000-000000000000" that the access token may see; it may have been deleted or renamed\. Request id/,
    ],
    ['a missing parameter', { endpoint: { name: 'logs.all' } }, 400, /"project".* Request id/],
    ['a value that is not allowed', { ...good, params: { ...good.params, interval: 'yearly' } }, 400, /interval/],
    ['an unknown column, with its place', sql('select id,\n nope from edge_logs'), 400, /nope.*\(line 2, column 2\)\./],
    ['bad SQL', sql('selct 1'), 400, /\(line 1, column 1\)/],
    ['a table outside the sandbox', sql('select * from edge_requests'), 400, /edge_requests.*line 1/],
    ['a query that passes its deadline', { endpoint: { name: 'slow' } }, 504, /Request id/],
  ])('fails with the message of the service: %s', async (_name, query, status, message) => {
    const failure = await errorOf(sample.source, query);
    expect(failure).toMatchObject({ status, errorSource: 'downstream' });
    expect(failure.error).toMatch(message);
    expect(failure.error).toMatch(UUID);
  });

  test('has an error of its own, and a correct query beside it returns rows', async () => {
    const wrong: Readonly<Record<string, object>> = {
      deleted: { endpoint: { name: 'no.such.endpoint' } },
      missing: { endpoint: { name: 'logs.all' } },
      forbidden: sql('select * from edge_requests'),
      misspelt: sql('select nope from edge_logs'),
      macro: sql('select $__nope() from edge_logs'),
      variable: { ...good, params: { ...good.params, project: '${project}' } },
      empty: { endpoint: { name: 'logs.all' }, mode: 'lql', lql: ' ', params: { project: PROJECT } },
      broken: { endpoint: 'logs.all' },
      shapeless: { ...sql('select 1 as n from edge_logs'), format: 'logs' },
      slow: { endpoint: { name: 'slow' } },
    };
    const queries = [...Object.entries({ ...wrong, good })].map(([refId, query]) => ({ refId, query }));
    const { good: answered, ...refused } = await host.query({ ...sample.source, uid: 'panel' }, queries);
    expect(answered).toMatchObject({ status: 200, error: '' });
    expect(Object.keys(refused).sort()).toEqual(Object.keys(wrong).sort());
    const errors = Object.entries(refused).map(([refId, { error }]) => [refId, error] as const);
    expect(new Set(errors.map(([, error]) => error)).size).toBe(errors.length);
    for (const [, error] of errors) expect(error).toMatch(/^[A-Z"$].*\.$/);
    const byService = ['deleted', 'missing', 'forbidden', 'misspelt', 'slow'];
    for (const [refId, error] of errors) if (byService.includes(refId)) expect(error).toMatch(UUID);
  });

  test('finds a renamed endpoint by its id', async () => {
    const query = { ...good, endpoint: { id: 'b25099f5-3548-459a-b4de-175e51db880b', name: 'name.of.yesterday' } };
    expect(await errorOf(sample.source, query)).toMatchObject({ status: 200, error: '' });
  });

  test('has a notice when a row limit has truncated its result', async () => {
    const { A } = await host.query(sample.source, [{ refId: 'A', query: { endpoint: { name: 'short' } } }]);
    expect(A!.status).toBe(200);
    expect(Buffer.from(A!.frames[0]!).toString()).toContain(
      'The service cut the result at 5 rows, a cap of the endpoint or the token: what is shown is not all.'
    );
  });

  test('has a notice with the age of rows from the cache, and none for fresh rows', async () => {
    const stub = await startStub((_req, res) => {
      const age = stub.requests.length === 1 ? {} : { Age: '42' };
      res.writeHead(200, { 'Content-Type': 'application/vnd.apache.arrow.stream', ...age });
      res.end(oneNumber());
    });
    const noticesOf = async () => {
      const { A } = await host.query({ url: stub.url, uid: 'aged' }, [{ refId: 'A', query: good }]);
      return decodeFrame(A!.frames[0]!).meta.notices;
    };
    expect(await noticesOf()).toBeUndefined();
    expect(await noticesOf()).toEqual([{ severity: 'info', text: 'From the cache of the service: 42 s old.' }]);
    await stub.close();
  });

  test.each([
    ['wrong', async () => 'lqe_aaaaaaaa_' + 'b'.repeat(43) + '_cccccc'],
    ['without a form', async () => 'just some text'],
    ['expired', expiredToken],
  ])('fails when the token is %s', async (_name, make) => {
    const apiKey = await make();
    const failure = await errorOf({ ...sample.source, secure: { apiKey } }, good);
    expect(failure).toMatchObject({ status: 401, errorSource: 'downstream' });
    expect(failure.error).toMatch(
      /^The service refuses the access token of the data source: it is unknown, has expired or was revoked\. Request id/
    );
    expect(failure.error).not.toContain(apiKey);
  });

  test('fails without a token', async () => {
    expect((await errorOf({ ...sample.source, secure: {} }, good)).error).toMatch(
      /^The service asks for an access token; set it in the settings/
    );
  });

  test('fails when the token lacks a scope, or may not see the endpoint', async () => {
    const noAdhoc = { ...sample.source, secure: { apiKey: await token('--scope', 'query', 'endpoints:read') } };
    expect(await errorOf(noAdhoc, sql('select 1 as n from edge_logs'))).toMatchObject({
      status: 403,
      error: expect.stringMatching(/adhoc/),
    });
    const oneEndpoint = { ...sample.source, secure: { apiKey: await token('--endpoint', 'logs.all') } };
    expect(await errorOf(oneEndpoint, good)).toMatchObject({ status: 404 });
  });

  test('fails for too many requests, while the other queries of the panel are answered', async () => {
    const apiKey = await token('--rate', '2');
    const source = { ...sample.source, uid: 'rate', secure: { apiKey } };
    const queries = ['A', 'B', 'C'].map((refId) => ({
      refId,
      query: sql(`select count(*) as n${refId} from edge_logs`),
    }));
    const answers = Object.values(await host.query(source, queries));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.error).toMatch(/The service takes it again in \d+ s\. Request id/);
  });
});

describe('when the service does not answer', () => {
  async function withStub(answer: StubAnswer, source: Partial<SourceSettings> = {}) {
    const stub = await startStub(answer);
    try {
      return {
        failure: await errorOf({ url: stub.url, secure: { apiKey: 'secret-of-the-test' }, ...source }, good),
        requests: stub.requests,
      };
    } finally {
      await stub.close();
    }
  }

  test('a closed port is reported', async () => {
    const stub = await startStub(() => undefined);
    await stub.close();
    const { error, status } = await errorOf({ url: stub.url, secure: { apiKey: 'k' } }, good);
    expect(error).toBe(`The service at ${new URL(stub.url).host} cannot be reached: nothing listens there.`);
    expect(status).toBe(502);
  });

  test('an unknown host name is reported', async () => {
    const { error } = await errorOf({ url: 'http://no-such-host.invalid' }, good);
    expect(error).toMatch(/^The service at no-such-host\.invalid cannot be reached: the host name/);
  });

  test.each([
    [200, 'text/html', '<html>', /is not the log query service/],
    [404, 'text/html', '<html>', /is not the log query service \(status 404\)/],
    [502, 'text/html', '<html>', /A proxy in front of .* answers 502/],
    [401, 'text/html', '<html>', /A server in front of .* refuses the request with status 401/],
    [200, 'application/vnd.apache.arrow.stream', 'not arrow', /The answer of the service cannot be read/],
    [
      500,
      'application/json',
      '{"error":{"code":"internal","message":"boom"}}',
      /The service failed and has logged why/,
    ],
  ])('an unexpected response %i of %s is reported', async (status, type, body, message) => {
    const { failure } = await withStub((_req, res) => res.writeHead(status, { 'Content-Type': type }).end(body));
    expect(failure.error).toMatch(message);
    expect(failure).toMatchObject({ errorSource: 'downstream' });
  });

  test('an https URL of a plain server and an unsigned certificate are reported', async () => {
    const { failure } = await withStub(() => undefined, { url: sample.service.url.replace('http:', 'https:') });
    expect(failure.error).toMatch(/^No secure connection to the service at .* the URL may have to begin with http:/);
  });

  test('no response within the timeout of the data source is reported', async () => {
    const { failure } = await withStub(() => undefined, { jsonData: { timeout: 1 } });
    expect(failure).toMatchObject({ status: 504 });
    expect(failure.error).toMatch(/did not answer within 1 s\. Hint: a shorter time range/);
  });

  test('a request to a busy service is retried, and one that is wrong is not', async () => {
    let calls = 0;
    const busy = await withStub((_req, res) =>
      serviceError(res, 503, ++calls < 3 ? 'overloaded' : 'backend_error', { 'Retry-After': '0' })
    );
    expect(busy.requests).toHaveLength(3);
    expect(busy.failure.error).toBe('The stub says backend_error. Request id: stub-1.');
    const wrong = await withStub((_req, res) => serviceError(res, 400, 'query_invalid'));
    expect(wrong.requests).toHaveLength(1);
    const later = await withStub((_req, res) => serviceError(res, 429, 'rate_limited', { 'Retry-After': '30' }));
    expect(later.requests).toHaveLength(1);
    expect(later.failure.error).toBe(
      'The stub says rate_limited. The service takes it again in 30 s. Request id: stub-1.'
    );
  });

  test('a request on a broken connection is retried', async () => {
    const { requests, failure } = await withStub((req) => req.socket.destroy());
    expect(requests).toHaveLength(3);
    expect(failure.error).toMatch(/cannot be reached: it closed the connection/);
  });

  test('settings that cannot work are reported by name', async () => {
    const cases: [Partial<SourceSettings>, RegExp][] = [
      [{ url: '' }, /^The data source has no URL/],
      [{ url: 'ftp://x' }, /must begin with http/],
      [{ url: 'http://u:p@x' }, /must not hold a user or password/],
      [{ jsonData: { timeout: -1 } }, /timeout/],
      [{ jsonData: { tlsAuth: true } }, /client certificate or its key is missing/],
      [{ jsonData: { httpHeaderName1: 'bad name' } }, /Custom header 1/],
      [{ jsonData: { logs: { defaultLimit: 'many' } } }, /"logs\.defaultLimit"/],
    ];
    for (const [settings, message] of cases) {
      const failure = await errorOf({ url: sample.service.url, ...settings }, good);
      expect(failure.error).toMatch(message);
      expect(failure).toMatchObject({ status: 400, errorSource: 'downstream' });
    }
  });
});

test('headers of the data source are always sent, and headers of the login only when it is set to', async () => {
  const stub = await startStub((_req, res) => serviceError(res, 404, 'endpoint_not_found'));
  const secure = { apiKey: 'key-of-the-test', httpHeaderValue1: 'tenant-1', basicAuthPassword: 'pass' };
  const headers = { Authorization: 'Bearer of-the-person', Cookie: 'keep=1; other=2', 'http_X-Grafana-User': 'ada' };
  const base = { url: stub.url, secure, basicAuthUser: 'user' };
  await host.query({ ...base, uid: 'h1', jsonData: { httpHeaderName1: 'X-Tenant' } }, [{ refId: 'A', query: good }], {
    headers,
  });
  await host.query(
    { ...base, uid: 'h2', jsonData: { oauthPassThru: true, keepCookies: ['keep'] } },
    [{ refId: 'A', query: good }],
    { headers }
  );
  await stub.close();
  const [plain, passed] = stub.requests.map((request) => request.headers);
  expect(plain).toMatchObject({
    'x-api-key': 'key-of-the-test',
    'x-tenant': 'tenant-1',
    authorization: `Basic ${Buffer.from('user:pass').toString('base64')}`,
  });
  expect(plain).not.toHaveProperty('cookie');
  expect(passed).toMatchObject({ authorization: 'Bearer of-the-person', cookie: 'keep=1' });
});

test('the proxy of the environment is used for other hosts, never for this one', async () => {
  const proxy = await startStub((_req, res) => serviceError(res, 404, 'endpoint_not_found'));
  const proxied = await startPlugin({ HTTP_PROXY: proxy.url, NO_PROXY: 'direct.invalid' });
  const ask = async (url: string) =>
    (await proxied.query({ url, uid: url }, [{ refId: 'A', query: good }]))['A']!.error;
  expect(await ask('http://service.invalid:8080')).toMatch(/^The service has no endpoint/);
  expect(await ask('http://direct.invalid')).toMatch(/cannot be reached/);
  expect(await ask('http://127.0.0.1:1')).toMatch(/nothing listens there/);
  await proxied.stop();
  await proxy.close();
  expect(proxy.requests.map(({ url, headers }) => [url, headers.host])).toEqual([
    ['http://service.invalid:8080/api/endpoints/query/usage.api-counts', 'service.invalid:8080'],
  ]);
});

test('a canceled query aborts the call of the service', async () => {
  const stub = await startStub(() => undefined);
  const controller = new AbortController();
  const running = host.query({ url: stub.url, uid: 'cancel', secure: { apiKey: 'k' } }, [{ refId: 'A', query: good }], {
    signal: controller.signal,
  });
  while (stub.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 1 });
  while (stub.abandoned === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await stub.close();
  expect(stub.requests).toHaveLength(1);
});

test('new settings apply at once, and the same uid in another organization is another data source', async () => {
  const stub = await startStub((_req, res) => serviceError(res, 404, 'endpoint_not_found'));
  const ask = (more: object) => host.query({ url: stub.url, uid: 'same', ...more }, [{ refId: 'A', query: good }]);
  await ask({ secure: { apiKey: 'first-key' }, updatedMs: 1 });
  await ask({ secure: { apiKey: 'second-key' }, updatedMs: 2 });
  await ask({ secure: { apiKey: 'other-org-key' }, updatedMs: 2, orgId: 2 });
  await stub.close();
  expect(stub.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
    'first-key',
    'second-key',
    'other-org-key',
  ]);
});

test('no response and no log line has a token', async () => {
  const echo = await startStub((req, res) => {
    res.writeHead(400, { 'Content-Type': 'application/json' });
    const message = `You sent ${String(req.headers['x-api-key'])}.`;
    res.end(JSON.stringify({ error: { code: 'query_invalid', message, details: { hint: message } } }));
  });
  const { error } = await errorOf({ url: echo.url, secure: { apiKey: 'token-that-is-secret' } }, good);
  const secret = { url: echo.url, uid: 'echo', secure: { apiKey: 'token-that-is-secret' } };
  const health = await host.health(secret);
  const resource = await host.resource(secret, 'GET', 'endpoints');
  await echo.close();
  expect(resource.code).toBe(400);
  expect(JSON.stringify(resource)).not.toContain('token-that-is-secret');
  expect(error).toBe('You sent [hidden]. Hint: You sent [hidden].');
  expect(JSON.stringify(health)).not.toContain('token-that-is-secret');
  expect(host.stderr()).not.toContain('token-that-is-secret');
  expect(host.stderr()).not.toContain(sample.source.secure!['apiKey']);
  expect(host.stdout()).toBe(`${host.handshake}\n`);
});
