import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, EnvHttpProxyAgent } from 'undici';
import { CallController } from '#backend/service-client/calls/call-signal';
import type { ClientSettings } from '#backend/service-client/client-settings';
import type { Environment } from '#backend/service-client/connection/environment';
import { createDispatcher } from '#backend/service-client/connection/dispatcher';
import { ServiceClient } from '#backend/service-client/service-client';

const SETTINGS = { tls: { rejectUnauthorized: true }, usesSocks: false, apiKey: null };

const proxied = (url: string, env: Environment): boolean => {
  const settings = { ...SETTINGS, url } as ClientSettings;
  const dispatcher = createDispatcher(settings, env);
  if (!(dispatcher instanceof EnvHttpProxyAgent)) expect(dispatcher).toBeInstanceOf(Agent);
  return dispatcher instanceof EnvHttpProxyAgent;
};

test.each([
  ['http://10.1.2.3:8080', 'internal, 10.0.0.0/8', false],
  ['http://11.1.2.3:8080', 'internal, 10.0.0.0/8', true],
  ['http://[fd00::1]:8080', '10.0.0.0/8,fd00::/8', false],
  ['http://[fe00::1]:8080', '10.0.0.0/8,fd00::/8', true],
  ['http://10.0.0.8.example', '10.0.0.0/8', true],
  ['http://10.1.2.3', '10.0.0.0/33,10.0/8,fd00::/129', true],
])('with a proxy, %s and NO_PROXY=%s: through the proxy is %s', (url, noProxy, isProxied) => {
  expect(proxied(url, { HTTP_PROXY: 'http://proxy.invalid', NO_PROXY: noProxy })).toBe(isProxied);
});

test.each<[string, Environment, boolean]>([
  ['http://service.invalid', { HTTP_PROXY: 'proxy.invalid:3128' }, true],
  ['http://service.invalid', { HTTP_PROXY: '10.0.0.1:3128' }, true],
  ['http://service.invalid', { http_proxy: '', HTTP_PROXY: 'http://proxy.invalid' }, true],
  ['http://service.invalid', { HTTPS_PROXY: 'http://proxy.invalid' }, false],
  ['https://service.invalid', { HTTPS_PROXY: 'http://user:password@proxy.invalid' }, true],
  ['https://service.invalid', { HTTP_PROXY: 'http://proxy.invalid' }, false],
])('%s with %j: through the proxy is %s', (url, env, isProxied) => {
  expect(proxied(url, env)).toBe(isProxied);
});

test.each(['ftp://proxy.invalid', 'http://', 'a b'])('the proxy %j is an error of the settings', (proxy) => {
  expect(() => proxied('http://service.invalid', { HTTP_PROXY: proxy })).toThrow(
    expect.objectContaining({ code: 'settings_invalid', message: expect.stringContaining('HTTP_PROXY') })
  );
});

test('a proxy that refuses to connect to a service with TLS is named as the cause', async () => {
  const proxy = createServer().on('connect', (_req, socket) => socket.end('HTTP/1.1 403 No\r\n\r\n'));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const settings = { ...SETTINGS, url: 'https://service.invalid', headers: {}, timeoutMs: 10_000 } as ClientSettings;
  const client = new ServiceClient(settings, createDispatcher(settings, { HTTPS_PROXY: `127.0.0.1:${port}` }));
  const failure: unknown = await client
    .access({ signal: new CallController(), forwarded: {} })
    .catch((error: unknown) => error);
  await client.close();
  proxy.close();
  expect(failure).toMatchObject({
    code: 'unreachable',
    message: 'The proxy does not connect to the service at service.invalid (status 403).',
  });
});
