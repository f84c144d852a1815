/** Converts connection errors to PluginErrors that name the setting to check. */
import { isRecord } from '#contract/records';
import { PluginError } from './plugin-error';

const TLS_SENTENCES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority that is not known here',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it asks for a client certificate, and the data source has none',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it does not know the authority of the client certificate',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'it refuses the client certificate',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'it refuses the client certificate, which has expired',
  ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR: 'it refuses the client certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on this port; the URL may have to begin with http://',
  EPROTO: 'the TLS handshake failed',
};

const NETWORK_SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up at the moment',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  HPE_INVALID_CONSTANT: 'what answers there does not speak HTTP; the URL may have to begin with https://',
};

const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Errors that may be transient. Retrying is safe, because queries change nothing. */
const PASSING = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNREFUSED']);

/** @param url provides the host for the message */
export function networkFailure(error: unknown, url: string, timeoutMs: number): PluginError {
  const { host } = new URL(url);
  if (error instanceof Error && error.name === 'TimeoutError')
    return new PluginError('timeout', `The service at ${host} did not answer within ${timeoutMs / 1000} s.`, {
      status: 504,
      hint: 'a shorter time range, or a longer timeout in the settings of the data source',
      cause: error,
    });
  const refusal = proxyRefusal(error, host);
  if (refusal) return refusal;
  if (error instanceof Error && error.name === 'AbortError')
    return new PluginError('cancelled', 'The query was cancelled.', { status: 499, cause: error });
  const code = errorCode(error);
  const tls =
    TLS_SENTENCES[code] ??
    (/^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_)/.test(code) ? 'the TLS handshake failed' : undefined);
  if (tls)
    return new PluginError('tls', `No secure connection to the service at ${host}: ${tls}.`, {
      status: 502,
      cause: error,
    });
  return new PluginError('unreachable', `The service at ${host} cannot be reached: ${reasonOf(error)}.`, {
    status: 502,
    hint: CLOSED.has(code) ? closedHint(url) : undefined,
    cause: error,
  });
}

/** Refusal of a proxy to connect to the service, which the HTTP client reports as an abort or a wrong argument. */
function proxyRefusal(error: unknown, host: string): PluginError | undefined {
  if (!(error instanceof Error)) return undefined;
  const status = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(error.message)?.[1];
  if (status === undefined) return undefined;
  const sentence =
    status === '407'
      ? 'The proxy asks for a login (status 407).'
      : `The proxy does not connect to the service at ${host} (status ${status}).`;
  const hint =
    "the proxy is that of HTTP_PROXY or HTTPS_PROXY in Grafana's environment; NO_PROXY names hosts without it";
  return new PluginError('unreachable', sentence, { status: 502, hint, cause: error });
}

/** Servers that expect another protocol often close the connection without a response. */
function closedHint(url: string): string {
  return url.startsWith('https:')
    ? 'it may ask for a client certificate, or for another one'
    : 'the URL may have to begin with https://';
}

/** Cause of a connection error, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error);
  return NETWORK_SENTENCES[code] ?? TLS_SENTENCES[code] ?? `the connection failed${code ? ` (${code})` : ''}`;
}

export function isPassing(error: PluginError): boolean {
  return error.code === 'unreachable' && PASSING.has(errorCode(error.facts.cause));
}

/** Node wraps the cause when it has tried several addresses. */
function errorCode(error: unknown): string {
  if (!isRecord(error)) return '';
  const { code, errors, cause } = error;
  if (typeof code === 'string' && code !== '')
    return /^ERR_SSL_.*WRONG_VERSION_NUMBER$/.test(code) ? 'ERR_SSL_WRONG_VERSION_NUMBER' : code;
  if (Array.isArray(errors)) return errorCode(errors[0]);
  return errorCode(cause);
}
