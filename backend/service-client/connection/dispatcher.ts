/** Connection pool of one data source, with keep-alive and the proxy named in the environment. */
import { BlockList, isIP } from 'node:net';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { ClientSettings } from '../client-settings';
import { PluginError } from '../failures/plugin-error';
import type { Environment } from './environment';
import { readSocksProxy, socksConnector } from './socks';

const CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 10_000;
/** Below the 65 s after which the service closes an idle connection. */
const KEEP_ALIVE_MS = 50_000;

const PROXY_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/** @throws PluginError `settings_invalid` for a proxy that is not valid, or a SOCKS proxy that is not configured */
export function createDispatcher(settings: ClientSettings, env: Environment): Dispatcher {
  const { url, tls } = settings;
  const options = {
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: { ...tls, timeout: CONNECT_TIMEOUT_MS },
    // The signal of a call sets its deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (settings.usesSocks)
    return new Agent({ ...options, connect: socksConnector(readSocksProxy(env), settings, CONNECT_TIMEOUT_MS) });
  const isHttps = url.startsWith('https:');
  const proxy = isHttps ? env['https_proxy'] || env['HTTPS_PROXY'] : env['http_proxy'] || env['HTTP_PROXY'];
  const noProxy = env['no_proxy'] || env['NO_PROXY'] || '';
  if (!proxy || isLoopback(url) || isInRange(url, noProxy)) return new Agent(options);
  const uri = proxyUrl(proxy);
  // Proxies forward plain HTTP requests and tunnel TLS; few allow tunnels to plain HTTP.
  const proxied = { requestTls: tls, proxyTunnel: isHttps, httpProxy: uri, httpsProxy: uri, noProxy };
  return new EnvHttpProxyAgent({ ...options, ...proxied });
}

/**
 * An address without a protocol is one of HTTP, as for Grafana's own client.
 *
 * @throws PluginError `settings_invalid`
 */
function proxyUrl(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url && PROXY_PROTOCOLS.has(url.protocol)) return url.href;
  throw new PluginError(
    'settings_invalid',
    "The proxy in Grafana's environment, HTTP_PROXY or HTTPS_PROXY, is not a valid address; write http://host:port.",
    { status: 400 }
  );
}

/** Grafana's own client connects to these without a proxy too. */
function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}

/** Whether the URL has an address in one of the ranges (`10.0.0.0/8`), which the HTTP client does not know. */
function isInRange(url: string, noProxy: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family === 0) return false;
  const ranges = new BlockList();
  for (const [, address = '', bits] of noProxy.matchAll(/([\da-f.:]+)\/(\d+)/gi)) {
    const isV6 = isIP(address) === 6;
    if (isIP(address) !== 0 && Number(bits) <= (isV6 ? 128 : 32))
      ranges.addSubnet(address, Number(bits), isV6 ? 'ipv6' : 'ipv4');
  }
  return ranges.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
