/** Answers from the cache per second, compared with a bare Express app that sends the same bytes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSeconds } from '../../support/processes';
import { grouped, type Row } from '../../support/report';
import { startService, type ServerScripts, type Service } from '../../support/service';
import { CACHE_HIT_BAR, KNOWN_BAR } from '../../support/settings';
import type { BareAnswer } from './bare-app';
import { load, type Target } from './load';

const PROJECT = 'cached';
const BUCKETS = 24;
const PATH = '/api/endpoints/query/usage.api-counts';
const QUERY = `interval=minutely&project=${PROJECT}`;
const LOAD = { connections: 16, durationMs: 1000 };
const ROUNDS = 7;

type Side = 'bare' | 'hit' | 'known';

interface Measured {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

export async function measureCache(scripts: ServerScripts, cacheDir: string): Promise<Row[]> {
  const dataDir = join(cacheDir, 'cache');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const service = await startService(scripts, dataDir, { logLevel: 'info', stdio: 'ignore' });
  let bare: ChildProcess | undefined;
  try {
    const { answer, etag } = await fillCache(service);
    bare = fork(join(__dirname, 'bare-app.js'), { stdio: 'inherit' });
    bare.send(answer);
    const [barePort] = (await once(bare, 'message')) as [number];
    const port = Number(new URL(service.url).port);
    const bodyBytes = Buffer.byteLength(answer.body, 'base64');
    const sides: Record<Side, Target & { readonly pid: number }> = {
      bare: { pid: bare.pid!, port: barePort, request: request(service, ''), status: 200, bodyBytes },
      hit: { pid: service.serverPid, port, request: request(service, ''), status: 200, bodyBytes },
      known: {
        pid: service.serverPid,
        port,
        request: request(service, `If-None-Match: ${etag}\r\n`),
        status: 304,
        bodyBytes: 0,
      },
    };
    return rowsOf(await measureInTurns(sides));
  } finally {
    bare?.kill();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Stores one request in each of the last minutes and asks twice. */
async function fillCache({ client }: Service): Promise<{ answer: BareAnswer; etag: string }> {
  const now = Date.now();
  const events = Array.from({ length: BUCKETS }, (_, minutes) => ({
    timestamp: new Date(now - minutes * 60_000).toISOString(),
    project: PROJECT,
    event_message: `GET ${minutes}`,
    metadata: { request: { method: 'GET', path: '/rest/v1/a', url: `https://${PROJECT}.example/rest/v1/a` } },
  }));
  await client.post('/api/logs?source=edge_requests', Buffer.from(JSON.stringify(events)), 'application/json');
  await client.get(`${PATH}?${QUERY}`);
  const hit = await client.get(`${PATH}?${QUERY}`, { fromCache: true });
  const { result } = JSON.parse(hit.body.toString()) as { result: unknown[] };
  if (!String(hit.headers['cache-status']).includes('; hit') || result.length !== BUCKETS)
    throw new Error(`expected ${BUCKETS} rows from the cache: ${JSON.stringify(hit.headers)}`);
  const own = Object.entries(hit.headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return {
    answer: {
      path: `${PATH.slice(0, PATH.lastIndexOf('/'))}/:q`,
      headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
      body: hit.body.toString('base64'),
    },
    etag: String(hit.headers['etag']),
  };
}

function request({ token }: Service, header: string): Buffer {
  return Buffer.from(
    `GET ${PATH}?${QUERY} HTTP/1.1\r\nHost: bench\r\nAccept: */*\r\nX-API-KEY: ${token}\r\n${header}\r\n`
  );
}

/** The first round warms up. */
async function measureInTurns(
  sides: Readonly<Record<Side, Target & { readonly pid: number }>>
): Promise<Readonly<Record<Side, readonly Measured[]>>> {
  const measured: Record<Side, Measured[]> = { bare: [], hit: [], known: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const side of ['bare', 'hit', 'known'] as const) {
      const { pid, ...target } = sides[side];
      const cpuBefore = cpuSeconds(pid);
      const startedAt = performance.now();
      const perSecond = await load(target, LOAD);
      const answers = (perSecond * (performance.now() - startedAt)) / 1000;
      if (round > 0) measured[side].push({ perSecond, cpuMicros: ((cpuSeconds(pid) - cpuBefore) / answers) * 1e6 });
    }
  }
  return measured;
}

function rowsOf({ bare, hit, known }: Readonly<Record<Side, readonly Measured[]>>): Row[] {
  return [
    compare('answer from the cache, 24 rows', 'bare Express', hit, bare, CACHE_HIT_BAR),
    compare('304 of the same', 'with the rows', known, hit, KNOWN_BAR),
  ];
}

/** Neighbouring turns are compared: what slows one slows the other. */
function compare(
  what: string,
  other: string,
  ours: readonly Measured[],
  theirs: readonly Measured[],
  bar: number
): Row {
  const share = median(ours.map(({ perSecond }, round) => perSecond / theirs[round]!.perSecond));
  const cpu = (list: readonly Measured[]): number => Math.round(median(list.map(({ cpuMicros }) => cpuMicros)));
  const perSecond = (list: readonly Measured[]): number => median(list.map((each) => each.perSecond));
  return {
    what,
    size: `${LOAD.connections} connections`,
    against: `${grouped(perSecond(theirs))}/s (${other})`,
    measured: `${grouped(perSecond(ours))}/s (${share.toFixed(2)}x)`,
    p95: '',
    bar: `${bar.toFixed(2)}x`,
    isWithin: share >= bar,
    detail: `processor time ${cpu(ours)} us a request, ${other} ${cpu(theirs)} us`,
    figures: { share, ours, theirs },
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
