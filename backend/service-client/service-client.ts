/**
 * HTTP client of the service, the only file that knows its URL, paths and headers. Every failure is a PluginError. A
 * call ends at the latest when its signal aborts or the data source's timeout expires.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import type { DescribedColumn, DescribedTable, ValidateResult } from '#contract/description';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { SavedQuery } from '#contract/saved-query';
import type { ClientSettings } from './client-settings';
import { isPassing, networkFailure } from './network-failure';
import { PluginError } from './plugin-error';
import { serviceFailure } from './service-failure';

/** Context shared by the calls of one request of Grafana. */
export interface CallContext {
  readonly signal: AbortSignal;
  /** Login headers of the user, when the data source forwards them. Names in lower case. */
  readonly forwarded: Readonly<Record<string, string>>;
  readonly traceparent?: string;
}

export interface QueryCall {
  /** Id or name of the saved query. */
  readonly endpoint: string;
  readonly params: Readonly<Record<string, string>>;
  readonly adhoc: { readonly language: 'sql' | 'lql'; readonly text: string } | null;
  readonly redact: boolean;
}

export interface QueryAnswer {
  /** An Arrow IPC stream. */
  readonly arrow: Uint8Array;
  readonly truncated: boolean;
  readonly redacted: boolean;
  readonly revision: string | undefined;
  readonly cacheStatus: string | undefined;
  /** Age of the rows in seconds. */
  readonly age: number | undefined;
  readonly ignoredParameters: string | undefined;
  readonly requestId: string | undefined;
}

export interface EndpointDescription {
  readonly endpoint: SavedQuery;
  readonly fields: readonly DescribedColumn[];
  readonly tables: readonly DescribedTable[];
}

export interface ServiceClient {
  query(call: QueryCall, ctx: CallContext): Promise<QueryAnswer>;
  listEndpoints(ctx: CallContext): Promise<readonly EndpointSummary[]>;
  readEndpoint(endpoint: string, ctx: CallContext): Promise<EndpointDescription>;
  validate(call: Omit<QueryCall, 'redact'>, ctx: CallContext): Promise<ValidateResult>;
  /** Returns the version of the service. */
  version(ctx: CallContext): Promise<string>;
  /** Checks that the token may run queries, without running one. @throws PluginError `scope_missing` and others */
  checkMayQuery(ctx: CallContext): Promise<void>;
  close(): Promise<void>;
}

interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly endpoint?: string;
}

interface HttpAnswer {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

const ARROW = 'application/vnd.apache.arrow.stream';
const JSON_TYPE = 'application/json';
const PAGE = 100;
const MAX_PAGES = 50;
/** Delays between attempts, unless the service sends its own. Retrying is safe, because queries change nothing. */
const RETRY_DELAYS_MS = [50, 400];
/** Longer delays are left to the user: the error message states them. */
const MAX_RETRY_WAIT_MS = 2_000;
const MAX_ANSWER_BYTES = 512 * 1024 * 1024;

export function createServiceClient(settings: ClientSettings, dispatcher: Dispatcher): ServiceClient {
  const { url, timeoutMs } = settings;

  async function send(http: HttpRequest, ctx: CallContext): Promise<HttpAnswer> {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(timeoutMs)]);
    for (let attempt = 0; ; attempt++) {
      try {
        return await sendOnce(http, ctx, signal);
      } catch (error) {
        const failure =
          error instanceof PluginError ? error : networkFailure(abortReason(signal) ?? error, url, timeoutMs);
        const waitMs = retryWaitMs(failure, attempt);
        if (waitMs === undefined) throw failure;
        await sleep(waitMs, undefined, { signal }).catch(() => {
          throw abortReason(signal)?.name === 'TimeoutError' ? failure : networkFailure(signal.reason, url, timeoutMs);
        });
      }
    }
  }

  async function sendOnce(http: HttpRequest, ctx: CallContext, signal: AbortSignal): Promise<HttpAnswer> {
    const {
      statusCode,
      headers: raw,
      body,
    } = await request(`${url}${http.path}`, {
      dispatcher,
      method: http.method,
      signal,
      body: http.body,
      headers: requestHeaders(http, ctx),
    });
    const headers = flatHeaders(raw);
    const bytes = await readBytes(body);
    if (statusCode === 200) return { headers, bytes };
    throw serviceFailure({
      status: statusCode,
      body: bytes.toString('utf8'),
      host: new URL(url).host,
      requestId: headers['x-request-id'],
      retryAfter: headers['retry-after'],
      endpoint: http.endpoint,
    });
  }

  function requestHeaders(http: HttpRequest, ctx: CallContext): Record<string, string> {
    return {
      ...settings.headers,
      ...ctx.forwarded,
      ...(settings.apiKey === null ? {} : { 'x-api-key': settings.apiKey }),
      ...(ctx.traceparent ? { traceparent: ctx.traceparent } : {}),
      ...(http.body === undefined ? {} : { 'content-type': JSON_TYPE }),
      'x-request-id': randomUUID(),
      'user-agent': 'log-query-endpoints-grafana',
      accept: http.accept,
      ...http.headers,
    };
  }

  async function getJson(path: string, ctx: CallContext, endpoint?: string): Promise<unknown> {
    const { bytes } = await send({ method: 'GET', path, accept: JSON_TYPE, endpoint }, ctx);
    return parseAnswer(bytes, url);
  }

  return {
    query: async ({ endpoint, params, adhoc, redact }, ctx) => {
      const answer = await send(
        {
          method: 'POST',
          path: `/api/endpoints/query/${pathSegment(endpoint)}`,
          accept: ARROW,
          headers: redact ? { 'svc-endpoint-redact-pii': 'true' } : {},
          body: JSON.stringify({ params, ...(adhoc ? { [adhoc.language]: adhoc.text } : {}) }),
          endpoint,
        },
        ctx
      );
      if (!answer.headers['content-type']?.startsWith(ARROW)) throw notTheService(url);
      return queryAnswer(answer);
    },
    listEndpoints: async (ctx) => {
      const endpoints: EndpointSummary[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < MAX_PAGES; page++) {
        const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const body = (await getJson(`/api/endpoints?limit=${PAGE}${after}`, ctx)) as {
          result?: EndpointSummary[];
          next_cursor?: string | null;
        };
        if (!Array.isArray(body.result)) throw notTheService(url);
        endpoints.push(...body.result);
        cursor = body.next_cursor ?? null;
        if (cursor === null) break;
      }
      return endpoints;
    },
    readEndpoint: async (endpoint, ctx) => {
      const body = await getJson(`/api/endpoints/${pathSegment(endpoint)}`, ctx, endpoint);
      const result = (body as { result?: SavedQuery & EndpointDescription }).result;
      if (!result || !Array.isArray(result.tables)) throw notTheService(url);
      const { fields, tables, ...definition } = result;
      return { endpoint: definition as SavedQuery, fields, tables };
    },
    validate: async ({ endpoint, params, adhoc }, ctx) => {
      if (!adhoc) throw new Error('There is no text to validate.');
      const { bytes } = await send(
        {
          method: 'POST',
          path: '/api/endpoints/validate',
          accept: JSON_TYPE,
          body: JSON.stringify({ endpoint, parameters: params, [adhoc.language]: adhoc.text }),
          endpoint,
        },
        ctx
      );
      return (parseAnswer(bytes, url) as { result: ValidateResult }).result;
    },
    version: async (ctx) => {
      const { info } = (await getJson('/api/openapi.json', ctx)) as { info?: { version?: unknown } };
      if (typeof info?.version !== 'string') throw notTheService(url);
      return info.version;
    },
    checkMayQuery: async (ctx) => {
      try {
        await send({ method: 'GET', path: `/api/endpoints/query/${ABSENT_ENDPOINT}`, accept: JSON_TYPE }, ctx);
      } catch (error) {
        if (!(error instanceof PluginError) || error.code !== 'endpoint_not_found') throw error;
      }
    },
    close: () => dispatcher.close(),
  };
}

/** The service checks scopes before names: a name that cannot exist tests the scope without running a query. */
const ABSENT_ENDPOINT = '0';

/** Segments of dots only would change the route, because HTTP clients resolve them. */
function pathSegment(endpoint: string): string {
  if (/^\.{1,2}$/.test(endpoint))
    throw new PluginError('endpoint_not_found', `The service has no endpoint "${endpoint}".`, { status: 404 });
  return encodeURIComponent(endpoint);
}

function queryAnswer({ headers, bytes }: HttpAnswer): QueryAnswer {
  return {
    arrow: bytes,
    truncated: headers['svc-endpoint-truncated'] === 'true',
    redacted: headers['svc-endpoint-redacted'] === 'true',
    revision: headers['svc-endpoint-revision'],
    cacheStatus: headers['cache-status'],
    age: headers['age'] === undefined ? undefined : Number(headers['age']),
    ignoredParameters: headers['svc-endpoint-ignored-parameters'],
    requestId: headers['x-request-id'],
  };
}

function retryWaitMs(failure: PluginError, attempt: number): number | undefined {
  const delay = RETRY_DELAYS_MS[attempt];
  if (delay === undefined) return undefined;
  if (isPassing(failure)) return delay;
  if (!RETRIED_CODES.has(failure.code)) return undefined;
  const asked = failure.facts.retryAfterSeconds;
  const waitMs = asked === undefined ? delay : asked * 1000;
  return waitMs <= MAX_RETRY_WAIT_MS ? waitMs : undefined;
}

/** Codes with which the service asks for a retry. */
const RETRIED_CODES: ReadonlySet<string> = new Set([
  'rate_limited',
  'concurrency_limited',
  'overloaded',
  'backend_unavailable',
  'draining',
]);

function abortReason(signal: AbortSignal): Error | undefined {
  return signal.aborted && signal.reason instanceof Error ? signal.reason : undefined;
}

async function readBytes(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > MAX_ANSWER_BYTES)
      throw new PluginError('result_unreadable', 'The answer of the service is too large to be shown.', {
        status: 502,
      });
    chunks.push(chunk as Buffer);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

function flatHeaders(raw: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  );
}

function parseAnswer(bytes: Buffer, url: string): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw notTheService(url);
}

function notTheService(url: string): PluginError {
  return new PluginError('not_the_service', `What answers at ${new URL(url).host} is not the log query service.`, {
    status: 502,
    hint: 'check the URL of the data source, path included',
  });
}
