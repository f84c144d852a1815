/** Sends sample batches to fresh stores, from one sender and from two, and counts what was stored. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { SAMPLE_PROJECTS } from '#server/cli/sample-data/scenario/projects';
import { batches } from '../../support/dataset';
import { createHttpClient, type HttpClient } from '../../support/http-client';
import { cpuSeconds, peakResidentBytes, residentBytes } from '../../support/processes';
import { grouped, megabytes, ms, type Row } from '../../support/report';

import { createBenchmarkToken, startService, type ServerScripts, type Service } from '../../support/service';
import { INGEST_BAR_PER_SECOND, TWO_SENDERS_BAR } from '../../support/settings';
import { summarize, type Timing } from '../../support/statistics';

const WARM_UP_BATCHES = 20;
const BATCHES = 300;
const BATCH_EVENTS = 1000;
/** The store makes its checkpoint after 5 s, and returns memory after 5 more. */
const IDLE_MS = 15_000;

interface Answer {
  readonly result: { readonly accepted: number; readonly duplicates: number; readonly rejected: number };
}

/** What some senders got stored. */
interface Run {
  readonly perSecond: number;
  readonly events: number;
  readonly bytesPerEvent: number;
  readonly untilReadMs: number;
  readonly batch: Timing;
  /** Resident memory of server and engine: the largest of each, and when the service was idle after the load. */
  readonly peakBytes: number;
  readonly idleBytes: number;
  /** Processor time of each process. */
  readonly cpuMicrosPerEvent: Readonly<Record<string, number>>;
}

export async function measureIngest(scripts: ServerScripts, cacheDir: string): Promise<Row[]> {
  const one = await measureSenders(scripts, cacheDir, 1);
  const two = await measureSenders(scripts, cacheDir, 2);
  return [
    {
      ...row('ingest, batches of 1,000', one),
      bar: `${grouped(INGEST_BAR_PER_SECOND)}/s`,
      isWithin: one.perSecond >= INGEST_BAR_PER_SECOND,
    },
    {
      ...row('ingest, two senders', two),
      against: `one sender ${grouped(one.perSecond)}/s`,
      bar: `${TWO_SENDERS_BAR.toFixed(1)} of it`,
      isWithin: two.perSecond >= one.perSecond * TWO_SENDERS_BAR,
    },
  ];
}

async function measureSenders(scripts: ServerScripts, cacheDir: string, senders: number): Promise<Run> {
  const dataDir = join(cacheDir, 'ingest');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const bodies = [...batches(Date.now() * 1000, (WARM_UP_BATCHES + BATCHES) * BATCH_EVENTS, 2)];
  const tokens = await Promise.all(
    Array.from({ length: senders }, (_, n) => createBenchmarkToken(dataDir, `sender-${n}`, ['ingest']))
  );
  const service = await startService(scripts, dataDir);
  const clients = tokens.map((token) => createHttpClient(service.url, token));
  try {
    return await sendAll(service, clients, bodies);
  } finally {
    for (const client of clients) client.close();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function sendAll(service: Service, clients: readonly HttpClient[], bodies: readonly Buffer[]): Promise<Run> {
  for (const body of bodies.slice(0, WARM_UP_BATCHES)) await send(clients[0]!, body);
  const before = cpuOf(service);
  const startedAt = performance.now();
  const durationsMs: number[] = [];
  const rest = bodies.slice(WARM_UP_BATCHES);
  await Promise.all(
    clients.map(async (client, at) => {
      for (let n = at; n < rest.length; n += clients.length) durationsMs.push(await send(client, rest[n]!));
    })
  );
  const acknowledged = performance.now();
  await ensureAllCanBeRead(service, bodies.length * BATCH_EVENTS);
  const untilReadMs = performance.now() - acknowledged;
  const seconds = (performance.now() - startedAt) / 1000;
  const after = cpuOf(service);
  const peakBytes = memoryOf(service, peakResidentBytes);
  await setTimeout(IDLE_MS);
  const idleBytes = memoryOf(service, residentBytes);
  const events = durationsMs.length * BATCH_EVENTS;
  return {
    peakBytes,
    idleBytes,
    perSecond: events / seconds,
    events,
    bytesPerEvent: bodies.reduce((sum, body) => sum + body.length, 0) / (bodies.length * BATCH_EVENTS),
    untilReadMs,
    batch: summarize(durationsMs),
    cpuMicrosPerEvent: Object.fromEntries(
      Object.entries(after).map(([name, spent]) => [name, ((spent - before[name]!) / events) * 1e6])
    ),
  };
}

function row(what: string, run: Run): Row {
  const { perSecond, events, bytesPerEvent, untilReadMs, batch, cpuMicrosPerEvent, peakBytes, idleBytes } = run;
  const micros = (value: number): string => `${value.toFixed(1)} us`;
  const parts = Object.entries(cpuMicrosPerEvent).map(([name, spent]) => `${name} ${micros(spent)}`);
  const ofService = cpuMicrosPerEvent['engine']! + cpuMicrosPerEvent['server']!;
  return {
    what,
    size: `${grouped(events)} of ${grouped(bytesPerEvent)} bytes`,
    against: '',
    measured: `${grouped(perSecond)}/s`,
    p95: `${ms(batch.p95Ms)} a batch`,
    bar: '',
    isWithin: null,
    detail: `${micros(1e6 / perSecond)} an event with the ${ms(untilReadMs)} until the last can be read; processor: server and engine ${micros(ofService)} an event (${parts.join(', ')}); memory of both ${megabytes(peakBytes)} at most, ${megabytes(idleBytes)} when idle`,
    figures: { ...run },
  };
}

/** The first answer comes when everything acknowledged before can be read. */
async function ensureAllCanBeRead({ client }: Service, events: number): Promise<void> {
  let count = 0;
  for (const { ref } of SAMPLE_PROJECTS) {
    const query = new URLSearchParams({ project: ref, sql: 'select count(*) as n from edge_logs' });
    const answer = await client.get(`/api/endpoints/query/logs.all?${query.toString()}`);
    if (answer.status !== 200) throw new Error(`ingest: counting answered ${answer.status}`);
    count += (JSON.parse(answer.body.toString('utf8')) as { result: [{ n: number }] }).result[0].n;
  }
  if (count !== events) throw new Error(`ingest: ${count} of ${events} events can be read`);
}

async function send(client: HttpClient, body: Buffer): Promise<number> {
  const answer = await client.post('/api/logs?source=edge_requests', body, 'application/x-ndjson');
  const text = answer.body.toString('utf8');
  if (answer.status !== 200) throw new Error(`ingest: ${answer.status} ${text}`);
  const { result } = JSON.parse(text) as Answer;
  if (result.accepted !== BATCH_EVENTS || result.duplicates !== 0) throw new Error(`ingest: unexpected answer ${text}`);
  return answer.durationMs;
}

function cpuOf({ enginePid, serverPid }: Service): Record<string, number> {
  return { engine: cpuSeconds(enginePid), server: cpuSeconds(serverPid), sender: cpuSeconds(process.pid) };
}

function memoryOf({ enginePid, serverPid }: Service, read: (...pids: readonly number[]) => number): number {
  return read(enginePid, serverPid);
}
