import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { DataSourceInstanceSettings } from '#backend/proto/messages';
import { CallController } from '#backend/service-client/calls/call-signal';
import { readClientSettings } from '#backend/service-client/client-settings';
import { createDispatcher } from '#backend/service-client/connection/dispatcher';
import { ServiceClient } from '#backend/service-client/service-client';

const source = (
  jsonData: object,
  secure: Record<string, string>,
  url = 'http://localhost'
): DataSourceInstanceSettings => ({
  id: 1,
  name: 'Logs',
  url,
  user: '',
  database: '',
  basicAuthEnabled: false,
  basicAuthUser: '',
  jsonData: Buffer.from(JSON.stringify(jsonData)),
  decryptedSecureJsonData: secure,
  lastUpdatedMs: 1,
  uid: 'source',
});
const headerOf = (name: string, value: string) =>
  [{ httpHeaderName1: name }, { httpHeaderValue1: value }] as [object, Record<string, string>];

/** Headers of a request with these settings. */
async function sentHeaders(jsonData: object, secure: Record<string, string>): Promise<IncomingHttpHeaders> {
  const server = createServer((_req, res) => res.end('{"result":{"scopes":[]}}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const received = once(server, 'request') as Promise<[{ headers: IncomingHttpHeaders }]>;
  try {
    const settings = readClientSettings(source(jsonData, secure, url));
    const client = new ServiceClient(settings, createDispatcher(settings, {}));
    await client.access({ signal: new CallController(), forwarded: {} });
    await client.close();
    return (await received)[0].headers;
  } finally {
    server.close();
  }
}

test.each<[string, [object, Record<string, string>], string, string]>([
  ['the token without the white space around it', [{}, { apiKey: ' lqe_token\n' }], 'x-api-key', 'lqe_token'],
  ['the value of a header without its line break', headerOf('X-Tenant', 'one\r\n'), 'x-tenant', 'one'],
  ['the value of a header as UTF-8', headerOf('X-Tenant', 'Müller €'), 'x-tenant', 'Müller €'],
  ['a tab in the value of a header', headerOf('X-Tenant', 'a\tb'), 'x-tenant', 'a\tb'],
  [
    'the coding that can be read, in place of a configured one',
    headerOf('Accept-Encoding', 'gzip'),
    'accept-encoding',
    'identity',
  ],
])('%s is sent', async (_name, [jsonData, secure], name, value) => {
  const headers = await sentHeaders(jsonData, secure);
  expect(Buffer.from(String(headers[name]), 'latin1').toString()).toBe(value);
});

test.each<[string, [object, Record<string, string>], RegExp]>([
  ['a token with a character that no token has', [{}, { apiKey: 'lqe_token…' }], /access token .* paste it again/],
  ['a token of two lines', [{}, { apiKey: 'lqe\ntoken' }], /access token .* paste it again/],
  ['a header value with a line break inside', headerOf('X-Tenant', 'a\nb'), /Custom header 1 .* not a valid/],
  ['a header value with a control character', headerOf('X-Tenant', 'a\u0001b'), /Custom header 1 .* not a valid/],
  ...['Content-Length', 'expect', 'Keep-Alive', 'Transfer-Encoding', 'Upgrade'].map(
    (name): [string, [object, Record<string, string>], RegExp] => [
      `the header ${name}`,
      headerOf(name, '5'),
      new RegExp(`Custom header 1 of the data source, ${name}, belongs to the connection`),
    ]
  ),
])('%s is refused by name before a request', (_name, [jsonData, secure], message) => {
  expect(() => readClientSettings(source(jsonData, secure))).toThrow(message);
});

test('a secret is hidden without the line break at its end', () => {
  expect(readClientSettings(source({}, { apiKey: 'lqe_token\n' })).secrets).toEqual(['lqe_token']);
});
