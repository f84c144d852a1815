/** Many callers, each with one connection, that ask, look at the answer, and ask again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, createHttpClient } from '../../support/http-client';
import { type Kind, nextKind, type PreparedQuestion } from './questions';

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly questions: readonly PreparedQuestion[];
  readonly callers: number;
  readonly durationMs: number;
}

export interface LoadFigures {
  /** Milliseconds of answers with 200, by kind. */
  readonly durationsMs: Readonly<Record<Kind, number[]>>;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly acknowledgedEvents: number;
}

export const LOAD_PROJECT = 'loadproject';

const THINK_MS = 500;
const BATCH_EVENTS = 20;
/** A call that takes longer is a hang. */
const LONGEST_CALL_MS = 30_000;

/** @throws Error on the first answer that is wrong, or missing. */
export async function runCallers(options: LoadOptions): Promise<LoadFigures> {
  const durationsMs: Record<Kind, number[]> = { hit: [], miss: [], 'ad-hoc': [], ingest: [] };
  const statuses: Record<string, number> = {};
  const counts = { acknowledgedEvents: 0, batches: 0 };
  const endsAt = performance.now() + options.durationMs;

  async function caller(): Promise<void> {
    const client = createHttpClient(options.url, options.token);
    try {
      await sleep(Math.random() * THINK_MS);
      while (performance.now() < endsAt) {
        const kind = nextKind();
        const answer = await bounded(kind === 'ingest' ? client.post(INGEST, batch(), NDJSON) : ask(kind));
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (answer.status === 200) durationsMs[servedAs(kind, answer)].push(answer.durationMs);
        await sleep(THINK_MS * (0.5 + Math.random()) + retryAfterMs(answer));
      }
    } finally {
      client.close();
    }

    async function ask(kind: Exclude<Kind, 'ingest'>): Promise<Answer> {
      const fitting = options.questions.filter((question) => question.kind === kind);
      const { path, expected } = fitting[Math.floor(Math.random() * fitting.length)]!;
      const answer = await client.get(path, { fromCache: true });
      if (answer.status === 200 && answer.body.toString('utf8') !== expected)
        throw new Error(`load: wrong rows: ${path}`);
      return answer;
    }

    async function bounded(call: Promise<Answer>): Promise<Answer> {
      const hang = new AbortController();
      const late = sleep(LONGEST_CALL_MS, undefined, { signal: hang.signal }).then(() => {
        throw new Error(`load: a call has no answer after ${LONGEST_CALL_MS} ms`);
      });
      late.catch(() => undefined);
      const answer = await Promise.race([call, late]);
      hang.abort();
      ensureAllowed(answer);
      if (answer.status === 200 && answer.body.includes('"accepted"')) countStored(answer);
      return answer;
    }
  }

  function countStored({ body }: Answer): void {
    const { result } = JSON.parse(body.toString('utf8')) as { result: { accepted: number; duplicates: number } };
    if (result.accepted !== BATCH_EVENTS || result.duplicates !== 0)
      throw new Error(`load: ingest: ${body.toString()}`);
    counts.acknowledgedEvents += BATCH_EVENTS;
  }

  function batch(): Buffer {
    counts.batches += 1;
    const events = Array.from({ length: BATCH_EVENTS }, (_, n) => ({
      id: `load-${counts.batches}-${n}`,
      project: LOAD_PROJECT,
      event_message: 'load',
    }));
    return Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  }

  await Promise.all(Array.from({ length: options.callers }, caller));
  return { durationsMs, statuses, acknowledgedEvents: counts.acknowledgedEvents };
}

/** A cached answer that had to be made again counts as a miss. */
function servedAs(kind: Kind, { headers }: Answer): Kind {
  return kind === 'hit' && !/; hit/.test(String(headers['cache-status'])) ? 'miss' : kind;
}

const INGEST = '/api/logs?source=edge_requests';
const NDJSON = 'application/x-ndjson';

function ensureAllowed({ status, headers, body }: Answer): void {
  if (status === 200) return;
  if ((status === 429 || status === 503) && headers['retry-after'] !== undefined) return;
  throw new Error(`load: ${status} ${body.toString('utf8').slice(0, 300)}`);
}

function retryAfterMs({ headers }: Answer): number {
  return Number(headers['retry-after'] ?? 0) * 1000;
}
