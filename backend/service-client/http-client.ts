/**
 * HTTP requests to the service, with the data source's headers, timeout and retries. Every failure is a PluginError. A
 * request ends at the latest when its signal aborts or the data source's timeout expires, retries included.
 */
import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { isRecord } from '#contract/records';
import type { CallSignal } from './calls/call-signal';
import type { ClientSettings } from './client-settings';
import { type Deadline, sleepUntil, startDeadline } from './calls/deadline';
import { exchange, type Exchange } from './exchange';
import { isPassing, networkFailure } from './failures/network-failure';
import { PluginError } from './failures/plugin-error';
import { serviceFailure } from './failures/service-failure';

/** Context shared by the calls of one request of Grafana. */
export interface CallContext {
  readonly signal: CallSignal;
  /** Login headers of the user, when the data source forwards them. Names in lower case. */
  readonly forwarded: Readonly<Record<string, string>>;
  readonly traceparent?: string;
  /** Whether the calls run before those of panels that wait: alert rules have a time at which they are due. */
  readonly isUrgent?: boolean;
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
  /** @param name in lower case */
  readonly header: (name: string) => string | undefined;
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
      for (let attempt = 0; ; attempt++) {
        try {
          return this.check(http, await this.exchange(http, ctx, deadline));
        } catch (error) {
          const failure = error instanceof PluginError ? error : this.networkFailure(deadline.reason ?? error);
          await this.waitForRetry(failure, attempt, http, deadline);
        }
      }
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

  private exchange(http: HttpRequest, ctx: CallContext, deadline: Deadline): Promise<Exchange> {
    const request = {
      origin: this.origin,
      path: `${this.basePath}${http.path}`,
      method: http.method,
      headers: this.requestHeaders(http, ctx),
      body: http.body,
    };
    return exchange(this.dispatcher, request, deadline, MAX_RESPONSE_BYTES, tooLarge);
  }

  /** @throws PluginError for a response that reports a failure */
  private check(http: HttpRequest, { status, headers, bytes }: Exchange): HttpResponse {
    const header = (name: string): string | undefined => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    if (status === 200 || status === 201) return { header, bytes };
    throw serviceFailure({
      status,
      body: bytes.toString('utf8'),
      host: this.host,
      requestId: header('x-request-id'),
      retryAfter: header('retry-after'),
      location: header('location'),
      endpoint: http.endpoint,
    });
  }

  /** @throws the failure when the request is not sent again */
  private async waitForRetry(
    failure: PluginError,
    attempt: number,
    http: HttpRequest,
    deadline: Deadline
  ): Promise<void> {
    const waitMs = retryWaitMs(failure, attempt, http.isChange === true);
    if (waitMs === undefined) throw failure;
    await sleepUntil(deadline, waitMs).catch((reason: unknown) => {
      throw (reason as Error).name === 'TimeoutError' ? failure : this.networkFailure(reason);
    });
  }

  private requestHeaders(http: HttpRequest, { forwarded, traceparent }: CallContext): Record<string, string> {
    const { headers, apiKey } = this.settings;
    const sent: Record<string, string> = { ...headers };
    Object.assign(sent, forwarded);
    if (apiKey !== null) sent['x-api-key'] = apiKey;
    if (traceparent) sent['traceparent'] = traceparent;
    if (http.body !== undefined) sent['content-type'] = JSON_TYPE;
    sent['x-request-id'] = randomUUID();
    sent['user-agent'] = 'log-query-endpoints-grafana';
    sent['accept'] = http.accept;
    // Responses are not decoded.
    sent['accept-encoding'] = 'identity';
    return http.headers ? Object.assign(sent, http.headers) : sent;
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
