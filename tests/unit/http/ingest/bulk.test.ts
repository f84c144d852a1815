/** Bulk requests of Elasticsearch, and what its clients ask before they send one. */
import { gzipSync } from 'node:zlib';
import { bulkCases, outcomesOf } from '../../../support/cases/http/bulk';
import { readEntries } from '../../../support/cases/http/formats';
import { send } from '../../../support/fakes/connection';
import { failure } from '../../../support/fakes/engine';
import { createFormatService, type FormatService } from '../../../support/servers/format-service';

let service: FormatService;
let key: string;

beforeAll(() => {
  service = createFormatService();
  ({ key } = service);
});
beforeEach(() => service.storeAll());
afterAll(() => service.close());

const post = (target: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(service.server, target, {
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/x-ndjson', ...headers },
    body,
  });
const get = (target: string, headers: Record<string, string> = { 'X-API-KEY': key }, method = 'GET') =>
  send(service.server, target, { method, headers });

const stored = () => service.stored();

const ONE = '{"create":{"_index":"edge_requests"}}\n{"message":"a"}\n';

describe('a bulk request', () => {
  it.each(bulkCases())('$name', async ({ path, source, lines, entries, items }) => {
    const answer = await post(source === undefined ? path : `${path}?source=${source}`, `${lines.join('\n')}\n`);
    expect([answer.status, answer.headers['x-elastic-product']]).toEqual([200, 'Elasticsearch']);
    expect(stored()).toEqual(entries);
    expect(outcomesOf(answer.json())).toEqual(items);
    expect(answer.json().errors).toBe(items.some(([, , , outcome]) => outcome !== 201));
  });

  it.each([
    ['PUT', {}],
    ['POST', { 'Content-Encoding': 'gzip' }],
    ['POST', { 'Content-Type': 'application/vnd.elasticsearch+x-ndjson; compatible-with=8' }],
    ['POST', { 'Content-Type': 'application/json; charset=UTF-8' }],
  ])('is taken as %s with %j', async (method, headers) => {
    const body = 'Content-Encoding' in headers ? gzipSync(ONE) : ONE;
    const answer = await send(service.server, '/_bulk', { method, headers: { 'X-API-KEY': key, ...headers }, body });
    expect([answer.status, stored()]).toEqual([200, { edge_requests: [{ event_message: 'a', metadata: {} }] }]);
  });

  it('has a status for each of its actions, however many are refused', async () => {
    service.engine.answers.ingest = ({ identity: { firstIndex } }, { body }) => {
      const count = readEntries(body!).length;
      const errors = Array.from({ length: count }, (_, i) => ({
        index: firstIndex + i,
        code: 'out_of_retention',
        message: 'old',
      }));
      return { accepted: 0, duplicates: 0, rejected: count, errors };
    };
    const answer = await post('/_bulk', `${ONE}{"delete":{}}\n`.repeat(2_500));
    const outcomes = outcomesOf(answer.json()).map(([, , , outcome]) => outcome);
    expect(outcomes).toEqual(Array.from({ length: 2_500 }, () => ['out_of_retention', 'unsupported_action']).flat());
  });

  it('reports an event that is stored already as created', async () => {
    service.engine.answers.ingest = () => ({ accepted: 1, duplicates: 1, rejected: 0, errors: [] });
    expect(outcomesOf((await post('/_bulk', ONE)).json())).toEqual([['create', 'edge_requests', null, 201]]);
  });

  it.each([
    ['no action', '{"message":"a"}\n', 1],
    ['an unknown action', `${ONE}{"upsert":{}}\n{}\n`, 3],
    ['two actions on a line', '{"create":{},"index":{}}\n{}\n', 1],
    ['an action that is no object', '{"create":1}\n{}\n', 1],
    ['a document without its action', `\n${ONE}{"message":"b"}\n`, 4],
    ['an action in two lines', '{"create":\n{}}\n{}\n', 1],
    ['an action that is too long', `{"create":{"_id":"${'x'.repeat(20_000)}"}}\n{}\n`, 1],
  ])('with %s is refused as a whole, with the line', async (_name, body, line) => {
    const answer = await post('/_bulk', body);
    const { error, status } = answer.json();
    expect([answer.status, status, error.code, error.type]).toEqual([400, 400, 'body_invalid', 'body_invalid']);
    expect([error.details.reason, error.details.position]).toEqual(['bad_action', { line, column: 1 }]);
    expect(error.root_cause).toEqual([{ type: error.code, reason: error.message }]);
    expect(stored()).toEqual({});
  });

  it('stores a document that is not UTF-8, with U+FFFD for its other bytes', async () => {
    const broken = Buffer.from('{"create":{"_index":"edge_requests"}}\n{"message":"caf\xe9"}\n', 'latin1');
    const answer = await post('/_bulk', Buffer.concat([broken, Buffer.from(ONE)]));
    expect(outcomesOf(answer.json()).map(([, , , outcome]) => outcome)).toEqual([201, 201]);
    expect(stored()['edge_requests']).toEqual([
      expect.objectContaining({ event_message: 'caf\ufffd' }),
      expect.anything(),
    ]);
  });

  it('says to Fluent Bit, which sends all of it again without end, that nothing is to be sent again', async () => {
    const body = `{"delete":{"_index":"edge_requests","_id":"1"}}\n${ONE}`;
    const [plain, fluentBit] = [
      (await post('/_bulk', body)).json(),
      (await post('/_bulk', body, { 'User-Agent': 'Fluent-Bit' })).json(),
    ];
    expect([plain.errors, fluentBit.errors]).toEqual([true, false]);
    expect(fluentBit.items).toEqual(plain.items);
    expect(outcomesOf(fluentBit).map(([, , , outcome]) => outcome)).toEqual(['unsupported_action', 201]);
  });

  it('with too many actions is refused with their number', async () => {
    const answer = await post('/_bulk', `${ONE}{"delete":{}}\n`.repeat(50_001));
    expect([answer.status, answer.json().error.details]).toMatchObject([413, { max_events: 100_000, events: 100_002 }]);
    expect(stored()).toEqual({});
  });

  it.each([
    ['backend_unavailable', 503],
    ['concurrency_limited', 429],
  ] as const)('is to be sent again after %s', async (code, status) => {
    service.engine.answers.ingest = failure(code);
    const answer = await post('/_bulk', ONE);
    expect([answer.status, answer.json().error.type, answer.json().status]).toEqual([status, code, status]);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('of a tenant names it to the store, also where the index names another', async () => {
    const tenant = service.createToken({ scopes: ['ingest'], tenant: 'acme' });
    await post('/_bulk', ONE.replace('edge_requests', 'logs-edge_requests-victim'), { 'X-API-KEY': tenant });
    expect(service.engine.asked[0]!.request).toMatchObject({ tenant: { confinedTo: 'acme', given: null } });
    const other = await post('/_bulk?project=victim', ONE, { 'X-API-KEY': tenant });
    expect([other.status, other.json().error.code]).toEqual([403, 'parameter_locked']);
  });
});

describe('the token of a client of Elasticsearch', () => {
  const as = (authorization: string) => get('/elasticsearch/', { Authorization: authorization });

  it('is the key of an API key', async () => {
    expect((await as(`ApiKey ${Buffer.from(`any-id:${key}`).toString('base64')}`)).status).toBe(200);
    expect((await as(`ApiKey ${key}`)).status).toBe(200);
    expect((await as(`apikey ${Buffer.from('any-id:other').toString('base64')}`)).json().error.code).toBe(
      'token_invalid'
    );
    for (const broken of [Buffer.from('any-id:').toString('base64'), Buffer.from('id:a b').toString('base64'), 'a b'])
      expect((await as(`ApiKey ${broken}`)).json().error.code).toBe('token_missing');
  });

  it('contradicts no other', async () => {
    const headers = { 'X-API-KEY': key, Authorization: `ApiKey ${Buffer.from('id:other').toString('base64')}` };
    expect((await get('/elasticsearch/', headers)).json().error.code).toBe('header_invalid');
  });
});

describe('questions of a client of Elasticsearch', () => {
  it.each([
    ['/elasticsearch', 'version.number', /^8\.\d+\.\d+$/],
    ['/elasticsearch/', 'version.build_flavor', /^default$/],
    ['/elasticsearch/_license?human=false', 'license.status', /^active$/],
    ['/elasticsearch/_cluster/health', 'status', /^green$/],
    ['/_cat/health', 'status', /^green$/],
  ])('%s has %s', async (target, path, value) => {
    const answer = await get(target);
    const found = path.split('.').reduce((at: unknown, name) => (at as Record<string, unknown>)[name], answer.json());
    expect([answer.status, answer.headers['x-elastic-product'], found]).toEqual([
      200,
      'Elasticsearch',
      expect.stringMatching(value),
    ]);
    const head = await get(target, { 'X-API-KEY': key }, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it.each(['_index_template', '_template', '_component_template', '_ilm/policy', '_ingest/pipeline'])(
    'every %s is there, and one that is sent is ignored',
    async (kind) => {
      const target = `/elasticsearch/${kind}/filebeat-8.19.0`;
      expect((await get(target, { 'X-API-KEY': key }, 'HEAD')).status).toBe(200);
      const body = `{"template":"${'x'.repeat(100_000)}"}`;
      const put = await send(service.server, target, { method: 'PUT', headers: { 'X-API-KEY': key }, body });
      expect([put.status, put.json().acknowledged]).toEqual([200, true]);
      expect(service.engine.asked).toEqual([]);
    }
  );
});

describe('paths that there are not', () => {
  it.each([
    ['GET', '/elasticsearch/_nodes/http'],
    ['GET', '/elasticsearch/_cat/indices?format=json'],
    ['GET', '/elasticsearch/logs-app-default'],
    ['PUT', '/elasticsearch/logs-app-default'],
    ['POST', '/elasticsearch/logs-app-default/_doc'],
    ['GET', '/elasticsearch/_xpack/usage'],
    ['GET', '/_cluster/settings'],
    ['GET', '/_nodes/_local'],
    ['POST', '/logs-app-default/_doc/1?refresh=true'],
    ['PUT', '/logs-app-default/_create/1'],
    ['POST', '/logs-app-default/_search'],
    ['GET', '/elasticsearch/%zz'],
  ])('%s %s is 404 in the form of Elasticsearch', async (method, target) => {
    const answer = await send(service.server, target, { method, headers: { 'X-API-KEY': key } });
    const { error, status } = answer.json();
    expect([answer.status, status, answer.headers['x-elastic-product']]).toEqual([404, 404, 'Elasticsearch']);
    const cause = { type: 'route_not_found', reason: error.message };
    expect(error).toMatchObject({ ...cause, root_cause: [cause], code: 'route_not_found' });
  });

  it.each([
    ['POST', '/elasticsearch', {}, 405, 'method_not_allowed'],
    ['GET', '/elasticsearch/_license', { 'X-API-KEY': 'wrong' }, 401, 'token_invalid'],
    ['GET', '/elasticsearch/_license', { 'X-API-KEY': '' }, 401, 'token_missing'],
    ['GET', '/elasticsearch/_search?api_key=a', {}, 400, 'parameter_invalid'],
  ])('%s %s with %j has the form of Elasticsearch, too', async (method, target, headers, status, type) => {
    const answer = await send(service.server, target, { method, headers: { 'X-API-KEY': key, ...headers } });
    expect([answer.status, answer.json().status, answer.json().error.type]).toEqual([status, status, type]);
    expect(answer.headers['x-elastic-product']).toBe('Elasticsearch');
  });

  it.each(['/elasticsearchs', '/api/_nodes', '/api/endpoints/query/_search', '/nowhere/at/_all'])(
    '%s has the errors of the service',
    async (target) => expect(Object.keys((await get(target)).json())).toEqual(['error'])
  );
});
