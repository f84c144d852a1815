/** `Authorization: Basic` with the access token as the password. */
import { send } from '../../../support/fakes/connection';
import { createTestService, type TestService } from '../../../support/servers/in-memory';

let service: TestService;
let token: string;
beforeEach(() => {
  service = createTestService();
  token = service.createToken({ scopes: ['query', 'ingest'] });
});
afterEach(() => service.close());

const TARGET = '/api/endpoints/query/logs.all?project=p';
const encode = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
const call = (headers: Readonly<Record<string, string>>, target = TARGET) => send(service.server, target, { headers });
const basic = (text: string | Uint8Array) => call({ Authorization: `Basic ${encode(text)}` });

it.each([
  ['any user name', (text: string) => `Basic ${encode(`anyone:${text}`)}`],
  ['no user name', (text: string) => `Basic ${encode(`:${text}`)}`],
  ['a user name beyond ASCII', (text: string) => `Basic ${encode(`jürgen:${text}`)}`],
  ['the scheme in other letters and two blanks', (text: string) => `bASIC  ${encode(`u:${text}`)}`],
  ['a base64 text without padding', (text: string) => `Basic ${encode(`u:${text}`).replace(/=+$/, '')}`],
  ['a line break at the end', (text: string) => `Basic ${encode(`u:${text}\n`)}`],
])('a token is taken with %s', async (_name, write) => {
  expect((await call({ Authorization: write(token) })).status).toBe(200);
});

it.each([
  ['no base64', () => call({ Authorization: 'Basic %%%' }), 'are not base64'],
  ['base64 that is cut', () => call({ Authorization: 'Basic dXNlcjpwYXN' + 'z-' }), 'are not base64'],
  ['no UTF-8', () => basic(Uint8Array.of(0x75, 0x3a, 0xff)), 'are not base64'],
  ['no colon', () => basic(token), 'have no colon'],
  ['an empty password', () => basic(`${token}:`), 'have an empty password'],
  ['a password of blanks', () => basic('user: \n'), 'have an empty password'],
])('%s is refused with what is wrong', async (_name, ask, message) => {
  const answer = await ask();
  const { code, message: said, details } = answer.json().error;
  expect([answer.status, code, details.header]).toEqual([400, 'header_invalid', 'Authorization']);
  expect(said).toContain(message);
  expect(details.hint).toBe('send the base64 of user:token, with any user name');
});

it.each([
  ['another password', () => basic('user:password'), 'token_invalid'],
  ['a token with something added', () => basic(`user:${token}x`), 'token_invalid'],
  ['the token as the user name', () => basic(`${token}:x`), 'token_invalid'],
  ['no credentials', () => call({ Authorization: 'Basic' }), 'token_missing'],
  ['another scheme', () => call({ Authorization: `Digest ${encode(`u:${token}`)}` }), 'token_missing'],
])('%s gets 401', async (_name, ask, code) => {
  const answer = await ask();
  expect([answer.status, answer.json().error.code]).toEqual([401, code]);
});

it('no response makes a browser ask for a password', async () => {
  for (const answer of [await call({}), await basic('u:p'), await call({ Authorization: 'Basic' })])
    expect(answer.headers['www-authenticate']).toBe('ApiKey realm="log-query"');
});

it.each(['Origin', 'Sec-Fetch-Site'])('a browser’s request, with %s, is not signed in by it', async (name) => {
  const answer = await call({ Authorization: `Basic ${encode(`u:${token}`)}`, [name]: 'cross-site' });
  const { code, details } = answer.json().error;
  expect([answer.status, code]).toEqual([401, 'token_missing']);
  expect(details.hint).toContain('which a page cannot use');
});

it('beside X-API-KEY, Basic is left to proxies', async () => {
  for (const credentials of [encode('proxy:password'), 'garbage'])
    expect((await call({ 'X-API-KEY': token, Authorization: `Basic ${credentials}` })).status).toBe(200);
  const other = await call({ 'X-API-KEY': 'wrong', Authorization: `Basic ${encode(`u:${token}`)}` });
  expect(other.json().error.code).toBe('token_invalid');
});

it('wrong passwords count as wrong keys', async () => {
  let last = 401;
  for (let i = 0; i < 200 && last === 401; i += 1) last = (await basic(`u:guess-${i}`)).status;
  expect(last).toBe(429);
  expect((await basic(`u:${token}`)).status).toBe(200);
});

it('neither the token nor its base64 is logged or repeated', async () => {
  const other = service.createToken();
  const texts = [`u:${token}`, `u:${token}x`, token, `${token}:`, `${token}:x`];
  const answers = await Promise.all([
    ...texts.map(basic),
    call({ Authorization: `Basic ${encode(`u:${token}`)}%` }),
    call({ Authorization: `Bearer ${token}`, 'X-API-KEY': other }),
  ]);
  const seen = service.logText() + answers.map(({ headers, text }) => JSON.stringify(headers) + text).join('');
  expect(seen).not.toContain(token.slice(13, 24));
  for (const text of texts) expect(seen).not.toContain(encode(text).slice(0, 24));
});

it('events are stored by it, and rights are those of the token', async () => {
  const headers = { Authorization: `Basic ${encode(`grafana:${token}`)}`, 'Content-Type': 'application/json' };
  const stored = await send(service.server, '/api/logs?source=edge_requests', { method: 'POST', headers, body: '{}' });
  expect(stored.status).toBe(200);
  expect((await call(headers, '/api/endpoints')).json().error.code).toBe('scope_missing');
});
