/**
 * Sends events to `POST /api/logs` and tries again what may succeed later. Sent again, a piece is the same request: its
 * key and its bytes are the same, so its events are stored once.
 */
import { Problem, problemOf, unreachable } from '../api/problem';
import type { EventPiece } from './event-pieces';

export interface EventTarget {
  readonly token: string;
  readonly source: string;
  /** Tenant of all events; empty: each event names its own. */
  readonly project: string;
}

export interface RejectedEvent {
  /** Place among all events, from 0. */
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

export interface SentPiece {
  /** Stored now or before. */
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** The first of them. */
  readonly errors: readonly RejectedEvent[];
}

export interface SendOptions {
  /** Tells this upload from others with equal bytes; equal keys: a file that is sent again stores nothing twice. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Called before each wait for a service that is busy, or does not answer. */
  readonly onWait: (problem: Problem) => void;
}

type Piece = Pick<EventPiece, 'lines' | 'firstIndex'>;

/** @throws Problem when the service refuses the events for good; the reason of the signal */
export async function sendPiece(target: EventTarget, piece: Piece, options: SendOptions): Promise<SentPiece> {
  try {
    return await sendUntilAnswered(target, piece, options);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 413) throw error;
    if (piece.lines.length === 1) return refused(piece, error);
    const middle = Math.ceil(piece.lines.length / 2);
    const first = await sendPiece(target, { ...piece, lines: piece.lines.slice(0, middle) }, options);
    const rest = { lines: piece.lines.slice(middle), firstIndex: piece.firstIndex + middle };
    return sumOf(first, await sendPiece(target, rest, options));
  }
}

export const NOTHING_SENT: SentPiece = { accepted: 0, duplicates: 0, rejected: 0, errors: [] };

export function sumOf(a: SentPiece, b: SentPiece, maxErrors = Infinity): SentPiece {
  return {
    accepted: a.accepted + b.accepted,
    duplicates: a.duplicates + b.duplicates,
    rejected: a.rejected + b.rejected,
    errors: a.errors.length >= maxErrors ? a.errors : [...a.errors, ...b.errors].slice(0, maxErrors),
  };
}

function refused({ firstIndex }: Piece, { code, message }: Problem): SentPiece {
  return { ...NOTHING_SENT, rejected: 1, errors: [{ index: firstIndex, code, message }] };
}

/** Statuses after which the same request may succeed; 0: no answer. */
const PASSING = [0, 429, 502, 503, 504];

async function sendUntilAnswered(target: EventTarget, piece: Piece, options: SendOptions): Promise<SentPiece> {
  const body = bodyOf(piece.lines);
  for (let attempt = 0; ; attempt++) {
    const answer = await sendOnce(target, piece, body, options);
    if (!(answer instanceof Failed)) return answer;
    if (!PASSING.includes(answer.problem.status)) throw answer.problem;
    options.onWait(answer.problem);
    await pause(answer.retryAfterMs ?? backoffMs(attempt), options.signal);
  }
}

/** A lost answer is tried again, since the events may or may not be stored. */
class Failed {
  constructor(
    readonly problem: Problem,
    readonly retryAfterMs: number | null
  ) {}
}

async function sendOnce(
  { token, source, project }: EventTarget,
  { firstIndex, lines }: Piece,
  body: Uint8Array<ArrayBuffer>,
  { key, signal }: SendOptions
): Promise<SentPiece | Failed> {
  const search = new URLSearchParams({ source, ...(project !== '' && { project }) });
  const answerable = endingBy(signal, ANSWER_MS);
  try {
    const response = await fetch(`/api/logs?${search.toString()}`, {
      method: 'POST',
      headers: {
        'X-API-KEY': token,
        'Content-Type': 'application/x-ndjson',
        'Idempotency-Key': `console-${key}-${firstIndex}-${lines.length}`,
      },
      body,
      credentials: 'omit',
      signal: answerable.signal,
    });
    const text = await response.text();
    if (!response.ok) return new Failed(problemOf(response.status, text), retryAfterMs(response));
    const { result } = JSON.parse(text) as { result: SentPiece };
    return { ...result, errors: result.errors.map((error) => ({ ...error, index: firstIndex + error.index })) };
  } catch (error) {
    if (signal.aborted) throw error;
    return new Failed(unreachable(), null);
  } finally {
    answerable.done();
  }
}

/** Aborts with the signal, or after a time. `AbortSignal.any` is newer than the browsers that the console is for. */
function endingBy(signal: AbortSignal, ms: number): { readonly signal: AbortSignal; readonly done: () => void } {
  const either = new AbortController();
  const abort = (): void => either.abort();
  if (signal.aborted) abort();
  const timer = setTimeout(abort, ms);
  signal.addEventListener('abort', abort);
  return {
    signal: either.signal,
    done: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}

/** A request without an answer is sent again after this time. The service answers sooner. */
const ANSWER_MS = 120_000;
const LF = 10;

function bodyOf(lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(lines.reduce((sum, line) => sum + line.length + 1, 0));
  let at = 0;
  for (const line of lines) {
    body.set(line, at);
    at += line.length;
    body[at++] = LF;
  }
  return body;
}

function retryAfterMs({ headers }: Response): number | null {
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.max(seconds * 1000, 100) : null;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

function backoffMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
