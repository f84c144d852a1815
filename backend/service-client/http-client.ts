/**
 * HTTP requests to the service, with the data source's headers, timeout and retries. Every failure is a PluginError. A
 * request ends at the latest when its signal aborts or the data source's timeout expires, retries included.
 */
import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { isRecord } from '#contract/records';
import type { ClientSettings } from './client-settings';
import { type Deadline, sleepUntil, startDeadline } from './deadline';
import { exchange, type Exchange } from './exchange';
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

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Path and query, after the URL of the data source. */
  readonly path: string;
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  /** Saved query that messages name. */
  readonly endpoint?: string;
  /** Whether the request changes something: it is sent again only when the service has refused to begin with it. */
  readonly isChange?: true;
}

/** Response with status 200 or 201. */
export interface HttpResponse {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

const JSON_TYPE = 'application/json';
/** Delays between attempts, unless the service sends its own. Retrying queries is safe. */
const RETRY_DELAYS_MS = [50, 400];
/** Longer delays are left to the user: the error message states them. */
const MAX_RETRY_WAIT_MS = 2_000;
const MAX_RESPONSE_BYTES = 512 * 1024 * 1024;

export class HttpClient {
  private readonly origin: string;
  /** Path of the data source's URL, without a slash at its end. */
  private readonly basePath: string;

  constructor(
    private readonly settings: ClientSettings,
    private readonly dispatcher: Dispatcher
  ) {
    const { origin } = new URL(settings.url);
    this.origin = origin;
    this.basePath = settings.url.slice(origin.length);
  }

  async send(http: HttpRequest, ctx: CallContext): Promise<HttpResponse> {
    const deadline = startDeadline(ctx.signal, this.settings.timeoutMs);
    try {
      return await this.sendUntil(http, ctx, deadline);
    } finally {
      deadline.release();
    }
  }

  /** @returns the object in the response. @throws PluginError `not_the_service` when the response has none */
  async sendJson(http: Omit<HttpRequest, 'accept'>, ctx: CallContext): Promise<Readonly<Record<string, unknown>>> {
    const { bytes } = await this.send({ ...http, accept: JSON_TYPE }, ctx);
    try {
      const value: unknown = JSON.parse(bytes.toString('utf8'));
      if (isRecord(value)) return value;
    } catch {
      // Reported below.
    }
    throw this.notTheService();
  }

  /** Error of a response that the service does not send. */
  notTheService(): PluginError {
    return new PluginError('not_the_service', `What answers at ${this.host} is not the log query service.`, {
      status: 502,
      hint: 'check the URL of the data source, path included',
    });
  }

  close(): Promise<void> {
    return this.dispatcher.close();
  }

  private get host(): string {
    return new URL(this.settings.url).host;
  }

  private async sendUntil(http: HttpRequest, ctx: CallContext, deadline: Deadline): Promise<HttpResponse> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.sendOnce(http, ctx, deadline);
      } catch (error) {
        const failure = error instanceof PluginError ? error : this.networkFailure(deadline.reason ?? error);
        const waitMs = retryWaitMs(failure, attempt, http.isChange === true);
        if (waitMs === undefined) throw failure;
        await sleepUntil(deadline, waitMs).catch((reason: unknown) => {
          throw (reason as Error).name === 'TimeoutError' ? failure : this.networkFailure(reason);
        });
      }
    }
  }

  private async sendOnce(http: HttpRequest, ctx: CallContext, deadline: Deadline): Promise<HttpResponse> {
    const response = await exchange(
      this.dispatcher,
      {
        origin: this.origin,
        path: `${this.basePath}${http.path}`,
        method: http.method,
        headers: this.requestHeaders(http, ctx),
        body: http.body,
      },
      deadline,
      MAX_RESPONSE_BYTES,
      tooLarge
    );
    const { status, bytes } = response;
    const headers = flatHeaders(response.headers);
    if (status === 200 || status === 201) return { headers, bytes };
    throw serviceFailure({
      status,
      body: bytes.toString('utf8'),
      host: this.host,
      requestId: headers['x-request-id'],
      retryAfter: headers['retry-after'],
      endpoint: http.endpoint,
    });
  }

  private requestHeaders(http: HttpRequest, ctx: CallContext): Record<string, string> {
    const { headers, apiKey } = this.settings;
    return {
      ...headers,
      ...ctx.forwarded,
      ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
      ...(ctx.traceparent ? { traceparent: ctx.traceparent } : {}),
      ...(http.body === undefined ? {} : { 'content-type': JSON_TYPE }),
      'x-request-id': randomUUID(),
      'user-agent': 'log-query-endpoints-grafana',
      accept: http.accept,
      ...http.headers,
    };
  }

  private networkFailure(error: unknown): PluginError {
    return networkFailure(error, this.settings.url, this.settings.timeoutMs);
  }
}

function retryWaitMs(failure: PluginError, attempt: number, isChange: boolean): number | undefined {
  const delayMs = RETRY_DELAYS_MS[attempt];
  if (delayMs === undefined) return undefined;
  if (!isChange && isPassing(failure)) return delayMs;
  if (!RETRIED_CODES.has(failure.code)) return undefined;
  const { retryAfterSeconds } = failure.facts;
  const waitMs = retryAfterSeconds === undefined ? delayMs : retryAfterSeconds * 1000;
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

function tooLarge(): PluginError {
  return new PluginError('result_unreadable', 'The answer of the service is too large to be shown.', { status: 502 });
}

function flatHeaders(raw: Exchange['headers']): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const name in raw) {
    const value = raw[name];
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
