/** Requests in the forms of log drains and webhooks become entries like all others. */
import { gzipSync } from 'node:zlib';
import { type Clock, systemClock } from '#server/common/clock';
import { SENDER_FORMAT_NAMES } from '#contract/routes/sender-formats';
import { FORMAT_SOURCES, readEntries, senderCases } from '../../../support/cases/http/formats';
import { send } from '../../../support/fakes/connection';
import { createTestService, type TestService } from '../../../support/servers/in-memory';

const JULY_MS = Date.UTC(2026, 6);
const JULY: Clock = { ...systemClock, now: () => new Date(JULY_MS), nowMicros: () => JULY_MS * 1000 };

let service: TestService;
let key: string;
beforeAll(() => {
  // Times of the older form of syslog have no year: they get the one that is nearest to the clock.
  service = createTestService({ sources: FORMAT_SOURCES, clock: JULY });
  key = service.createToken();
});
beforeEach(() => {
  service.engine.asked.length = 0;
  service.engine.answers.ingest = (_request, { body }) => {
    const accepted = Buffer.from(body!).toString('utf8').split('\n').filter(Boolean).length;
    return { accepted, duplicates: 0, rejected: 0, errors: [] };
  };
});
afterAll(() => service.close());

const post = (target: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(service.server, target, {
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json', ...headers },
    body,
  });
const bodies = () => service.engine.asked.map(({ options }) => Buffer.from(options.body!));

describe.each(['/api/logs', '/logs', '/api/events'])('%s', (path) => {
  it.each(senderCases())('$name', async ({ format, type, headers, body, entries, raw, refused }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await post(`${path}/${format}?source=edge_requests`, text, { 'Content-Type': type, ...headers });
    expect(answer.status).toBe(200);
    const { result, message } = answer.json();
    const count = raw === undefined ? entries.length : 1;
    expect([result.accepted, result.rejected, message]).toEqual([count, Object.keys(refused).length, 'Logged!']);
    expect(result.errors.map(({ index, code }: { index: number; code: string }) => [String(index), code])).toEqual(
      Object.entries(refused)
    );
    if (raw === undefined) expect(readEntries(Buffer.concat(bodies()))).toEqual(entries);
    else expect(bodies().map(String)).toEqual([raw]);
  });
});

it('the place of an error in a line is counted from 1, as everywhere', async () => {
  const answer = await post('/api/logs/json?source=edge_requests', '{"a":1}\n{bad\n');
  expect(answer.json().result.errors).toEqual([
    { index: 1, code: 'bad_json', message: expect.stringMatching(/ at byte 2 of the line$/) },
  ]);
});

it('a line of a byte order mark only is refused, and a line after it that is too long is counted', async () => {
  const lines = ['{"a":1}', '\ufeff', '{"b":2}', `{"x":"${'x'.repeat(1_048_576)}"}`, '\ufeff{"c":3}', ''];
  const answer = await post('/api/logs/json?source=edge_requests', lines.join('\n'));
  const { accepted, errors } = answer.json().result;
  expect([accepted, errors.map(({ index, code }: { index: number; code: string }) => [index, code])]).toEqual([
    3,
    [
      [1, 'bad_json'],
      [3, 'too_large'],
    ],
  ]);
});

it('every form has a case', () => {
  expect(new Set(senderCases().map(({ format }) => format))).toEqual(new Set(SENDER_FORMAT_NAMES));
});

it.each([
  ['an unknown form', '/api/logs/vercels?source=edge_requests', '{}', {}, 404, 'route_not_found', /vercel/],
  ['a name of every object', '/api/logs/__proto__?source=edge_requests', '{}', {}, 404, 'route_not_found', /vercel/],
  ['no source', '/api/logs/vercel', '[{"source":"edge_requests"}]', {}, 400, 'parameter_missing', /source/],
  ['a form of a page', '/api/logs/github?source=edge_requests', 'payload=%7B%7D', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415, 'media_type_unsupported', /application\/json/], // prettier-ignore
  ['no JSON', '/api/logs/vercel?source=edge_requests', 'no', {}, 400, 'body_invalid', /JSON/],
  [
    'an array that does not end',
    '/api/logs/vercel?source=edge_requests',
    '[{"id":"1"},',
    {},
    400,
    'body_invalid',
    /"column":13/,
  ],
  ['nothing', '/api/logs/vercel?source=edge_requests', '', {}, 400, 'body_invalid', /empty/],
  ['bytes that are not UTF-8 outside of a text', '/api/logs/vercel?source=edge_requests', Uint8Array.of(0x7b, 0xff, 0x7d), {}, 400, 'body_invalid', /"column":2/], // prettier-ignore
  ['an array without any object', '/api/logs/json?source=edge_requests', '[1,2]', {}, 400, 'body_invalid', /event 0: not_an_object/], // prettier-ignore
  ['an object deeper than anything', '/api/logs/github?source=edge_requests', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, {}, 400, 'body_invalid', /too_deep/], // prettier-ignore
  ['an object of too many values', '/api/logs/json?source=edge_requests', `{"a":[${'1,'.repeat(20_000)}1]}`, {}, 400, 'body_invalid', /too_many_values/], // prettier-ignore
  ['an object that is too long', '/api/logs/json?source=edge_requests', `{"a":"${'a'.repeat(1_048_576)}"}`, {}, 400, 'body_invalid', /too_large/], // prettier-ignore
] as const)('%s is refused', async (_name, target, body, headers, status, code, text) => {
  const answer = await post(target, body, headers);
  expect([answer.status, answer.json().error.code]).toEqual([status, code]);
  expect(answer.text).toMatch(text);
  expect(service.engine.asked).toEqual([]);
});

it('more events than allowed are refused with their number, however small', async () => {
  const answer = await post(
    '/api/logs/vercel?source=edge_requests',
    gzipSync(`[${'{},'.repeat(150_000)}{}]`),
    { 'Content-Encoding': 'gzip' } // prettier-ignore
  );
  expect([answer.status, answer.json().error.details.events]).toEqual([413, 150_001]);
  expect(service.engine.asked).toEqual([]);
});

it('a body that inflates too far is refused', async () => {
  const answer = await post('/logs/json?source=edge_requests', gzipSync(Buffer.alloc(80_000_000, 0x20)), {
    'Content-Encoding': 'gzip',
  });
  expect([answer.status, answer.json().error.code]).toEqual([413, 'body_too_large']);
});

it('objects that are too long are refused among others, each by its index', async () => {
  const long = `{"a":"${'a'.repeat(1_048_576)}"}`;
  const answer = await post('/api/logs/json?source=edge_requests', `[${long},{"b":1},${long},${long},{"c":1},${long}]`);
  const { accepted, errors } = answer.json().result;
  expect([accepted, errors.map(({ index }: { index: number }) => index)]).toEqual([2, [0, 2, 3, 5]]);
});

it('a token of a tenant confines every form, also where a body or a header names another', async () => {
  const headers = { 'X-API-KEY': service.createToken({ tenant: 'acme' }), 'ce-project': 'victim' };
  for (const format of SENDER_FORMAT_NAMES) {
    await post(`/api/logs/${format}?source=edge_requests`, '{"project":"victim"}', headers);
    expect(service.engine.asked.at(-1)!.request).toMatchObject({ tenant: { confinedTo: 'acme', given: null } });
    const other = await post(`/logs/${format}?source=edge_requests&project=victim`, '{}', headers);
    expect(other.json().error.code).toBe('parameter_locked');
  }
});

it('a frame of Logplex that comes again is the same request, an equal one with another id is not', async () => {
  const bases: unknown[] = [];
  for (const id of ['frame-1', 'frame-1', 'frame-2', '', 'fr\u00e4me'])
    await post('/api/logs/logplex?source=edge_requests', '<13>1 - - - - - - a', {
      'Content-Type': 'application/logplex-1',
      ...(id === '' ? {} : { 'Logplex-Frame-Id': id }),
    });
  for (const { request } of service.engine.asked) bases.push((request as { identity: { base: string } }).identity.base);
  expect(bases[1]).toBe(bases[0]);
  expect(new Set(bases).size).toBe(4);
});

it('syslog that is not UTF-8 is stored with U+FFFD', async () => {
  const body = Buffer.concat([Buffer.from('<13>a\n'), Buffer.of(0xff, 0x0a), Buffer.from('<13>b')]);
  const { result } = (await post('/api/logs/syslogs?source=edge_requests', body)).json();
  expect([result.accepted, result.errors]).toEqual([3, []]);
  const many = await post('/api/logs/syslogs?source=edge_requests', gzipSync('a\n'.repeat(100_001)), {
    'Content-Encoding': 'gzip',
  });
  expect(many.status).toBe(413);
});

it('a header with a token is no part of an event', async () => {
  await post('/api/logs/cloud-event?source=edge_requests', '{}', { Authorization: `Bearer ${key}` });
  expect(Buffer.concat(bodies()).toString()).not.toContain(key);
});
