/** Many callers at once on a fresh store: right, bounded, quick. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { batches } from '../../support/dataset';
import { childOf, residentBytes } from '../../support/processes';
import { grouped, megabytes, ms, type Row } from '../../support/report';
import { startService, type ServerScripts, type Service } from '../../support/service';
import { DAYS, HIT_P99_BAR_MS, MEMORY_BAR_BYTES } from '../../support/settings';
import { quantile, summarize } from '../../support/statistics';
import { LOAD_PROJECT, type LoadFigures, runCallers } from './callers';
import { prepareQuestions } from './questions';

const EVENTS = 200_000;
const CALLERS = 500;
const DURATION_MS = 60_000;
const SAMPLE_MS = 500;

export async function measureLoad(scripts: ServerScripts, cacheDir: string): Promise<Row[]> {
  const dataDir = join(cacheDir, 'load');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const service = await startService(scripts, dataDir);
  try {
    const endMicros = Date.now() * 1000;
    for (const body of batches(endMicros, EVENTS, 3)) await store(service, body);
    const questions = await prepareQuestions(service, endMicros - DAYS * 86_400_000_000);
    const memory = watchMemory(service);
    const figures = await runCallers({ ...service, questions, callers: CALLERS, durationMs: DURATION_MS });
    const peak = memory.stop();
    await ensureStored(service, figures.acknowledgedEvents);
    if (childOf(service.serverPid) !== service.enginePid) throw new Error('load: the engine process was started again');
    return [hitRow(figures), memoryRow(peak)];
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function store({ client }: Service, body: Buffer): Promise<void> {
  const answer = await client.post('/api/logs?source=edge_requests', body, 'application/x-ndjson');
  if (answer.status !== 200) throw new Error(`load: storing answered ${answer.status} ${answer.body.toString('utf8')}`);
}

async function ensureStored({ client }: Service, acknowledged: number): Promise<void> {
  const query = new URLSearchParams({ project: LOAD_PROJECT, sql: 'select count(*) as n from edge_logs' });
  const { body } = await client.get(`/api/endpoints/query/logs.all?${query.toString()}`);
  const text = body.toString('utf8');
  if (text !== `{"result":[{"n":${acknowledged}}]}`)
    throw new Error(`load: ${acknowledged} events acknowledged, ${text}`);
}

function watchMemory({ serverPid, enginePid }: Service): { stop(): { serverBytes: number; engineBytes: number } } {
  const peak = { serverBytes: 0, engineBytes: 0 };
  const timer = setInterval(() => {
    peak.serverBytes = Math.max(peak.serverBytes, residentBytes(serverPid));
    peak.engineBytes = Math.max(peak.engineBytes, residentBytes(enginePid));
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

function hitRow({ durationsMs, statuses, acknowledgedEvents }: LoadFigures): Row {
  const sorted = [...durationsMs.hit].sort((a, b) => a - b);
  const p99Ms = quantile(sorted, 0.99);
  const kinds = Object.entries(durationsMs).map(([kind, list]) => {
    const { medianMs, p95Ms, runs } = summarize(list);
    return { kind, medianMs, p95Ms, runs };
  });
  const refused = Object.entries(statuses).filter(([status]) => status !== '200');
  return {
    what: `${CALLERS} callers for ${DURATION_MS / 1000} s, cached answers`,
    size: `${grouped(sorted.length)} of ${grouped(Object.values(statuses).reduce((sum, count) => sum + count, 0))} answers`,
    against: '',
    measured: `${ms(quantile(sorted, 0.5))}, p99 ${ms(p99Ms)}`,
    p95: ms(quantile(sorted, 0.95)),
    bar: `p99 ${ms(HIT_P99_BAR_MS)}`,
    isWithin: p99Ms <= HIT_P99_BAR_MS,
    detail: `${kinds.map(({ kind, medianMs, runs }) => `${kind} ${grouped(runs)} in ${ms(medianMs)}`).join(', ')}; refused ${refused.map(([status, count]) => `${status}: ${grouped(count)}`).join(', ') || 'none'}; no wrong row, no hang`,
    figures: { kinds, statuses, p99Ms, acknowledgedEvents },
  };
}

function memoryRow(peak: { readonly serverBytes: number; readonly engineBytes: number }): Row {
  const total = peak.serverBytes + peak.engineBytes;
  return {
    what: `largest memory under ${CALLERS} callers`,
    size: `${grouped(EVENTS)} events`,
    against: '',
    measured: megabytes(total),
    p95: '',
    bar: megabytes(MEMORY_BAR_BYTES),
    isWithin: total < MEMORY_BAR_BYTES,
    detail: `server ${megabytes(peak.serverBytes)}, engine ${megabytes(peak.engineBytes)}`,
    figures: peak,
  };
}
