/** Events sent to Splunk's HTTP Event Collector. */
import { gzipSync } from 'node:zlib';
import { collectorCases } from '../../../support/cases/http/collector';
import { send } from '../../../support/fakes/connection';
import { failure } from '../../../support/fakes/engine';
import { createFormatService, type FormatService } from '../../../support/servers/format-service';

let service: FormatService;
let authorization: string;

beforeAll(() => {
  service = createFormatService();
  authorization = `Splunk ${service.key}`;
});
beforeEach(() => service.storeAll());
afterAll(() => service.close());

const post = (target: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(service.server, target, { method: 'POST', headers: { Authorization: authorization, ...headers }, body });

const EVENTS = '/services/collector/event?source=edge_requests';
const ONE = '{"event":"a"}';

it.each(collectorCases())('$name', async ({ path, body, entries, answer: expected, refused }) => {
  const answer = await post(path, body);
  const { text, code, error, ...others } = answer.json();
  expect([answer.status, code, others['invalid-event-number'] ?? null]).toEqual(expected);
  expect(text).toMatch(/^[A-Z]/);
  expect(service.stored()).toEqual(entries);
  if (answer.status === 200) expect(error).toBeUndefined();
  for (const reason of refused) expect(error.message).toContain(`: ${reason}: `);
});

it.each([
  ['gzip', { 'Content-Encoding': 'gzip' }],
  ['a channel', { 'X-Splunk-Request-Channel': 'fe0ecfad-13d5-401b-847d-77833bd77131' }],
  ['any media type', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['a password', { Authorization: 'Basic' }],
])('an event is stored with %s', async (_name, headers) => {
  const basic = `Basic ${Buffer.from(`x:${service.key}`).toString('base64')}`;
  const given = 'Authorization' in headers ? { Authorization: basic } : headers;
  const answer = await post(EVENTS, 'Content-Encoding' in headers ? gzipSync(ONE) : ONE, given);
  expect([answer.status, answer.json()]).toEqual([200, { text: 'Success', code: 0 }]);
});

it.each([
  ['no token', EVENTS, { Authorization: '' }, 401, 2, 'token_missing'],
  ['a wrong token', EVENTS, { Authorization: 'Splunk wrong' }, 401, 4, 'token_invalid'],
  ['a coding that is not known', EVENTS, { 'Content-Encoding': 'snappy' }, 415, 6, 'media_type_unsupported'],
  ['acknowledgments', '/services/collector/ack', {}, 400, 14, 'body_invalid'],
  ['a path that there is not', '/services/collector/not-there', {}, 404, 404, 'route_not_found'],
  ['another method', '/services/collector/health', {}, 405, 404, 'method_not_allowed'],
] as const)('%s is answered with its number', async (_name, target, headers, status, code, ours) => {
  const answer = await post(target, ONE, headers);
  expect([answer.status, answer.json().code, answer.json().error.code]).toEqual([status, code, ours]);
});

it.each([
  ['backend_unavailable', 503, 9],
  ['concurrency_limited', 503, 9],
  ['rate_limited', 503, 9],
  ['body_too_slow', 503, 9],
  ['internal', 500, 8],
] as const)('an event is to be sent again after %s', async (code, status, number) => {
  service.engine.answers.ingest = failure(code);
  const answer = await post(EVENTS, ONE);
  expect([answer.status, answer.json().code, answer.json().error.code]).toEqual([status, number, code]);
});

it('events that are too long or too deep are refused, and the others are stored, also one that is not UTF-8', async () => {
  const broken = Buffer.from('{"event":"\xff"}', 'latin1');
  const long = `{"event":"${'x'.repeat(1_100_000)}","more":{"a":"}{"}}`;
  const deep = `{"event":${'['.repeat(500)}${']'.repeat(500)}}`;
  const answer = await post(EVENTS, Buffer.concat([broken, Buffer.from(`${long}${ONE}${deep}${ONE}`)]));
  const { error } = answer.json();
  expect([error.details.accepted, error.details.rejected]).toEqual([3, 2]);
  for (const code of ['event 1: too_large', 'event 3: too_deep']) expect(error.message).toContain(code);
});

it.each([
  ['events', EVENTS, ONE],
  ['lines', '/services/collector/raw?source=edge_requests', 'a\n'],
])('too many %s are refused, with their number', async (_name, target, one) => {
  const answer = await post(target, one.repeat(100_001));
  expect([answer.status, answer.json().error.details]).toMatchObject([413, { max_events: 100_000, events: 100_001 }]);
  expect(service.stored()).toEqual({});
});

it('an event of a tenant names it to the store, also where its index names another', async () => {
  const tenant = service.createToken({ scopes: ['ingest'], tenant: 'acme' });
  const body = '{"event":"a","index":"edge_requests","host":"victim","fields":{"project":"victim"}}';
  await post('/services/collector', body, { Authorization: `Splunk ${tenant}` });
  expect(service.engine.asked[0]!.request).toMatchObject({ tenant: { confinedTo: 'acme', given: null } });
  const other = await post(`${EVENTS}&project=victim`, ONE, { Authorization: `Splunk ${tenant}` });
  expect([other.status, other.json().error.code]).toEqual([403, 'parameter_locked']);
});

it('a token in the address is refused with its number', async () => {
  for (const target of [`${EVENTS}&token=${service.key}`, `/services/collector/raw?token=${service.key}`]) {
    const answer = await post(target, ONE);
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 16, error: { code: 'parameter_invalid' } }]);
    expect(answer.text).not.toContain(service.key);
  }
});

it('paths beside those of the collector have the errors of the service', async () => {
  for (const target of ['/services/collectors', '/services', '/x/services/collector'])
    expect(Object.keys((await post(target, ONE)).json())).toEqual(['error']);
});

it('the health of the collector can be read without a token', async () => {
  for (const target of ['/services/collector/health', '/services/collector/health/1.0']) {
    const answer = await send(service.server, target);
    expect([answer.status, answer.json()]).toEqual([200, { text: 'HEC is healthy', code: 17 }]);
  }
});
