/** The HTTP client of the commands that manage a server, against a real HTTP server that answers as each test says. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createManagementClient, ManagementError, type ManagementRequest } from '#server/cli/remote/management-client';

type Answer = (req: IncomingMessage, res: ServerResponse, body: string) => void;

let server: Server;
let url: string;
let answers: Answer[];
let seen: { line: string; headers: IncomingMessage['headers']; body: string }[];
let waits: string[];

beforeEach(async () => {
  [answers, seen, waits] = [[], [], []];
  server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push({ line: `${req.method} ${req.url}`, headers: req.headers, body });
      const answer = answers.shift() ?? json(200, { result: 'fine' });
      answer(req, res, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_req, res) =>
    void res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (code: string, details = {}): unknown => ({ error: { code, message: `It is ${code}.`, details } });
const cut: Answer = (req) => req.socket.destroy();

const send = (request: Partial<ManagementRequest>, base = url): ReturnType<typeof open> => open(request, base);

async function open(request: Partial<ManagementRequest>, base: string): Promise<{ body: unknown; status: number }> {
  const client = createManagementClient(
    { url: base, token: 'secret-token' },
    { patienceMs: 1000, silencePatienceMs: 1000, timeoutMs: 2000, onWait: (line) => waits.push(line) }
  );
  const { body, status } = await client.send({ method: 'GET', path: ['api', 'tokens'], ...request });
  return { body, status };
}

it.each([
  ['', '/api/tokens'],
  ['/', '/api/tokens'],
  ['/logs/prefix', '/logs/prefix/api/tokens'],
  ['/logs/prefix/', '/logs/prefix/api/tokens'],
])('a base URL that ends with %j keeps its path', async (end, path) => {
  expect(await send({}, url + end)).toEqual({ body: { result: 'fine' }, status: 200 });
  expect(seen[0]).toMatchObject({ line: `GET ${path}`, headers: { 'x-api-key': 'secret-token' }, body: '' });
});

it('segments, query and body are sent as they are meant', async () => {
  await send({ method: 'PATCH', path: ['api', 'a/b?c#d ü'], query: { cursor: 'a&b=c' }, body: { name: 'x' } });
  expect(seen[0]).toMatchObject({
    line: 'PATCH /api/a%2Fb%3Fc%23d%20%C3%BC?cursor=a%26b%3Dc',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"x"}',
  });
});

it.each(['', '.', '..'])('the segment %j is refused: it would lead to another route', async (segment) => {
  await expect(send({ path: ['api', 'tokens', segment] })).rejects.toThrow('neither an id nor a name');
  expect(seen).toEqual([]);
});

it('an empty answer is null', async () => {
  answers = [(_req, res) => void res.writeHead(204).end()];
  expect(await send({ method: 'DELETE' })).toEqual({ body: null, status: 204 });
});

it.each([429, 503])(
  'a request that is refused with %i is sent again after Retry-After, with a note',
  async (status) => {
    answers = [json(status, refusal('overloaded'), { 'Retry-After': '0' })];
    expect((await send({ method: 'POST', body: {} })).status).toBe(200);
    expect([seen.length, waits]).toEqual([2, ['It is overloaded. (overloaded) Trying again in 0.1 s.']]);
  }
);

it('a Retry-After of zero is no request after the other without a pause', async () => {
  answers = Array<Answer>(100).fill(json(503, refusal('overloaded'), { 'Retry-After': '0' }));
  await expect(send({})).rejects.toMatchObject({ code: 'overloaded' });
  // The patience is a second, the shortest wait a tenth of it.
  expect(seen.length).toBeLessThanOrEqual(11);
});

it('a wait that is longer than the patience ends the command at once', async () => {
  answers = [json(429, refusal('rate_limited', { retry_after_seconds: 60 }))];
  await expect(send({})).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
  expect([seen.length, waits]).toEqual([1, []]);
});

it.each([
  ['GET', {}, 2],
  ['POST', {}, 1],
  ['POST', { 'Idempotency-Key': 'a' }, 2],
  ['PUT', { 'If-Match': '"1"' }, 2],
  ['PUT', { 'If-None-Match': '*' }, 2],
  ['PATCH', {}, 1],
  ['DELETE', {}, 1],
] as const)('%s with %j whose answer is lost is sent %i times', async (method, headers, times) => {
  answers = [cut];
  await send({ method, headers }).catch((error: unknown) => expect(error).toBeInstanceOf(ManagementError));
  expect(seen).toHaveLength(times);
});

it('a route that is not there has the path of the base URL as its hint', async () => {
  answers = [json(404, refusal('route_not_found'))];
  await expect(send({}, `${url}/console`)).rejects.toThrow(
    "It is route_not_found. (route_not_found)\n  hint: check the path of the server's URL: it was asked for /console/api/tokens"
  );
});

it('a refusal has the message, the problems, the hint and the code', async () => {
  const problems = [{ path: ['scopes', 0], reason: 'is no scope' }];
  answers = [json(400, refusal('body_invalid', { problems, hint: 'Look at the list.', request_id: 'r' }))];
  await expect(send({})).rejects.toMatchObject({
    message: 'It is body_invalid. (body_invalid)\n  scopes.0: is no scope\n  hint: Look at the list.',
    code: 'body_invalid',
    status: 400,
    details: { request_id: 'r' },
  });
});

it.each([
  ['a page of a proxy', (_req: IncomingMessage, res: ServerResponse) => void res.writeHead(404).end('<html>')],
  ['a page in place of JSON', (_req: IncomingMessage, res: ServerResponse) => void res.writeHead(200).end('<html>')],
  [
    'a redirect, which would send the token to another place',
    (_req: IncomingMessage, res: ServerResponse) =>
      void res.writeHead(302, { Location: 'http://other.example/' }).end(),
  ],
])('%s is no answer of this service', async (_what, answer) => {
  answers = [answer];
  await expect(send({})).rejects.toThrow('does not answer like this service');
});

it.each(['nowhere', 'ftp://host', 'http://user:pass@host', 'http://host/?a=b', 'http://host/#a'])(
  'the base URL %s is refused',
  async (base) => {
    await expect(send({}, base)).rejects.toBeInstanceOf(ManagementError);
  }
);

it.each(['secret-token\n', 'secret token', 'secret-t\u00f6ken'])('the token %j is refused at once', (token) => {
  expect(() => createManagementClient({ url, token })).toThrow('The access token has blanks');
});

it('no message has the token', async () => {
  answers = [cut];
  const error: unknown = await send({ method: 'POST' }).catch((thrown: unknown) => thrown);
  expect(String(error)).not.toContain('secret-token');
});

it('a signal ends a request that has no answer, and closes its connection', async () => {
  const stop = new AbortController();
  const closed = new Promise<void>((resolve) => answers.push((req) => void req.socket.once('close', () => resolve())));
  const sent = send({ signal: stop.signal });
  while (seen.length === 0) await setImmediate();
  stop.abort(new Error('canceled'));
  await expect(sent).rejects.toThrow('canceled');
  await closed;
});

it('a signal ends the wait before a request is repeated', async () => {
  const stop = new AbortController();
  answers.push(json(503, refusal('overloaded'), { 'Retry-After': '0.9' }));
  const sent = send({ signal: stop.signal });
  while (waits.length === 0) await setImmediate();
  stop.abort();
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  expect(seen).toHaveLength(1);
});

it('a server that never answers fails the request in time, whatever is collected as garbage meanwhile', async () => {
  answers = [() => undefined];
  const client = createManagementClient({ url, token: 'secret-token' }, { silencePatienceMs: 0, timeoutMs: 500 });
  const sent = client.send({ method: 'GET', path: ['api', 'tokens'] });
  void sent.catch(() => undefined);
  while (seen.length === 0) await setImmediate();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Other tests of this process have a global `gc` of their own.
  setFlagsFromString('--no-expose-gc');
  collect();
  await expect(sent).rejects.toThrow('does not answer (timeout)');
});
