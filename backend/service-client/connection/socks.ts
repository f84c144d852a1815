/**
 * Grafana's secure SOCKS proxy: a SOCKS5 proxy behind TLS with a client certificate. An administrator configures it
 * once, each data source enables it. Address and certificates come from Grafana's environment, or with each call if
 * Grafana sends them.
 */
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SocksClient, SocksClientError } from 'socks';
import { buildConnector } from 'undici';
import type { ClientSettings } from '../client-settings';
import type { Environment } from './environment';
import { reasonOf } from '../failures/network-failure';
import { PluginError } from '../failures/plugin-error';

const PREFIX = 'GF_SECURE_SOCKS_DATASOURCE_PROXY_';
const SOCKS5 = 5;

export interface SocksProxy {
  readonly host: string;
  readonly port: number;
  /** Null: the administrator allows connections without TLS. */
  readonly tls: {
    readonly cert: string;
    readonly key: string;
    readonly ca: string | undefined;
    readonly servername: string | undefined;
  } | null;
}

/** @throws PluginError `settings_invalid` when Grafana has no proxy configured */
export function readSocksProxy(env: Environment): SocksProxy {
  const value = (name: string) => env[`${PREFIX}${name}`] || undefined;
  const address = /^\[?(.+?)\]?:(\d+)$/.exec(value('PROXY_ADDRESS') ?? '');
  if (value('SERVER_ENABLED') !== 'true' || !address)
    throw invalid('The data source is to be asked through the secure SOCKS proxy, but Grafana has none.');
  const [, host = '', port] = address;
  if (value('ALLOW_INSECURE') === 'true') return { host, port: Number(port), tls: null };
  // Newer versions of Grafana pass the certificates, older ones their file names.
  const pem = (name: string, texts: string) => value(texts) ?? readPem(value(name), name);
  const cert = pem('CLIENT_CERT', 'CLIENT_CERT_VAL');
  const key = pem('CLIENT_KEY', 'CLIENT_KEY_VAL');
  if (!cert || !key) throw invalid('The secure SOCKS proxy of Grafana has no client certificate, or no key for it.');
  const ca = pem('ROOT_CA_CERT', 'ROOT_CA_CERT_VALS');
  return { host, port: Number(port), tls: { cert, key, ca, servername: value('SERVER_NAME') } };
}

/** Creates a connector that opens connections through the proxy. */
export function socksConnector(
  proxy: SocksProxy,
  { tls, socksLogin }: Pick<ClientSettings, 'tls' | 'socksLogin'>,
  timeoutMs: number
): buildConnector.connector {
  const overSocket = buildConnector({ ...tls, timeout: timeoutMs });
  return (options, callback) => {
    const destination = { host: options.hostname, port: Number(options.port || defaultPort(options.protocol)) };
    reachService(proxy, destination, socksLogin, timeoutMs).then(
      (httpSocket) => {
        if (options.protocol === 'https:') overSocket({ ...options, httpSocket }, callback);
        else callback(null, httpSocket.setNoDelay(true));
      },
      (error: unknown) => callback(failure(error, proxy), null)
    );
  };
}

async function reachService(
  proxy: SocksProxy,
  destination: { readonly host: string; readonly port: number },
  login: ClientSettings['socksLogin'],
  timeoutMs: number
): Promise<Socket> {
  const existing_socket = await reachProxy(proxy, timeoutMs);
  const { socket } = await SocksClient.createConnection({
    proxy: { host: proxy.host, port: proxy.port, type: SOCKS5, userId: login.user, password: login.password },
    command: 'connect',
    destination,
    timeout: timeoutMs,
    existing_socket,
  });
  return socket;
}

function reachProxy({ host, port, tls }: SocksProxy, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = tls
      ? connectTls({ ...tls, host, port, servername: tls.servername ?? host }, () => resolve(socket))
      : connectTcp({ host, port }, () => resolve(socket));
    socket.once('error', reject);
    socket.setTimeout(timeoutMs, () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once(tls ? 'secureConnect' : 'connect', () => socket.setTimeout(0));
  });
}

function failure(error: unknown, { host, port }: SocksProxy): PluginError {
  const isRefusal = error instanceof SocksClientError;
  const sentence = isRefusal
    ? `The secure SOCKS proxy at ${host}:${port} does not reach the service: ${error.message}.`
    : `The secure SOCKS proxy at ${host}:${port} cannot be reached: ${reasonOf(error)}.`;
  return new PluginError('unreachable', sentence, { status: 502, cause: error });
}

function readPem(file: string | undefined, name: string): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw invalid(`The file of ${PREFIX}${name} cannot be read.`);
  }
}

function defaultPort(protocol: string): number {
  return protocol === 'https:' ? 443 : 80;
}

function invalid(sentence: string): PluginError {
  return new PluginError('settings_invalid', sentence, { status: 400 });
}
