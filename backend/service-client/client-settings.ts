/**
 * Reads and checks the settings of a data source: everything that the client needs to call the service, secrets
 * included.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { type PluginOptions, pluginOptionsSchema } from '#contract/plugin/options';
import { isRecord } from '#contract/records';
import type { DataSourceInstanceSettings } from '../proto/messages';
import { PluginError } from './failures/plugin-error';

export interface ClientSettings {
  /** URL without a trailing slash. */
  readonly url: string;
  readonly apiKey: string | null;
  /** Headers sent with every request: custom headers and basic authentication. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: {
    readonly rejectUnauthorized: boolean;
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
  };
  /** Whether to connect through Grafana's secure SOCKS proxy. */
  readonly usesSocks: boolean;
  readonly socksLogin: { readonly user: string; readonly password: string };
  readonly timeoutMs: number;
  readonly forwardsLogin: boolean;
  readonly keptCookies: readonly string[];
  readonly options: PluginOptions;
  /** Secrets, which must never appear in a message or a log line. */
  readonly secrets: readonly string[];
}

const DEFAULT_TIMEOUT_SECONDS = 30;
export const MAX_TIMEOUT_SECONDS = 600;

/** Keys that Grafana's own forms write; unset values are empty texts. */
const grafanaKeysSchema = z.looseObject({
  timeout: z.union([z.number(), z.string()]).nullish(),
  tlsSkipVerify: z.boolean().nullish(),
  tlsAuth: z.boolean().nullish(),
  tlsAuthWithCACert: z.boolean().nullish(),
  serverName: z.string().nullish(),
  oauthPassThru: z.boolean().nullish(),
  keepCookies: z.array(z.string()).nullish(),
  enableSecureSocksProxy: z.boolean().nullish(),
  secureSocksProxyUsername: z.string().nullish(),
});
type GrafanaKeys = z.infer<typeof grafanaKeysSchema>;

/** @throws PluginError `settings_invalid` */
export function readClientSettings(source: DataSourceInstanceSettings): ClientSettings {
  const json = parseJsonData(source.jsonData);
  const secure = source.decryptedSecureJsonData;
  const keys = read(grafanaKeysSchema, json);
  return {
    url: readUrl(source.url),
    apiKey: readToken(secure['apiKey']),
    headers: { ...customHeaders(json, secure), ...basicAuth(source, secure) },
    tls: readTls(keys, secure),
    usesSocks: keys.enableSecureSocksProxy ?? false,
    // Same defaults as in Grafana's own clients.
    socksLogin: {
      user: keys.secureSocksProxyUsername || source.uid,
      password: secure['secureSocksProxyPassword'] ?? '',
    },
    timeoutMs: readTimeout(keys.timeout),
    forwardsLogin: keys.oauthPassThru ?? false,
    keptCookies: keys.keepCookies ?? [],
    options: read(pluginOptionsSchema, json),
    secrets: Object.values(secure)
      .map((secret) => secret.trim())
      .filter((secret) => secret.length >= 4),
  };
}

function parseJsonData(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isRecord(value)) return value;
  } catch {
    // Reported below.
  }
  throw invalid('The settings of the data source are not a JSON object.');
}

function read<T>(schema: z.ZodType<T>, json: Record<string, unknown>): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw invalid(`The setting "${where}" of the data source has a value that cannot be used.`);
}

function readUrl(text: string): string {
  if (text.trim() === '')
    throw invalid('The data source has no URL; set that of the service, for example http://localhost:8080.');
  const url = URL.parse(text.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw invalid('The URL of the data source is not valid; it must begin with http:// or https://.');
  if (url.username || url.password)
    throw invalid('The URL of the data source must not hold a user or password; use basic authentication.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Tokens from files and pasted ones may end with a line break. */
function readToken(text = ''): string | null {
  const token = text.trim();
  if (!/^[ -~]*$/.test(token))
    throw invalid('The access token of the data source has characters that no token has; paste it again.');
  return token || null;
}

function readTimeout(value: GrafanaKeys['timeout']): number {
  const seconds = value === '' || value === null || value === undefined ? DEFAULT_TIMEOUT_SECONDS : Number(value);
  if (!Number.isFinite(seconds) || seconds <= 0 || seconds > MAX_TIMEOUT_SECONDS)
    throw invalid(`The timeout of the data source must be from 1 to ${MAX_TIMEOUT_SECONDS} seconds.`);
  return seconds * 1000;
}

function readTls(keys: GrafanaKeys, secure: Readonly<Record<string, string>>): ClientSettings['tls'] {
  const tls: { -readonly [K in keyof ClientSettings['tls']]: ClientSettings['tls'][K] } = {
    rejectUnauthorized: !keys.tlsSkipVerify,
  };
  if (keys.tlsAuthWithCACert) {
    if (!secure['tlsCACert'])
      throw invalid('An own certificate authority is chosen, but its certificate is missing in the settings.');
    readCertificate(secure['tlsCACert'], 'CA certificate');
    tls.ca = secure['tlsCACert'];
  }
  if (keys.tlsAuth) {
    if (!secure['tlsClientCert'] || !secure['tlsClientKey'])
      throw invalid('TLS client authentication is on, but the client certificate or its key is missing.');
    const certificate = readCertificate(secure['tlsClientCert'], 'client certificate');
    if (!certificate.checkPrivateKey(readKey(secure['tlsClientKey'])))
      throw invalid('The private key of the data source is not that of its client certificate.');
    tls.cert = secure['tlsClientCert'];
    tls.key = secure['tlsClientKey'];
  }
  if (keys.serverName) tls.servername = keys.serverName;
  return tls;
}

function readCertificate(pem: string, name: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw invalid(`The ${name} of the data source cannot be read; it begins with -----BEGIN CERTIFICATE-----.`);
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw invalid('The private key of the data source cannot be read; it must be in PEM form, without a password.');
  }
}

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL_CHARACTER = /[\0-\x08\x0a-\x1f\x7f]/;
/** Headers that the HTTP client writes itself, and refuses from others. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** Reads custom headers: settings number the names from 1, and each value is a secret with the same number. */
function customHeaders(
  json: Record<string, unknown>,
  secure: Readonly<Record<string, string>>
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [key, name] of Object.entries(json)) {
    const number = /^httpHeaderName(\d+)$/.exec(key)?.[1];
    if (number === undefined || typeof name !== 'string' || name === '') continue;
    const value = (secure[`httpHeaderValue${number}`] ?? '').trim();
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || CONTROL_CHARACTER.test(value))
      throw invalid(`Custom header ${number} of the data source is not a valid HTTP header.`);
    if (CONNECTION_HEADERS.has(name.toLowerCase()))
      throw invalid(`Custom header ${number} of the data source, ${name}, belongs to the connection; remove it.`);
    // As UTF-8, like Go does.
    headers[name.toLowerCase()] = Buffer.from(value).toString('latin1');
  }
  return headers;
}

function basicAuth(
  source: DataSourceInstanceSettings,
  secure: Readonly<Record<string, string>>
): Record<string, string> {
  if (!source.basicAuthEnabled) return {};
  const pair = `${source.basicAuthUser}:${secure['basicAuthPassword'] ?? ''}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function invalid(sentence: string): PluginError {
  return new PluginError('settings_invalid', sentence, { status: 400 });
}
