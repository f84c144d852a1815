/**
 * TLS, client certificates and the secure SOCKS proxy, over real sockets; each failure has a sentence of its own in
 * "Save & test".
 */
import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AUTHORITY, certificate, certificateFile } from '../support/certificates';
import { type PluginHost, type SourceSettings, startPlugin } from '../support/plugin-host';
import { startSocksProxy } from '../support/socks-proxy';
import { startStub } from '../support/stub-service';

let host: PluginHost;
let uid = 0;

beforeAll(async () => {
  host = await startPlugin();
});

afterAll(() => host.stop());

/** As much of the service as "Save & test" asks for. */
const service: RequestListener = (req, res) => {
  const send = (status: number, body: object) =>
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (req.url === '/api/openapi.json') return send(200, { info: { version: '0.1.0' } });
  if (req.url?.startsWith('/api/endpoints?')) return send(200, { result: [{ name: 'logs.all' }], next_cursor: null });
  return send(404, { error: { code: 'endpoint_not_found', message: 'No.', details: {} } });
};

const CONNECTED = 'Connected to the log query service 0.1.0. 1 endpoint: logs.all.';

async function withTls<T>(options: ServerOptions, ask: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(options, service).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await ask(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function health(source: SourceSettings, plugin = host): Promise<string> {
  const { message } = await plugin.health({
    uid: `tls${uid++}`,
    ...source,
    secure: { apiKey: 'k-e-y', ...source.secure },
  });
  return message;
}

const OWN_CA = { jsonData: { tlsAuthWithCACert: true }, secure: { tlsCACert: AUTHORITY } };
const CLIENT = { tlsClientCert: certificate('client').cert, tlsClientKey: certificate('client').key };

describe('the certificate of the service', () => {
  test.each<[string, ServerOptions, Partial<SourceSettings>, RegExp | string]>([
    ['of an own authority that the data source has', certificate('server'), OWN_CA, CONNECTED],
    [
      'of an authority that it does not have',
      certificate('server'),
      {},
      /No secure connection .* comes from an authority that is not known here\./,
    ],
    ['that has signed itself', certificate('self'), {}, /No secure connection .* its certificate is self-signed\./],
    [
      'that has signed itself and is put in as the authority',
      certificate('self'),
      { ...OWN_CA, secure: { tlsCACert: certificate('self').cert } },
      CONNECTED,
    ],
    [
      'that has signed itself, and is not checked',
      certificate('self'),
      { jsonData: { tlsSkipVerify: true } },
      CONNECTED,
    ],
    ['that has expired', certificate('expired'), OWN_CA, /No secure connection .* its certificate has expired\./],
    [
      'for another host name',
      certificate('other'),
      OWN_CA,
      /No secure connection .* its certificate is for another host name\./,
    ],
    [
      'for another host name that the settings expect',
      certificate('other'),
      { ...OWN_CA, jsonData: { ...OWN_CA.jsonData, serverName: 'elsewhere.example.org' } },
      CONNECTED,
    ],
  ])('%s is accepted, or refused with the reason', async (_name, options, settings, message) => {
    expect(await withTls(options, (url) => health({ url, ...settings }))).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message)
    );
  });
});

describe('a service that requires a client certificate', () => {
  const asking = { ...certificate('server'), ca: AUTHORITY, requestCert: true, rejectUnauthorized: true };

  test.each<[string, Partial<SourceSettings>, RegExp | string]>([
    [
      'lets in who has one',
      { jsonData: { ...OWN_CA.jsonData, tlsAuth: true }, secure: { ...OWN_CA.secure, ...CLIENT } },
      CONNECTED,
    ],
    ['refuses who has none', OWN_CA, /Hint: it may ask for a client certificate, or for another one\./],
    [
      'refuses one of an authority that it does not know',
      {
        jsonData: { ...OWN_CA.jsonData, tlsAuth: true },
        secure: { ...OWN_CA.secure, tlsClientCert: certificate('self').cert, tlsClientKey: certificate('self').key },
      },
      /Hint: it may ask for a client certificate, or for another one\./,
    ],
  ])('%s', async (_name, settings, message) => {
    expect(await withTls(asking, (url) => health({ url, ...settings }))).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message)
    );
  });
});

test.each<[string, object, Record<string, string>, RegExp]>([
  [
    'no authority',
    { tlsAuthWithCACert: true },
    {},
    /An own certificate authority is chosen, but its certificate is missing/,
  ],
  [
    'an authority that is no certificate',
    { tlsAuthWithCACert: true },
    { tlsCACert: 'secret text' },
    /The CA certificate .* cannot be read/,
  ],
  [
    'a certificate without its key',
    { tlsAuth: true },
    { tlsClientCert: CLIENT.tlsClientCert },
    /client certificate or its key is missing/,
  ],
  [
    'a text that is not a key',
    { tlsAuth: true },
    { ...CLIENT, tlsClientKey: 'secret text' },
    /The private key .* cannot be read/,
  ],
  [
    'the key of another certificate',
    { tlsAuth: true },
    { ...CLIENT, tlsClientKey: certificate('self').key },
    /The private key .* is not that of its client certificate/,
  ],
])('settings with %s are refused before any request', async (_name, jsonData, secure, message) => {
  const outcome = await health({ url: 'https://127.0.0.1:1', jsonData, secure });
  expect(outcome).toMatch(message);
  expect(outcome).not.toContain('secret text');
});

test('the error for a plain URL of a TLS service says what may be wrong', async () => {
  const outcome = await withTls(certificate('server'), (url) => health({ url: url.replace('https:', 'http:') }));
  expect(outcome).toMatch(/cannot be reached: .*\. Hint: the URL may have to begin with https:\/\/\./);
});

describe('the secure SOCKS proxy', () => {
  const environment = (address: string) => ({
    GF_SECURE_SOCKS_DATASOURCE_PROXY_SERVER_ENABLED: 'true',
    GF_SECURE_SOCKS_DATASOURCE_PROXY_PROXY_ADDRESS: address,
    GF_SECURE_SOCKS_DATASOURCE_PROXY_SERVER_NAME: 'localhost',
    GF_SECURE_SOCKS_DATASOURCE_PROXY_CLIENT_CERT: certificateFile('client'),
    GF_SECURE_SOCKS_DATASOURCE_PROXY_CLIENT_KEY: certificateFile('client-key'),
    GF_SECURE_SOCKS_DATASOURCE_PROXY_ROOT_CA_CERT: certificateFile('ca'),
  });
  const viaSocks = { jsonData: { enableSecureSocksProxy: true } };

  test('carries calls of plain and TLS services, for data sources that enable it', async () => {
    const [proxy, stub] = await Promise.all([startSocksProxy(), startStub(service)]);
    const plugin = await startPlugin(environment(proxy.address));
    expect(
      await health(
        { ...viaSocks, url: stub.url, uid: 'through', secure: { secureSocksProxyPassword: 'of-it' } },
        plugin
      )
    ).toBe(CONNECTED);
    expect(new Set(proxy.asked)).toEqual(new Set([`through:of-it > ${new URL(stub.url).host}`]));
    const secure = { ...OWN_CA, jsonData: { ...OWN_CA.jsonData, ...viaSocks.jsonData } };
    expect(await withTls(certificate('server'), (url) => health({ url, ...secure }, plugin))).toBe(CONNECTED);
    const before = proxy.asked.length;
    expect(await health({ url: stub.url }, plugin)).toBe(CONNECTED);
    expect(proxy.asked).toHaveLength(before);
    await Promise.all([plugin.stop(), proxy.close(), stub.close()]);
  });

  test('may be configured in each request of Grafana, and used without TLS where that is allowed', async () => {
    const [proxy, stub] = await Promise.all([startSocksProxy({ isPlain: true }), startStub(service)]);
    const grafanaConfig = {
      GF_SECURE_SOCKS_DATASOURCE_PROXY_SERVER_ENABLED: 'true',
      GF_SECURE_SOCKS_DATASOURCE_PROXY_PROXY_ADDRESS: proxy.address,
      GF_SECURE_SOCKS_DATASOURCE_PROXY_ALLOW_INSECURE: 'true',
    };
    expect(await health({ ...viaSocks, url: stub.url, grafanaConfig })).toBe(CONNECTED);
    expect(proxy.asked.length).toBeGreaterThan(0);
    await Promise.all([proxy.close(), stub.close()]);
  });

  test('that refuses, does not answer or is not configured has an error of its own', async () => {
    const [proxy, stub] = await Promise.all([startSocksProxy({ isPlain: true, refuses: true }), startStub(service)]);
    const config = (address: string) => ({
      ...environment(address),
      GF_SECURE_SOCKS_DATASOURCE_PROXY_ALLOW_INSECURE: 'true',
    });
    expect(await health({ ...viaSocks, url: stub.url, grafanaConfig: config(proxy.address) })).toMatch(
      /^The secure SOCKS proxy at 127\.0\.0\.1:\d+ does not reach the service: /
    );
    await proxy.close();
    expect(await health({ ...viaSocks, url: stub.url, grafanaConfig: config(proxy.address) })).toMatch(
      /^The secure SOCKS proxy at 127\.0\.0\.1:\d+ cannot be reached: nothing listens there\.$/
    );
    expect(await health({ ...viaSocks, url: stub.url })).toBe(
      'The data source is to be asked through the secure SOCKS proxy, but Grafana has none.'
    );
    expect(stub.requests).toEqual([]);
    await stub.close();
  });
});
