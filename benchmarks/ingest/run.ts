/** Sends sample batches to a fresh store over one connection and counts what was stored. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_PROJECTS } from '#server/sample-data/projects';
import { batches } from '../support/dataset';
import { cpuSeconds } from '../support/processes';
import { grouped, ms, type Row } from '../support/report';
import { startService, type ServerScripts, type Service } from '../support/service';
import { INGEST_BAR_PER_SECOND } from '../support/settings';
import { summarise } from '../support/statistics';

const WARM_UP_BATCHES = 20;
const BATCHES = 300;
const BATCH_EVENTS = 1000;

interface Answer {
  readonly result: { readonly accepted: number; readonly duplicates: number; readonly rejected: number };
}

export async function measureIngest(scripts: ServerScripts, cacheDir: string): Promise<Row> {
  const dataDir = join(cacheDir, 'ingest');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const bodies = [...batches(Date.now() * 1000, (WARM_UP_BATCHES + BATCHES) * BATCH_EVENTS, 2)];
  const service = await startService(scripts, dataDir);
  try {
    return await sendAll(service, bodies);
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function sendAll(service: Service, bodies: readonly Buffer[]): Promise<Row> {
  for (const body of bodies.slice(0, WARM_UP_BATCHES)) await send(service, body);
  const before = cpuOf(service);
  const startedAt = performance.now();
  const durationsMs: number[] = [];
  for (const body of bodies.slice(WARM_UP_BATCHES)) durationsMs.push(await send(service, body));
  const acknowledged = performance.now();
  await ensureAllCanBeRead(service, bodies.length * BATCH_EVENTS);
  const untilReadMs = performance.now() - acknowledged;
  const seconds = (performance.now() - startedAt) / 1000;
  const after = cpuOf(service);
  const events = durationsMs.length * BATCH_EVENTS;
  const perSecond = events / seconds;
  const timing = summarise(durationsMs);
  const cpu = Object.entries(after).map(([name, spent]) => ({
    name,
    micros: ((spent - (before[name] as number)) / events) * 1e6,
  }));
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0) / (bodies.length * BATCH_EVENTS);
  return {
    what: 'ingest, batches of 1,000',
    size: `${grouped(events)} of ${grouped(bytes)} bytes`,
    against: '',
    measured: `${grouped(perSecond)}/s`,
    p95: `${ms(timing.p95Ms)} a batch`,
    bar: `${grouped(INGEST_BAR_PER_SECOND)}/s`,
    isWithin: perSecond >= INGEST_BAR_PER_SECOND,
    detail: `${(1e6 / perSecond).toFixed(1)} us an event with the ${ms(untilReadMs)} until the last can be read; processor: ${cpu.map(({ name, micros }) => `${name} ${micros.toFixed(1)} us`).join(', ')}`,
    figures: { perSecond, untilReadMs, events, bytesPerEvent: bytes, batch: timing, cpuMicrosPerEvent: cpu },
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

async function send({ client }: Service, body: Buffer): Promise<number> {
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
