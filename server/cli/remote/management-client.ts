/**
 * HTTP client of the commands that manage a running server (`lqe token`, `lqe endpoints`).
 *
 *     const client = createManagementClient({ url: 'https://host/prefix', token }, { onWait: console.error });
 *     const { body, headers } = await client.send({ method: 'GET', path: ['api', 'tokens'], query: { limit: '100' } });
 *
 * `path` is a list of segments, which are escaped; it is added to the path of the base URL. A request that the server
 * refuses for the moment (429, 503) is repeated after `Retry-After`, and `onWait` gets a line for standard error first.
 * A request without an answer is repeated for some seconds, and only when that cannot make a second change: GET, and
 * any request with the header `Idempotency-Key`, `If-Match` or `If-None-Match`. Every failure is a `ManagementError`,
 * whose message is for the operator.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { connectionFault } from './connection-fault';
import { ensureToken, parseServerUrl } from './server-target';
import { withDeadline } from './with-deadline';
import { toError } from '../../common/caught-error';

export interface ManagementTarget {
  /** Base URL of the server; may have a path. */
  readonly url: string;
  /** Access token, sent as `X-API-KEY`. */
  readonly token: string;
}

export interface ManagementRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Segments, not escaped. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON; undefined: no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request, and the wait before it is repeated. */
  readonly signal?: AbortSignal;
}

export interface ManagementAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; null for an empty body. */
  readonly body: unknown;
}

export interface ManagementClient {
  /** @throws ManagementError; the reason of the signal */
  send(request: ManagementRequest): Promise<ManagementAnswer>;
}

export interface ManagementClientOptions {
  /** How long a request is repeated before it fails. @default 180_000 */
  readonly patienceMs?: number;
  /** The same for a server that does not answer. @default 5000 */
  readonly silencePatienceMs?: number;
  /** Time for one answer. @default 30_000 */
  readonly timeoutMs?: number;
  /** Called before each wait. @default nothing */
  readonly onWait?: (line: string) => void;
}

interface Refusal {
  /** HTTP status; null: there was no answer. */
  readonly status: number | null;
  /** Code of contract/errors.ts; null: the answer is not one of this service. */
  readonly code: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The server refused the request, or did not answer. The message says which, with the hint and the code. */
export class ManagementError extends Error implements Refusal {
  override readonly name = 'ManagementError';
  readonly status: number | null;
  readonly code: string | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, refusal: Partial<Refusal> = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.status = refusal.status ?? null;
    this.code = refusal.code ?? null;
    this.details = refusal.details ?? {};
  }
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
/** A `Retry-After` of zero must not become requests without a pause. */
const SHORTEST_WAIT_MS = 100;
/** Headers with which a repeated request makes no second change. */
const ONCE_ONLY: readonly string[] = ['idempotency-key', 'if-match', 'if-none-match'];
/** Statuses after which a request may succeed. */
const BUSY_STATUSES: readonly number[] = [429, 503];

export function createManagementClient(
  target: ManagementTarget,
  options: ManagementClientOptions = {}
): ManagementClient {
  const { patienceMs = 180_000, silencePatienceMs = 5000, timeoutMs = 30_000, onWait = () => undefined } = options;
  const base = baseUrl(target);

  async function send(request: ManagementRequest): Promise<ManagementAnswer> {
    const startedAt = Date.now();
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await tryOnce(urlOf(base, request), target.token, request, timeoutMs);
      if (!(outcome instanceof ManagementError)) return outcome;
      request.signal?.throwIfAborted();
      const waitMs = waitBefore(outcome, request, attempt);
      const giveUpAt = startedAt + (outcome.status === null ? silencePatienceMs : patienceMs);
      if (waitMs === null || Date.now() + waitMs > giveUpAt) throw outcome;
      const seconds = (waitMs / 1000).toFixed(1);
      onWait(`${outcome.message} Trying again in ${seconds} s.`);
      await sleep(waitMs, undefined, { signal: request.signal });
    }
  }

  return { send };
}

/** @returns null: repeating the request is useless or unsafe */
function waitBefore({ status, details }: ManagementError, request: ManagementRequest, attempt: number): number | null {
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
  if (status === null) return isRepeatable(request) ? backoffMs : null;
  if (!BUSY_STATUSES.includes(status)) return null;
  const seconds = details['retry_after_seconds'];
  return typeof seconds === 'number' ? Math.max(seconds * 1000, SHORTEST_WAIT_MS) : backoffMs;
}

function isRepeatable({ method, headers = {} }: ManagementRequest): boolean {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return method === 'GET' || names.some((name) => ONCE_ONLY.includes(name));
}

/** @returns an error that may pass instead of throwing it */
async function tryOnce(
  url: URL,
  token: string,
  { method, headers, body, signal }: ManagementRequest,
  timeoutMs: number
): Promise<ManagementAnswer | ManagementError> {
  const init: RequestInit = {
    method,
    headers: {
      'X-API-KEY': token,
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    // A redirect would send the token to another place.
    redirect: 'manual',
  };
  if (body !== undefined) init.body = JSON.stringify(body);
  let response: Response;
  let text: string;
  try {
    [response, text] = await withDeadline(timeoutMs, signal, async (ends) => {
      const answer = await fetch(url, { ...init, signal: ends });
      return [answer, await answer.text()];
    });
  } catch (cause) {
    return new ManagementError(`${url.origin} does not answer (${connectionFault(cause)}).`, {}, { cause });
  }
  if (!response.ok) return refusalOf(response, text, url);
  const parsed = parseJson(text);
  if (parsed === undefined) return notOfThisService(url, response.status);
  return { status: response.status, headers: response.headers, body: parsed };
}

const refusalSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).default({}),
  }),
});

function refusalOf(response: Response, text: string, url: URL): ManagementError {
  const parsed = refusalSchema.safeParse(parseJson(text));
  const { status } = response;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const wait = Number.isFinite(retryAfter) && retryAfter >= 0 ? { retry_after_seconds: retryAfter } : {};
  if (!parsed.success) return notOfThisService(url, status, wait);
  const { code, message, details } = withPathHint(parsed.data.error, url);
  return new ManagementError(formatRefusal(code, message, details), { status, code, details: { ...wait, ...details } });
}

type RefusalBody = z.infer<typeof refusalSchema>['error'];

/** Routes of commands are routes of every server, so a path before them in its base URL is wrong. */
function withPathHint(error: RefusalBody, { pathname }: URL): RefusalBody {
  if (error.code !== 'route_not_found') return error;
  return {
    ...error,
    details: { hint: `check the path of the server's URL: it was asked for ${pathname}`, ...error.details },
  };
}

/** The message of the server with its hint, its problems and its code, on lines of their own. */
function formatRefusal(code: string, message: string, details: Readonly<Record<string, unknown>>): string {
  const problems = Array.isArray(details['problems']) ? details['problems'].map(formatProblem) : [];
  const hint = typeof details['hint'] === 'string' ? [`  hint: ${details['hint']}`] : [];
  return [`${message} (${code})`, ...problems, ...hint].join('\n');
}

const problemSchema = z.object({ path: z.array(z.union([z.string(), z.number()])), reason: z.string() });

function formatProblem(problem: unknown): string {
  const parsed = problemSchema.safeParse(problem);
  if (!parsed.success) return '';
  const { path, reason } = parsed.data;
  return path.length === 0 ? `  ${reason}` : `  ${path.join('.')}: ${reason}`;
}

function notOfThisService(url: URL, status: number, details: Readonly<Record<string, unknown>> = {}): ManagementError {
  return new ManagementError(
    `${url.origin}${url.pathname} does not answer like this service (HTTP status ${status}). Check the URL.`,
    { status, details }
  );
}

/** @returns undefined for text that is no JSON */
function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws ManagementError when no request can be made of them */
function baseUrl({ url, token }: ManagementTarget): URL {
  try {
    ensureToken(token);
    return parseServerUrl(url);
  } catch (cause) {
    throw new ManagementError(toError(cause).message, {}, { cause });
  }
}

function urlOf(base: URL, { path, query = {} }: ManagementRequest): URL {
  const url = new URL(path.map(escapeSegment).join('/'), base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** Segments of dots would be taken for steps in the path. */
function escapeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..')
    throw new ManagementError(`"${segment}" is neither an id nor a name.`);
  return encodeURIComponent(segment);
}
