/** Another token during hostile bodies: it calls a saved query and sends small batches of events. */
import { Agent, request } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const NEIGHBOR_PROJECT = 'neighbor';
const QUERY_EVERY_MS = 200;
const INGEST_EVERY_MS = 500;
const BATCH_EVENTS = 20;
/** A call that takes longer has failed. */
const LONGEST_CALL_MS = 10_000;

/** Counts what is stored; never cached. */
const SAVED_QUERY = `id: 7d1a9fd0-0000-4000-8000-0000000000a1
name: neighbor.count
description: Events of one project, and how many different ones there are.
parameters:
  - { name: project, required: true, description: Project identifier. }
query: |
  SELECT COUNT(*) AS events, COUNT(DISTINCT t.event_message) AS messages FROM edge_requests AS t WHERE t.project = @project
`;

/** Adds the saved query of the neighbor to a folder of saved queries. */
export function addNeighborQuery(endpointsDir: string): void {
  writeFileSync(join(endpointsDir, 'neighbor.count.yaml'), SAVED_QUERY);
}

export interface NeighborCall {
  readonly kind: 'query' | 'ingest';
  /** 0: no answer. */
  readonly status: number;
  readonly durationMs: number;
  /** What is wrong with the answer; null when nothing is. */
  readonly problem: string | null;
}

export interface Neighbor {
  /** Goes on until it is paused. */
  start(): void;
  /** Ends when the running calls have ended. @returns the calls since the start */
  pause(): Promise<readonly NeighborCall[]>;
  /**
   * Sends what is not acknowledged yet until it is, then compares what is stored with it.
   *
   * @returns what differs, or null
   */
  settle(): Promise<string | null>;
  close(): void;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export function createNeighbor({ url, token }: { readonly url: () => string; readonly token: string }): Neighbor {
  const agent = new Agent({ keepAlive: true });
  const calls: NeighborCall[] = [];
  let sent = 0;
  let acknowledged = 0;
  /** The batch that is sent until it is acknowledged. */
  let unanswered: string | null = null;
  let stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  function send(method: string, path: string, body?: string): Promise<Answer> {
    return new Promise((resolve) => {
      const none = (): void => resolve({ status: 0, text: '' });
      const call = request(new URL(path, url()), {
        method,
        agent,
        headers: { 'X-API-KEY': token, ...(body === undefined ? {} : { 'Content-Type': 'application/x-ndjson' }) },
        signal: AbortSignal.timeout(LONGEST_CALL_MS),
      });
      call.once('error', none);
      call.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', none);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
        );
      });
      call.end(body);
    });
  }

  async function record(kind: NeighborCall['kind'], call: () => Promise<string | null | Answer>): Promise<void> {
    const startedAt = performance.now();
    const outcome = await call();
    const durationMs = performance.now() - startedAt;
    const isAnswer = outcome !== null && typeof outcome === 'object';
    calls.push({
      kind,
      durationMs,
      status: isAnswer ? outcome.status : 200,
      problem: isAnswer ? `${kind}: ${outcome.status} ${outcome.text.slice(0, 300)}` : outcome,
    });
  }

  async function query(): Promise<string | null | Answer> {
    const atLeast = acknowledged;
    const answer = await send('GET', `/api/endpoints/query/neighbor.count?project=${NEIGHBOR_PROJECT}`);
    if (answer.status !== 200) return answer;
    const [row] = (JSON.parse(answer.text) as { result: [{ events: number; messages: number }] }).result;
    if (row.events >= atLeast && row.events <= sent && row.messages === row.events) return null;
    return `query: ${row.events} events, ${row.messages} different ones, of ${atLeast} to ${sent}`;
  }

  async function ingest(): Promise<string | null | Answer> {
    const body = (unanswered ??= nextBatch());
    const answer = await send('POST', '/api/logs?source=edge_requests', body);
    if (answer.status !== 200) return answer;
    unanswered = null;
    acknowledged += BATCH_EVENTS;
    const { accepted, rejected } = (JSON.parse(answer.text) as { result: { accepted: number; rejected: number } })
      .result;
    return accepted === BATCH_EVENTS && rejected === 0 ? null : `ingest: ${answer.text.slice(0, 300)}`;
  }

  /** One half has ids of its own, the other is known by its body. */
  function nextBatch(): string {
    const micros = String(sent % 1000).padStart(3, '7');
    const timestamp = `${new Date().toISOString().slice(0, -1)}${micros}Z`;
    const lines = Array.from({ length: BATCH_EVENTS }, (_, at) => {
      const n = sent + at;
      return JSON.stringify({
        ...(at % 2 === 0 ? { id: `neighbor-${n}` } : {}),
        project: NEIGHBOR_PROJECT,
        timestamp,
        event_message: `neighbor event ${n}`,
        metadata: { n },
      });
    });
    sent += BATCH_EVENTS;
    return lines.join('\n');
  }

  async function every(
    periodMs: number,
    kind: NeighborCall['kind'],
    call: () => Promise<string | null | Answer>
  ): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      const next = performance.now() + periodMs;
      await record(kind, call);
      await sleep(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      calls.length = 0;
      stopping = new AbortController();
      running = Promise.all([every(QUERY_EVERY_MS, 'query', query), every(INGEST_EVERY_MS, 'ingest', ingest)]);
    },
    async pause() {
      stopping.abort();
      await running;
      return [...calls];
    },
    async settle() {
      for (const until = Date.now() + 120_000; unanswered !== null; await sleep(200)) {
        const outcome = await ingest();
        if (outcome !== null && Date.now() > until) return `not acknowledged: ${JSON.stringify(outcome)}`;
      }
      for (const until = Date.now() + 60_000; ; await sleep(500)) {
        const outcome = await query();
        if (outcome === null || typeof outcome === 'string') return outcome;
        if (Date.now() > until) return `not counted: ${outcome.status} ${outcome.text.slice(0, 300)}`;
      }
    },
    close: () => agent.destroy(),
  };
}
