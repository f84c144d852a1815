/** A token in a place where it does not belong is neither repeated nor logged. */
import { send } from '../../../support/fakes/connection';
import { createTestService, type TestService } from '../../../support/servers/in-memory';

let service: TestService;
let token: string;
/** Token of another caller: it must not be seen anywhere. */
let leaked: string;
beforeEach(() => {
  service = createTestService();
  token = service.createToken();
  leaked = service.createToken();
});
afterEach(() => service.close());

const escape = (text: string): string =>
  [...text].map((char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`).join('');
const mixed = (text: string): string =>
  [...text].map((char, at) => (at % 3 === 0 ? `%${char.charCodeAt(0).toString(16)}` : char)).join('');
const twice = (text: string): string => escape(text).replaceAll('%', '%25');

const LOGS = '/api/endpoints/query/logs.all';
const CLOSED = '/api/endpoints/query/closed';

async function call(target: string, headers: Readonly<Record<string, string>> = {}, body?: unknown): Promise<string> {
  const answer = await send(service.server, target, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-API-KEY': token, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return JSON.stringify(answer.headers) + answer.text;
}

/** Without the seam of its parts, so that an escaped echo is found as well. */
function expectNothingOf(secret: string, text: string): void {
  let plain = text;
  for (let round = 0; round < 4; round += 1)
    plain = plain.replace(/%([0-9a-f]{2})/gi, (_all, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  expect(plain.toLowerCase()).not.toContain(secret.slice(13, 24).toLowerCase());
}

describe.each([
  ['as it is', (text: string) => text],
  ['in percent escapes', escape],
  ['in some percent escapes', mixed],
  ['in percent escapes of percent escapes', twice],
  ['in capital letters', (text: string) => text.toUpperCase()],
])('a token %s', (_form, write) => {
  it.each([
    ['the name of a parameter', (text: string) => `${LOGS}?project=p&${text}=1`],
    ['the name of a parameter of a query that refuses unknown ones', (text: string) => `${CLOSED}?${text}=1`],
    ['the value of a parameter', (text: string) => `${LOGS}?project=${text}`],
    ['the value of a parameter with a type', (text: string) => `${CLOSED}?count=${text}`],
    ['ad-hoc text', (text: string) => `${LOGS}?project=p&sql=select+${text}`],
    ['the path', (text: string) => `/api/endpoints/query/${text}`],
    ['an unknown path', (text: string) => `/nowhere/${text}/x`],
    ['the source', (text: string) => `/api/logs?source=${text}`],
  ])('in %s is refused and not repeated in the response', async (_where, target) => {
    const answer = await call(target(write(leaked)));
    expect(answer).toContain('key_in_url');
    expectNothingOf(leaked, answer + service.logText());
  });
});

it('a token in names and values of a body is not repeated in the response', async () => {
  const answers = [
    await call(LOGS, {}, { project: 'p', [leaked]: 1 }),
    await call(LOGS, {}, { project: 'p', [`${'x'.repeat(30)}${leaked}`]: 1 }),
    await call(CLOSED, {}, { [leaked]: 1 }),
    await call(CLOSED, {}, { [`${'x'.repeat(30)}${leaked}`]: 1 }),
    await call(CLOSED, {}, { [escape(leaked)]: 1, count: leaked }),
    await call(LOGS, {}, { params: { project: 'p' }, [leaked]: 1 }),
    await call(LOGS, { Accept: 'application/problem+json' }, { params: { project: 'p' }, [leaked]: 1 }),
  ];
  expectNothingOf(leaked, answers.join('\n') + service.logText());
  expect(answers[0]).toContain('svc-endpoint-ignored-parameters');
});

it('a token in X-Request-Id, with or without more text, is replaced by a new id', async () => {
  for (const id of [leaked, `a-${leaked}.b`, leaked.toUpperCase(), leaked.slice(0, -7), 'bootstrap-token-for-tests']) {
    const answer = await call(`${LOGS}?project=p`, { 'X-Request-Id': id });
    expect(answer).toMatch(/"x-request-id":"[0-9a-f-]{36}"/);
    expect(answer).not.toContain(id);
    expect(service.logText()).not.toContain(id);
  }
  expectNothingOf(leaked, service.logText());
});

it('a token in headers that others log is not logged', async () => {
  await call(`${LOGS}?project=p`, {
    'User-Agent': leaked,
    Referer: `http://t/?k=${leaked}`,
    traceparent: `00-${leaked}`,
  });
  expectNothingOf(leaked, service.logText());
});

it('a token in the message of an unexpected failure is not logged', async () => {
  service.engine.answers.run = () => {
    throw new TypeError(`cannot read ${leaked} of ${escape(leaked)}`);
  };
  expect(await call(`${LOGS}?project=p`)).toContain('"code":"internal"');
  expect(service.logText()).toContain('lqe_[hidden]');
  expectNothingOf(leaked, service.logText());
});
