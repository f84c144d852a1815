/** Waits of the command line: for a busy server, and for one that does not answer. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPatientClient } from '#server/cli/endpoints/remote/patient-client';

const TOKEN = 'a-token';
let server: Server;
let answers: { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown }[] = [];

beforeAll((done) => {
  server = createServer((_req, res) => {
    const { status, headers, body } = answers.shift() ?? { status: 500, body: null };
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1', done);
});
afterAll(() => server.close());

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const busy = (seconds: number) => ({
  status: 429,
  headers: { 'Retry-After': String(seconds) },
  body: { error: { code: 'rate_limited', message: 'Too many changes in a minute.' } },
});

it('waits as long as a busy server asks for, and says so', async () => {
  const notes: string[] = [];
  const client = createPatientClient({ url: url(), token: TOKEN }, (line) => notes.push(line), {
    unreachableMs: 100,
    busyMs: 5000,
  });
  answers = [busy(1), { status: 200, body: { result: 1 } }];
  expect((await client.send({ method: 'PUT', path: ['a'] })).body).toEqual({ result: 1 });
  expect(notes).toEqual(['Too many changes in a minute. (rate_limited) Waiting 1 s.']);
});

it('gives up when it would wait for longer than it has patience', async () => {
  const client = createPatientClient({ url: url(), token: TOKEN }, () => undefined, {
    unreachableMs: 100,
    busyMs: 5000,
  });
  answers = [busy(6)];
  await expect(client.send({ method: 'GET', path: ['a'] })).rejects.toThrow('Too many changes in a minute.');
});

it('gives up soon on a server that does not answer', async () => {
  const client = createPatientClient({ url: 'http://127.0.0.1:1', token: TOKEN }, () => undefined, {
    unreachableMs: 300,
    busyMs: 60_000,
  });
  await expect(client.send({ method: 'GET', path: ['a'] })).rejects.toThrow('http://127.0.0.1:1 does not answer');
});
