import { Agent, EnvHttpProxyAgent } from 'undici';
import type { ClientSettings } from '#backend/service-client/client-settings';
import { createDispatcher } from '#backend/service-client/connection/dispatcher';

const proxied = (url: string, noProxy: string): boolean => {
  const settings = { url, tls: { rejectUnauthorized: true }, usesSocks: false } as ClientSettings;
  const dispatcher = createDispatcher(settings, { HTTP_PROXY: 'http://proxy.invalid', NO_PROXY: noProxy });
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
  expect(proxied(url, noProxy)).toBe(isProxied);
});
