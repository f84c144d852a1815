/**
 * Sends batches to `POST /api/logs` and retries temporary failures: a server that is starting, busy or briefly
 * unavailable. A retry is harmless: events that are stored already are recognized by their ids.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { connectionFault } from '../remote/connection-fault';
import { ensureToken, parseServerUrl } from '../remote/server-target';
import { toError } from '../../common/caught-error';
import { ImportError } from './import-error';

export interface IngestTarget {
  /** Base URL of the server. */
  readonly url: string;
  readonly token: string;
  readonly source: string;
  /** Tenant of all events. @default the tenant in each event */
  readonly project?: string | undefined;
}

export interface IngestClientOptions {
  /** How long a batch is retried before the import fails. @default 60_000 */
  readonly patienceMs?: number;
  /** Ends a wait between two tries; a request that was sent is never aborted. */
  readonly signal?: AbortSignal;
  /** Called before each wait. */
  readonly onWait?: (reason: string, waitMs: number) => void;
}

const answerSchema = z.object({
  result: z.object({
    accepted: z.int(),
    duplicates: z.int().default(0),
    rejected: z.int(),
    errors: z.array(z.object({ index: z.int(), code: z.string(), message: z.string().default('') })).default([]),
  }),
});

const refusalSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.object({ hint: z.string().optional() }).default({}),
  }),
});

export type IngestAnswer = z.infer<typeof answerSchema>['result'];

export interface IngestClient {
  /**
   * @returns the outcome of the events, or `too_large` when the server takes no body of this size.
   * @throws ImportError when the server refuses the batch as a whole, or is unavailable too long.
   */
  send(body: Uint8Array): Promise<IngestAnswer | 'too_large'>;
}

/** Status codes after which the same request may succeed. */
const PASSING_STATUSES = new Set([429, 502, 503, 504]);
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;

/** @throws ImportError when no request can be made of the target */
export function createIngestClient(target: IngestTarget, options: IngestClientOptions = {}): IngestClient {
  const { patienceMs = 60_000, signal, onWait = () => undefined } = options;
  const url = urlOf(target);
  url.searchParams.set('source', target.source);
  if (target.project !== undefined) url.searchParams.set('project', target.project);
  const headers = { 'X-API-KEY': target.token, 'Content-Type': 'application/x-ndjson' };

  async function send(body: Uint8Array): Promise<IngestAnswer | 'too_large'> {
    const giveUpAt = Date.now() + patienceMs;
    for (let attempt = 0; ; attempt++) {
      const outcome = await tryOnce(url, headers, body);
      if (outcome.kind === 'answer') return outcome.answer;
      if (outcome.kind === 'too_large') return 'too_large';
      const waitMs = outcome.retryAfterMs ?? backoff(attempt);
      if (Date.now() + waitMs > giveUpAt) throw new ImportError(`gave up: ${outcome.reason}`, { cause: outcome.cause });
      onWait(outcome.reason, waitMs);
      await sleep(waitMs, undefined, { signal });
    }
  }

  return { send };
}

function urlOf({ url, token }: IngestTarget): URL {
  try {
    ensureToken(token);
    return new URL('api/logs', parseServerUrl(url));
  } catch (cause) {
    throw new ImportError(toError(cause).message, { cause });
  }
}

type Outcome =
  | { readonly kind: 'answer'; readonly answer: IngestAnswer }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'wait'; readonly reason: string; readonly retryAfterMs?: number; readonly cause?: unknown };

async function tryOnce(url: URL, headers: Record<string, string>, body: Uint8Array): Promise<Outcome> {
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    // A redirect would send the token to another place.
    response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    text = await response.text();
  } catch (cause) {
    return { kind: 'wait', reason: `no answer from ${url.origin} (${connectionFault(cause)})`, cause };
  }
  if (response.status === 413) return { kind: 'too_large' };
  if (PASSING_STATUSES.has(response.status)) {
    return { kind: 'wait', reason: refusal(response.status, text), retryAfterMs: retryAfterMs(response) };
  }
  if (response.status >= 300 && response.status < 400)
    throw new ImportError(
      `${url.origin} leads to another address (HTTP status ${response.status}), which does not get the token. Give that address with --url.`
    );
  if (!response.ok) throw new ImportError(refusalWithHint(response.status, text));
  const answer = answerSchema.safeParse(parsed(text));
  if (!answer.success) throw new ImportError(`${url.origin} does not answer like a log query endpoint server`);
  return { kind: 'answer', answer: answer.data.result };
}

function refusal(status: number, text: string): string {
  const body = refusalSchema.safeParse(parsed(text));
  return body.success ? `${body.data.error.message} (${status} ${body.data.error.code})` : `HTTP status ${status}`;
}

/** On several lines. */
function refusalWithHint(status: number, text: string): string {
  const hint = refusalSchema.safeParse(parsed(text)).data?.error.details.hint;
  return `${refusal(status, text)}${hint === undefined ? '' : `\n  hint: ${hint}`}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.max(seconds * 1000, 50) : undefined;
}

/**
 * Doubles from a quarter of a second to ten seconds, with a random part so that several importers do not retry at the
 * same time.
 */
function backoff(attempt: number): number {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS);
  return longest * (0.5 + Math.random() / 2);
}
