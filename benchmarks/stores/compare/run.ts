/** The same events and questions for this service and for VictoriaLogs, in one run. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../../queries/growth/run';
import { type GrowthQuestion, growthQuestions, rareWord } from '../../queries/growth/questions';
import { BATCH_EVENTS, batches } from '../../support/dataset';
import { createHttpClient, type HttpClient } from '../../support/http-client';
import { measureCalls, type MeasuredCalls } from '../../support/measure-calls';
import { bytesBelow, cpuSeconds, peakResidentBytes, residentBytes } from '../../support/processes';
import { grouped, megabytes, ms, type Row } from '../../support/report';
import { sealPastDays } from '../../support/seal-days';
import { createBenchmarkToken, startService, type ServerScripts, type Service } from '../../support/service';
import { logsQlQuestions } from './questions';
import { StoredBodies } from './stored-bodies';
import { startVictoriaLogs, type VictoriaLogs } from './victoria-logs';

export interface CompareOptions {
  readonly root: string;
  readonly cacheDir: string;
  /** Path of its binary. */
  readonly victoriaLogs: string;
  readonly millions: number;
}

/** Resident memory is idle when nothing was asked for this time. */
const IDLE_MS = 45_000;
const PROCESSOR_SECONDS = 1;

/** One side of the comparison. */
interface Side {
  readonly pids: readonly number[];
  readonly dataDir: string;
  /** @returns clients that send batches, each with a connection of its own */
  senders(count: number): Promise<readonly HttpClient[]>;
  /** Path and type of a batch. */
  readonly ingest: { readonly path: string; readonly type: string };
  /** Resolves when every sent event can be read. */
  settle(): Promise<void>;
}

interface Load {
  readonly perSecond: number;
  readonly processorMicros: number;
}

export async function compare(scripts: ServerScripts, options: CompareOptions): Promise<Row[]> {
  const { root, cacheDir, victoriaLogs, millions } = options;
  const folders = { ours: join(cacheDir, 'compare-ours'), theirs: join(cacheDir, 'compare-theirs') };
  for (const folder of Object.values(folders)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const endMicros = Date.now() * 1000;
  const bodies = new StoredBodies(join(cacheDir, 'compare-bodies'), batches(endMicros, millions * 1_000_000));
  const service = await startService(scripts, folders.ours);
  const port = await scripts.freePort('127.0.0.1', 0);
  if (port === undefined) throw new Error('no port is free');
  const other = await startVictoriaLogs(victoriaLogs, folders.theirs, port);
  try {
    const [ours, theirs] = [ourSide(service, folders.ours), theirSide(other, folders.theirs)];
    const row = rowOf(millions);
    const rows: Row[] = [];
    const half = Math.floor(bodies.count / 2);
    const shares: readonly Share[] = [
      { bodies, from: 0, to: half, senders: 1 },
      { bodies, from: half, to: bodies.count, senders: 2 },
    ];
    for (const share of shares) {
      const our = await load(ours, share);
      const their = await load(theirs, share);
      const what = share.senders === 1 ? 'ingest, one sender' : 'ingest, two senders';
      rows.push(
        row(what, `${grouped(their.perSecond)}/s`, `${grouped(our.perSecond)}/s`, our.perSecond / their.perSecond),
        row(
          `${what}, processor time of an event`,
          `${their.processorMicros.toFixed(1)} us`,
          `${our.processorMicros.toFixed(1)} us`,
          our.processorMicros / their.processorMicros
        )
      );
    }
    rows.push(memoryRow(row, 'largest memory while loading', theirs, ours, peakResidentBytes));
    await sealPastDays(root, folders.ours);
    await delay(IDLE_MS);
    rows.push(memoryRow(row, 'memory after 45 s without work', theirs, ours, residentBytes));
    const [ourBytes, theirBytes] = [bytesBelow(folders.ours), bytesBelow(folders.theirs)];
    rows.push(row('size on disk', megabytes(theirBytes), megabytes(ourBytes), ourBytes / theirBytes));
    rows.push(...(await compareQuestions({ service, other, endMicros, row })));
    rows.push(memoryRow(row, 'memory after the questions', theirs, ours, residentBytes));
    return rows;
  } finally {
    bodies.remove();
    await Promise.all([service.stop(), other.stop()]);
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
  }
}

function ourSide(service: Service, dataDir: string): Side {
  return {
    pids: [service.serverPid, service.enginePid],
    dataDir,
    senders: async (count) => {
      const tokens: string[] = [];
      for (let n = 0; n < count; n++)
        tokens.push(await createBenchmarkToken(dataDir, `sender-${count}-${n}`, ['ingest']));
      return tokens.map((token) => createHttpClient(service.url, token));
    },
    ingest: { path: '/api/logs?source=edge_requests', type: 'application/x-ndjson' },
    settle: async () => {
      const project = new URLSearchParams({ project: 'none', sql: 'select count(*) as n from edge_logs' });
      await service.client.get(`/api/endpoints/query/logs.all?${project.toString()}`);
    },
  };
}

function theirSide(other: VictoriaLogs, dataDir: string): Side {
  const fields = new URLSearchParams({
    _time_field: 'timestamp',
    _msg_field: 'event_message',
    _stream_fields: 'project',
  });
  return {
    pids: [other.pid],
    dataDir,
    senders: (count) => Promise.resolve(Array.from({ length: count }, () => other.connect())),
    ingest: { path: `/insert/jsonline?${fields.toString()}`, type: 'application/stream+json' },
    settle: async () => {
      await other.client.get('/internal/force_flush');
    },
  };
}

/** Bodies from one number to before another: the older half by one sender, the newer one by two. */
interface Share {
  readonly bodies: StoredBodies;
  readonly from: number;
  readonly to: number;
  readonly senders: number;
}

async function load(side: Side, { bodies, from, to, senders }: Share): Promise<Load> {
  const clients = await side.senders(senders);
  let next = from;
  const before = used(side);
  const startedAt = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (next < to) {
        const { status, body: answer } = await client.post(side.ingest.path, bodies.read(next++), side.ingest.type);
        if (status !== 200) throw new Error(`ingest: ${status} ${answer.toString('utf8').slice(0, 300)}`);
      }
    })
  );
  await side.settle();
  const seconds = (performance.now() - startedAt) / 1000;
  for (const client of clients) client.close();
  const sent = (to - from) * BATCH_EVENTS;
  return { perSecond: sent / seconds, processorMicros: ((used(side) - before) * 1e6) / sent };
}

interface Compared {
  readonly service: Service;
  readonly other: VictoriaLogs;
  readonly endMicros: number;
  readonly row: ReturnType<typeof rowOf>;
}

async function compareQuestions({ service, other, endMicros, row }: Compared): Promise<Row[]> {
  const word = await rareWord(service.client, endMicros);
  const theirs = logsQlQuestions(word, endMicros);
  const rows: Row[] = [];
  for (const question of growthQuestions(word, endMicros)) {
    const question2 = theirs.get(question.name);
    const options = { processorSeconds: PROCESSOR_SECONDS, calls: question.calls };
    const our = await measureCalls((n) => ask(service, question, n), {
      ...options,
      used: () => cpuSeconds(service.serverPid) + cpuSeconds(service.enginePid),
    });
    if (question2 === undefined) {
      rows.push(row(question.name, '', both(our), null));
      continue;
    }
    await ensureEqual(service, other, question, () => question2.call(0));
    const their = await measureCalls(
      async (n) => {
        const { status, body, durationMs } = await other.client.get(question2.call(n));
        if (status !== 200) throw new Error(`"${question.name}": ${status} ${body.toString('utf8').slice(0, 300)}`);
        return durationMs;
      },
      { ...options, used: () => cpuSeconds(other.pid) }
    );
    rows.push(row(question.name, both(their), both(our), our.processorMs / their.processorMs));
  }
  return rows;
}

/** Compares the number of rows and the sum of every column of counts. */
async function ensureEqual(
  { client }: Service,
  other: VictoriaLogs,
  question: GrowthQuestion,
  path: () => string
): Promise<void> {
  for (let tries = 1; ; tries++) {
    // Both windows end at the time of the call: this one is fixed right before the service fixes its own.
    const theirPath = path();
    const ours = (JSON.parse((await client.get(question.call(0))).body.toString('utf8')) as { result: Facts[] }).result;
    const theirs = (await other.client.get(theirPath)).body
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Facts);
    const [our, their] = [digest(ours), digest(theirs)];
    if (our === their) return;
    // An event may still have left one of them.
    if (tries === 5) throw new Error(`"${question.name}": the service says ${our}, the other one ${their}`);
  }
}

type Facts = Readonly<Record<string, unknown>>;

function digest(rows: readonly Facts[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (/^(total_\w+|failures)$/.test(name)) counts.set(name, (counts.get(name) ?? 0) + Number(value));
    }
  }
  const sums = [...counts].sort().map(([name, sum]) => `${name} ${sum}`);
  return [`${rows.length} rows`, ...sums].join(', ');
}

function used({ pids }: Side): number {
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

function both({ processorMs, timing }: MeasuredCalls): string {
  return `${ms(processorMs)} processor, ${ms(timing.medianMs)}`;
}

function memoryRow(
  row: ReturnType<typeof rowOf>,
  what: string,
  theirs: Side,
  ours: Side,
  read: (...pids: readonly number[]) => number
): Row {
  const sum = ({ pids }: Side): number => read(...pids);
  return row(what, megabytes(sum(theirs)), megabytes(sum(ours)), sum(ours) / sum(theirs));
}

function rowOf(millions: number): (what: string, theirs: string, ours: string, ratio: number | null) => Row {
  return (what, theirs, ours, ratio) => ({
    what,
    size: `${millions} M`,
    against: theirs === '' ? '' : `VictoriaLogs: ${theirs}`,
    measured: ratio === null ? ours : `${ours} (${ratio.toFixed(2)}x)`,
    p95: '',
    bar: '',
    isWithin: null,
    detail: '',
    figures: { theirs, ours, ratio },
  });
}
