/** Resources for the editor and "Save & test", and the live tail. */
import type {
  EndpointResource,
  EndpointsResource,
  FunctionsResource,
  ValidateResource,
} from '#contract/plugin/resources';
import { TAIL_FAILURE_FIELD } from '#contract/plugin/plugin';
import { runCli } from '../../support/servers/spawned';
import { type PluginHost, type SourceSettings, startPlugin } from '../support/plugin-host';
import { edgeRequest, PROJECT, type SampleService, startSampleService } from '../support/sample-service';
import { serviceError, startStub, type StubAnswer } from '../support/stub-service';

interface TailPacket {
  readonly schema: { readonly fields: { readonly name: string }[]; readonly meta?: { readonly notices?: object[] } };
  readonly data: { readonly values: unknown[][] };
}

let host: PluginHost;
let sample: SampleService;

beforeAll(async () => {
  [host, sample] = await Promise.all([startPlugin(), startSampleService()]);
});

afterAll(async () => {
  await host.stop();
  await sample.stop();
});

async function token(...args: string[]): Promise<string> {
  const { stdout } = await runCli(
    'token',
    'create',
    '--json',
    '--data-dir',
    sample.place.dataDir,
    '--name',
    't',
    ...args
  );
  return (JSON.parse(stdout) as { token: string }).token;
}

async function healthOf(answer: StubAnswer) {
  const stub = await startStub(answer);
  const health = await host.health({ url: stub.url, uid: stub.url, secure: { apiKey: 'k-e-y' } });
  await stub.close();
  return health;
}

const json =
  (body: object): StubAnswer =>
  (_req, res) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

describe('health check', () => {
  test('lists the endpoints that the token may see', async () => {
    const health = await host.health(sample.source);
    expect(health.message).toMatch(
      /^Connected to the log query service \d+\.\d+\.\d+\. 3 endpoints: closed, logs\.all, usage\.api-counts\.$/
    );
    expect(health).toMatchObject({ status: 1, details: { endpoints: ['closed', 'logs.all', 'usage.api-counts'] } });
  });

  test('distinguishes a wrong URL, a wrong token and a missing scope', async () => {
    const messageOf = async (source: SourceSettings) => {
      const { status, message, details } = await host.health({ ...source, uid: JSON.stringify(source) });
      expect(status).toBe(2);
      // Grafana shows it below the message.
      expect(details).not.toHaveProperty('message');
      return message;
    };
    const { url } = sample.service;
    expect(await messageOf({ url: '' })).toMatch(/has no URL/);
    expect(await messageOf({ url: 'http://127.0.0.1:1', secure: { apiKey: 'x' } })).toMatch(
      /cannot be reached: nothing listens there/
    );
    for (const wrong of ['/api', '/wrong/', '/console', '/console/queries'])
      expect(await messageOf({ url: `${url}${wrong}`, secure: sample.source.secure })).toContain(
        `has nothing at the path ${wrong.replace(/\/$/, '')} of the URL. Hint: the URL of the data source is that of the service`
      );
    expect(await messageOf({ url, secure: { apiKey: 'wrong-token' } })).toMatch(/refuses the access token/);
    expect(await messageOf({ url, secure: {} })).toMatch(/asks for an access token/);
    expect(await messageOf({ url, secure: { apiKey: await token('--scope', 'query') } })).toMatch(/endpoints:read/);
    expect(await messageOf({ url, secure: { apiKey: await token('--scope', 'endpoints:read') } })).toMatch(/query/);
  });

  test('recognizes a service that is too old, and a server that is not the service', async () => {
    expect((await healthOf(json({ info: { version: '0.0.9' } }))).message).toMatch(
      /too old \(version 0\.0\.9\); this plugin needs 0\.1\.0 or newer/
    );
    expect((await healthOf((_req, res) => serviceError(res, 404, 'route_not_found'))).message).toMatch(
      /too old \(version unknown\)/
    );
    expect((await healthOf(json({ hello: 'world' }))).message).toMatch(/is not the log query service/);
    expect((await healthOf((_req, res) => res.writeHead(404).end('nginx'))).message).toMatch(
      /is not the log query service \(status 404\)/
    );
  });
});

describe('resources', () => {
  test('list the endpoints and describe one', async () => {
    const list = await host.resource(sample.source, 'GET', 'endpoints');
    expect(list.code).toBe(200);
    expect(list.headers['Content-Type']).toEqual({ values: ['application/json'] });
    const { endpoints } = list.body as EndpointsResource;
    expect(endpoints.map(({ name }) => name)).toEqual(['closed', 'logs.all', 'usage.api-counts']);
    expect(endpoints[2]).toMatchObject({
      cache_seconds: 900,
      max_rows: 1000,
      parameters: [{ name: 'interval', enum: ['minutely', 'hourly', 'daily'] }, { name: 'project' }],
    });

    const { body } = await host.resource(sample.source, 'GET', 'endpoints/logs.all');
    const described = body as EndpointResource;
    expect(described.endpoint.name).toBe('logs.all');
    expect(described.fields.map(({ name }) => name)).toEqual(['id', 'timestamp', 'event_message', 'metadata']);
    expect(described.tables.map(({ name }) => name)).toContain('postgres_logs');
  });

  test('check a text: a correct one has its fields, a wrong one the position of its error', async () => {
    const check = async (mode: 'sql' | 'lql', text: string) =>
      (await host.resource(sample.source, 'POST', 'validate', { endpoint: 'logs.all', mode, text }))
        .body as ValidateResource;
    expect(await check('sql', 'select id from edge_logs where $__timeFilter(timestamp)')).toMatchObject({
      valid: true,
      result: { fields: [{ name: 'id' }], tables: ['edge_logs'] },
    });
    const lql = await check('lql', 'f:edge_logs error c:count(*) c:group_by($__timeGroup)');
    expect(lql).toMatchObject({ valid: true, result: { sql: expect.stringMatching(/^SELECT/i) } });
    expect(await check('sql', 'select id,\n  nope from edge_logs')).toMatchObject({
      valid: false,
      error: {
        code: 'query_invalid',
        reason: 'unknown_column',
        position: { line: 2, column: 3 },
        requestId: expect.any(String),
      },
    });
    expect(await check('sql', 'select $__nope()')).toMatchObject({ valid: false, error: { code: 'macro_invalid' } });
    expect(await check('sql', ' ')).toMatchObject({ valid: false });
  });

  test('list functions for completion', async () => {
    const { functions } = (await host.resource(sample.source, 'GET', 'functions')).body as FunctionsResource;
    expect(functions.find(({ name }) => name === 'TIMESTAMP_TRUNC')).toMatchObject({
      family: 'Time',
      usage: expect.stringContaining('TIMESTAMP_TRUNC('),
    });
  });

  test('refuse other requests with the right status', async () => {
    const codes = await Promise.all(
      (
        [
          ['GET', 'nothing'],
          ['DELETE', 'endpoints'],
          ['GET', 'endpoints/nope'],
          ['GET', 'endpoints/a/b'],
          ['GET', 'endpoints/%E0%A4%A'],
          ['POST', 'validate', 'not json'],
          ['POST', 'validate', { endpoint: 'logs.all' }],
          ['POST', 'validate', { endpoint: 'nope', mode: 'sql', text: 'select 1' }],
        ] as const
      ).map(async ([method, path, body]) => (await host.resource(sample.source, method, path, body)).code)
    );
    expect(codes).toEqual([404, 405, 404, 404, 400, 400, 400, 404]);
    expect(
      await host.resource({ ...sample.source, uid: 'wrong', secure: { apiKey: 'x' } }, 'GET', 'endpoints')
    ).toMatchObject({ code: 401, body: { error: { code: 'token_invalid' } } });
  });

  test('keep an id with slashes and dots in one segment of the path', async () => {
    const stub = await startStub((_req, res) => serviceError(res, 404, 'endpoint_not_found'));
    await host.resource(
      { url: stub.url, uid: 'segment' },
      'GET',
      `endpoints/${encodeURIComponent('../../api/tokens?x=1#')}`
    );
    for (const dots of ['.', '..'])
      expect(await host.resource({ url: stub.url, uid: 'segment' }, 'GET', `endpoints/${dots}`)).toMatchObject({
        code: 404,
      });
    await stub.close();
    expect(stub.requests.map(({ url }) => url)).toEqual(['/api/endpoints/..%2F..%2Fapi%2Ftokens%3Fx%3D1%23']);
  });
});

describe('live tail', () => {
  const query = { endpoint: { name: 'logs.all' }, params: { project: PROJECT } };

  test('accepts only its own paths and valid queries', async () => {
    expect(await host.subscribe(sample.source, 'tail/abc', query)).toBe(0);
    expect(await host.subscribe(sample.source, 'other', query)).toBe(1);
    expect(await host.subscribe(sample.source, 'tail/abc', { mode: 'wrong' })).toBe(1);
  });

  /** Packets until one satisfies; the tail is cancelled then. */
  async function packetsUntil(
    source: SourceSettings,
    asked: object,
    isLast: (packet: TailPacket) => boolean | Promise<boolean>
  ): Promise<TailPacket[]> {
    const stream = host.tail(source, 'tail/abc', asked);
    stream.on('error', () => undefined);
    const packets: TailPacket[] = [];
    for await (const { data } of stream as AsyncIterable<{ data: Uint8Array }>) {
      packets.push(JSON.parse(Buffer.from(data).toString()) as TailPacket);
      if (await isLast(packets.at(-1)!)) break;
    }
    stream.cancel();
    return packets;
  }
  const namesOf = ({ schema }: TailPacket) => schema.fields.map(({ name }) => name);
  const linesOf = ({ data }: TailPacket) => data.values[1] as string[];

  test('sends what is new, once and oldest first, with the schema each time for readers who come later', async () => {
    let isIngested = false;
    const packets = await packetsUntil(sample.source, query, async (packet) => {
      const now = Date.now();
      if (!isIngested)
        await sample.ingest(
          [1, 2, 3].map((n) => ({ ...edgeRequest(PROJECT, now + n, n), event_message: `live ${n}` }))
        );
      isIngested = true;
      return linesOf(packet).includes('live 3');
    });
    for (const packet of packets)
      expect(namesOf(packet)).toEqual(expect.arrayContaining(['timestamp', 'body', 'id', 'labels']));
    const seen = packets.flatMap(linesOf);
    expect(seen.filter((line) => line.startsWith('live'))).toEqual(['live 1', 'live 2', 'live 3']);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('says why it fails', async () => {
    const apiKey = await token('--scope', 'query', 'endpoints:read');
    const source = { ...sample.source, uid: 'no-adhoc', secure: { apiKey } };
    const [packet] = await packetsUntil(source, { ...query, mode: 'lql', lql: 'f:edge_logs' }, () => true);
    expect(packet!.schema.meta!.notices).toEqual([{ severity: 'error', text: expect.stringContaining('"adhoc"') }]);
    expect(namesOf(packet!)).toContain(TAIL_FAILURE_FIELD);
    expect(packet!.data.values.every((column) => column.length === 0)).toBe(true);
  });

  test('a service that is away for a while interrupts it; other fields make the host hand the reason on', async () => {
    let isAway = false;
    const front = await startStub((req, res) => {
      if (isAway) return serviceError(res, 503, 'unavailable');
      const headers = { 'X-API-KEY': sample.source.secure!.apiKey!, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ ...query.params, iso_timestamp_start: new Date(0).toISOString() });
      void fetch(new URL(req.url!, sample.service.url), {
        method: 'POST',
        headers: { ...headers, Accept: req.headers.accept! },
        body,
      }).then(async (answer) => {
        res.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type')! });
        res.end(Buffer.from(await answer.arrayBuffer()));
      });
    });
    let count = 0;
    const packets = await packetsUntil({ ...sample.source, url: front.url, uid: 'front' }, query, () => {
      isAway = ++count === 1;
      return count === 3;
    });
    await front.close();
    const fields = packets.map(namesOf);
    expect(fields).toEqual([fields[0], [...fields[0]!, TAIL_FAILURE_FIELD], fields[0]]);
    expect(packets[1]!.schema.meta!.notices).toHaveLength(1);
    expect(packets[2]!.schema.meta?.notices ?? []).toEqual([]);
  });
});
