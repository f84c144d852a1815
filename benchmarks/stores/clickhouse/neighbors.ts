/**
 * What one tenant notices while another loads ClickHouse: its calls and small batches, without a load and beside 16
 * senders, whose inserts run two at a time. Engine, service and all callers share the processors.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCH_EVENTS, batches } from '../../support/dataset';
import { createHttpClient, type HttpClient } from '../../support/http-client';
import { EDGE_SOURCE } from '../../support/parts';
import { grouped, ms, type Row } from '../../support/report';
import { createBenchmarkToken, type Service } from '../../support/service';
import { HOSTILE_INGEST_P99_BAR_MS, NEIGHBOR_QUERY_P99_BAR_MS } from '../../support/settings';
import { quantile } from '../../support/statistics';

const SENDERS = 16;
const BATCHES = 240;
const NEIGHBOR = 'evergreentrailguides';
const CALL = `/api/endpoints/query/usage.api-counts?project=${NEIGHBOR}&interval=hourly`;
const INGEST = `/api/logs?source=${EDGE_SOURCE}`;
const SMALL_BATCH_EVENTS = 10;
const EVERY_MS = 50;
const ALONE_MS = 8000;
const WARM_UP_MS = 1000;

/** Durations of calls and of small batches. */
interface Noticed {
  readonly calls: readonly number[];
  readonly batches: readonly number[];
}

/** @param service on tables that have events already */
export async function measureLoadNeighbors(service: Service, dataDir: string): Promise<Row[]> {
  const token = await createBenchmarkToken(dataDir, 'neighbor', ['query', 'cache:bypass', 'ingest'], NEIGHBOR);
  // Two connections: a batch that waits is no reason for a call to wait.
  const clients = [createHttpClient(service.url, token), createHttpClient(service.url, token)] as const;
  const bodies = [...batches(Date.now() * 1000, BATCHES * BATCH_EVENTS, 3)];
  await notice(clients, sleep(WARM_UP_MS));
  const alone = await notice(clients, sleep(ALONE_MS));
  const startedAt = performance.now();
  const beside = await notice(clients, load(service, dataDir, bodies));
  const perSecond = (BATCHES * BATCH_EVENTS * 1000) / (performance.now() - startedAt);
  for (const client of clients) client.close();
  const burden = `beside ${SENDERS} senders, ${grouped(perSecond)} events/s`;
  return [
    rowOf('a call', alone.calls, beside.calls, NEIGHBOR_QUERY_P99_BAR_MS, burden),
    rowOf(`${SMALL_BATCH_EVENTS} events`, alone.batches, beside.batches, HOSTILE_INGEST_P99_BAR_MS, burden),
  ];
}

async function load({ url }: Service, dataDir: string, bodies: readonly Buffer[]): Promise<void> {
  const left = [...bodies];
  const send = async (at: number): Promise<void> => {
    const client = createHttpClient(url, await createBenchmarkToken(dataDir, `loader-${at}`, ['ingest']));
    for (let body = left.pop(); body !== undefined; body = left.pop()) await post(client, body);
    client.close();
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, at) => send(at)));
}

async function notice([caller, sender]: readonly [HttpClient, HttpClient], end: Promise<unknown>): Promise<Noticed> {
  let isOver = false;
  const ended = end.finally(() => (isOver = true));
  const repeat = async (task: () => Promise<number>): Promise<number[]> => {
    const durationsMs: number[] = [];
    while (!isOver) {
      const next = performance.now() + EVERY_MS;
      durationsMs.push(await task());
      await sleep(Math.max(0, next - performance.now()));
    }
    return durationsMs;
  };
  const [calls, sent] = await Promise.all([
    repeat(async () => {
      const { status, durationMs, body } = await caller.get(CALL);
      if (status !== 200) throw new Error(`a call beside a load: ${status} ${body.toString('utf8')}`);
      return durationMs;
    }),
    repeat(() => post(sender, smallBatch())),
  ]);
  await ended;
  return { calls, batches: sent };
}

/** @returns its duration */
async function post(client: HttpClient, body: Buffer): Promise<number> {
  const answer = await client.post(INGEST, body, 'application/x-ndjson');
  if (answer.status !== 200) throw new Error(`ingest: ${answer.status} ${answer.body.toString('utf8')}`);
  return answer.durationMs;
}

function smallBatch(): Buffer {
  const timestamp = new Date().toISOString();
  const events = Array.from({ length: SMALL_BATCH_EVENTS }, () => ({
    id: randomUUID(),
    timestamp,
    project: NEIGHBOR,
    identifier: NEIGHBOR,
    event_message: 'GET | 200 | /rest/v1/todos',
    metadata: { request: { method: 'GET', path: '/rest/v1/todos' }, response: { status_code: 200 } },
  }));
  return Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
}

function rowOf(what: string, alone: readonly number[], beside: readonly number[], barMs: number, burden: string): Row {
  const [before, after] = [latencyOf(alone), latencyOf(beside)];
  return {
    what: `ClickHouse: ${what} of another tenant beside a load`,
    size: '',
    against: `${ms(before.p50Ms)}, p99 ${ms(before.p99Ms)} (no load)`,
    measured: `${ms(after.p50Ms)}, p99 ${ms(after.p99Ms)}`,
    p95: ms(after.p95Ms),
    bar: `p99 ${ms(barMs)}`,
    isWithin: after.p99Ms <= barMs,
    detail: `${burden}; ${before.samples} and ${after.samples} times`,
    figures: { alone: before, beside: after },
  };
}

function latencyOf(durationsMs: readonly number[]) {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  return {
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    p99Ms: quantile(sorted, 0.99),
    samples: sorted.length,
  };
}
