/**
 * The plugin's backend as Grafana sees it: a program behind a socket. Bundled, so that it runs with the backend's own
 * sources.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  Field,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { encodeFrame } from '#backend/frames/encode/encode-frame';
import { readResult } from '#backend/frames/read-result';
import { shapeResult } from '#backend/frames/shapes/shape-result';
import { serviceDefinition } from '#backend/plugin-protocol/service-definition';
import type { QueryDataResponse } from '#backend/proto/messages';
import { sampleEvents } from '#server/cli/sample-data/sample-logs';
import { decodeFrame } from '../../../tests/backend/support/decode-frame';
import { type PluginHost, type SourceSettings, startPlugin } from '../../../tests/backend/support/plugin-host';
import { cpuMs, residentBytes } from '../../support/processes';
import { megabytes, ms, type Row } from '../../support/report';
import { startService, type ServerScripts, type Service } from '../../support/service';
import { summarize, type Timing } from '../../support/statistics';

const ROWS = 1_000;
const CALLS = 60;
const WARM_UP = 20;
const FACTOR = 1.3;
const FIXED_MS = 5;
const CACHED = { warmUp: 4, rounds: 10, calls: 100, ratioBar: 3.8 };
const ENCODED_ROWS = 100_000;
const ENCODE_BAR_MS = 60;
const LINES_RATIO_BAR = 4;
const STARTS = 7;
const HIT = { 'Content-Type': 'application/vnd.apache.arrow.stream', 'Cache-Status': 'log-query; hit; ttl=60' };
const SOAK = { queries: 50_000, early: 10_000, atOnce: 8, rows: 200, barBytes: 200e6 };

const QUERY = {
  endpoint: { name: 'logs.all' },
  mode: 'sql',
  format: 'table',
  params: { project: 'bench' },
  sql: `select timestamp, id, length(event_message) as n from edge_logs order by timestamp limit ${ROWS}`,
};

export async function measurePlugin(scripts: ServerScripts, cacheDir: string): Promise<Row[]> {
  const dataDir = join(cacheDir, 'plugin');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const service = await startService(scripts, dataDir, { stdio: 'ignore' });
  const host = await startPlugin();
  try {
    await ingest(service);
    return [
      await measureCalls(service, host),
      await measureCachedCall(service, host, dataDir),
      measureEncode(),
      measureLogLines(),
      await measureStart(),
    ];
  } finally {
    await host.stop();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function ingest({ client }: Service): Promise<void> {
  const now = Date.now();
  const lines = Array.from({ length: ROWS }, (_, n) =>
    JSON.stringify({ timestamp: new Date(now - n * 1000).toISOString(), project: 'bench', event_message: `line ${n}` })
  );
  const { status } = await client.post(
    '/api/logs?source=edge_requests',
    Buffer.from(lines.join('\n')),
    'application/x-ndjson'
  );
  if (status !== 200) throw new Error(`ingest answered ${status}`);
}

async function measureCalls(service: Service, host: PluginHost): Promise<Row> {
  const source: SourceSettings = { url: service.url, secure: { apiKey: service.token } };
  const straight: number[] = [];
  const through: number[] = [];
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    const [direct, plugin] = [await callStraight(service), await callThrough(host, source)];
    if (call < WARM_UP) continue;
    straight.push(direct);
    through.push(plugin);
  }
  const [base, timing] = [summarize(straight), summarize(through)];
  const bar = base.medianMs * FACTOR + FIXED_MS;
  return row(
    `plugin: query of ${ROWS} rows`,
    timing,
    bar,
    `the same call straight to the server ${ms(base.medianMs)}`,
    {
      straightMs: base.medianMs,
    }
  );
}

/**
 * A cached result through the backend, in turns with the same call straight to the server and with a plugin that
 * answers at once (`floor.ts`). What is left of the first without the other two is the backend's own part.
 */
async function measureCachedCall(service: Service, host: PluginHost, dataDir: string): Promise<Row> {
  const source: SourceSettings = { url: service.url, secure: { apiKey: service.token } };
  const params = { project: 'bench', interval: 'hourly' };
  const query = { endpoint: { name: 'usage.api-counts' }, mode: 'saved', format: 'time_series', params };
  const through = async (plugin: PluginHost): Promise<QueryDataResponse['responses']> => {
    const responses = await plugin.query(source, [{ refId: 'A', query }]);
    const { A } = responses;
    if (A?.status !== 200) throw new Error(`the plugin answered ${A?.status}: ${A?.error}`);
    return responses;
  };
  const straight = async (): Promise<void> => {
    const body = Buffer.from(JSON.stringify({ params }));
    const { status } = await service.client.post(
      '/api/endpoints/query/usage.api-counts',
      body,
      'application/json',
      'application/vnd.apache.arrow.stream'
    );
    if (status !== 200) throw new Error(`the call answered ${status}`);
  };
  const floor = await startFloor(dataDir, await through(host));
  try {
    const server = { pid: service.serverPid, call: straight, wallMs: [] as number[], cpuMs: [] as number[] };
    const echo = { ...server, pid: pidOf(floor), call: () => through(floor), wallMs: [], cpuMs: [] };
    const backend = { ...server, pid: pidOf(host), call: () => through(host), wallMs: [], cpuMs: [] };
    for (let round = 0; round < CACHED.warmUp + CACHED.rounds; round++) {
      for (const measured of [server, echo, backend]) await measureRound(measured, round >= CACHED.warmUp);
    }
    return cachedRow(server, echo, backend);
  } finally {
    await floor.stop();
  }
}

async function startFloor(dataDir: string, responses: QueryDataResponse['responses']): Promise<PluginHost> {
  const prepared = join(dataDir, 'prepared-response');
  const executable = join(dataDir, 'floor');
  writeFileSync(prepared, serviceDefinition('pluginv2.Data')['QueryData']!.responseSerialize({ responses }));
  writeFileSync(executable, `#!/bin/sh\nexec '${process.execPath}' '${join(__dirname, 'floor.js')}'\n`);
  chmodSync(executable, 0o755);
  return startPlugin({ PREPARED_RESPONSE: prepared }, executable);
}

const pidOf = ({ child }: PluginHost): number => child.pid as number;

interface Measured {
  readonly pid: number;
  readonly call: () => Promise<unknown>;
  /** Duration of each call. */
  readonly wallMs: number[];
  /** Processor time of the process for a call, mean of each round. */
  readonly cpuMs: number[];
}

async function measureRound({ pid, call, wallMs, cpuMs: means }: Measured, isKept: boolean): Promise<void> {
  const before = cpuMs(pid);
  for (let done = 0; done < CACHED.calls; done++) {
    const startedAt = performance.now();
    await call();
    if (isKept) wallMs.push(performance.now() - startedAt);
  }
  if (isKept) means.push((cpuMs(pid) - before) / CACHED.calls);
}

function cachedRow(server: Measured, echo: Measured, backend: Measured): Row {
  const [direct, floor, through] = [server, echo, backend].map(({ wallMs }) => summarize(wallMs));
  const [directCpuMs, floorCpuMs, pluginCpuMs] = [server, echo, backend].map((one) => summarize(one.cpuMs).medianMs);
  const ownMs = through!.medianMs - direct!.medianMs - floor!.medianMs;
  const ratio = pluginCpuMs! / floorCpuMs!;
  return {
    what: 'plugin: cached call',
    size: '',
    against: `straight ${ms(direct!.medianMs)}, a plugin that answers at once ${ms(floor!.medianMs)}`,
    measured: `${ms(through!.medianMs)}, of it own ${ms(ownMs)}; processor ${ratio.toFixed(2)} times the floor`,
    p95: ms(through!.p95Ms),
    bar: `${CACHED.ratioBar} times`,
    isWithin: ratio <= CACHED.ratioBar,
    detail: `processor: server ${ms(directCpuMs!)}, floor ${ms(floorCpuMs!)}, plugin ${ms(pluginCpuMs!)}`,
    figures: { direct, floor, through, ownMs, directCpuMs, floorCpuMs, pluginCpuMs, ratio },
  };
}

async function callStraight({ url, token }: Service): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/api/endpoints/query/logs.all`, {
    method: 'POST',
    headers: {
      'X-API-KEY': token,
      'Content-Type': 'application/json',
      Accept: 'application/vnd.apache.arrow.stream',
    },
    body: JSON.stringify({ params: QUERY.params, sql: QUERY.sql }),
  });
  const bytes = await answer.arrayBuffer();
  if (answer.status !== 200 || bytes.byteLength < ROWS) throw new Error(`the call answered ${answer.status}`);
  return performance.now() - startedAt;
}

async function callThrough(host: PluginHost, source: SourceSettings): Promise<number> {
  const startedAt = performance.now();
  const { A } = await host.query(source, [{ refId: 'A', query: QUERY }]);
  const durationMs = performance.now() - startedAt;
  if (A?.status !== 200) throw new Error(`the plugin answered ${A?.status}: ${A?.error}`);
  const { length } = decodeFrame(A.frames[0] as Uint8Array);
  if (length !== ROWS) throw new Error(`the plugin gave ${length} rows`);
  return durationMs;
}

function measureEncode(): Row {
  const bytes = numbersAsArrow(ENCODED_ROWS);
  const durations = Array.from({ length: 25 }, () => {
    const startedAt = performance.now();
    const frame = shapeResult(readResult(bytes, ENCODED_ROWS), {
      refId: 'A',
      name: 'bench',
      format: 'time_series',
      needsNumbers: false,
      limit: ENCODED_ROWS,
      meta: {},
    });
    const encoded = encodeFrame(frame);
    if (frame.length !== ENCODED_ROWS || encoded.length < ENCODED_ROWS * 24) throw new Error('the frame is not whole');
    return performance.now() - startedAt;
  });
  const timing = summarize(durations.slice(5));
  return row(
    `plugin: encode ${ENCODED_ROWS} rows`,
    timing,
    ENCODE_BAR_MS,
    'read, shape and write, time and two numbers',
    {}
  );
}

/**
 * Processor time, against that of parsing the metadata of the same lines, which a backend that builds objects needs on
 * top.
 */
function measureLogLines(): Row {
  const end = Date.parse('2026-01-08T00:00:00Z') * 1000;
  const events = [...sampleEvents('edge_requests', { endMicros: end, days: 1, edgeRequests: ROWS })].slice(0, ROWS);
  const bytes = logsAsArrow(events.map(({ event_message, metadata }) => ({ event_message, metadata: [metadata] })));
  const options = { refId: 'A', name: 'bench', format: 'logs', needsNumbers: false, limit: ROWS, meta: {} } as const;
  const texts = events.map(({ metadata }) => JSON.stringify([metadata]));
  const shaping = cpuMsOf(() => encodeFrame(shapeResult(readResult(bytes, ROWS), options)));
  const parsing = cpuMsOf(() => texts.map((text) => JSON.parse(text) as unknown));
  const ratio = shaping / parsing;
  return {
    what: `plugin: ${ROWS} log lines`,
    size: megabytes(bytes.length),
    against: `${ms(parsing)} to parse their metadata`,
    measured: `${ms(shaping)} of processor, ${ratio.toFixed(2)} times`,
    p95: '',
    bar: `${LINES_RATIO_BAR} times`,
    isWithin: ratio <= LINES_RATIO_BAR,
    detail: 'read, shape with labels and levels, write',
    figures: { shapingMs: shaping, parsingMs: parsing, ratio },
  };
}

/** @returns milliseconds of processor per call, compiling left out */
function cpuMsOf(work: () => unknown): number {
  for (let run = 0; run < WARM_UP; run++) work();
  const before = process.cpuUsage();
  for (let run = 0; run < CALLS; run++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / CALLS;
}

async function measureStart(): Promise<Row> {
  const durations: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const host = await startPlugin();
    durations.push(host.startedInMs);
    await host.stop();
  }
  return row('plugin: start', summarize(durations), 60_000, 'from spawning to the handshake', {});
}

/**
 * Eight callers at a time; the stand-in answers at once, so that the backend is what works, and as from a cache, so
 * that the backend keeps as much of the responses as it ever does.
 */
export async function soakPlugin(): Promise<Row> {
  const bytes = logsAsArrow(Array.from({ length: SOAK.rows }, (_, n) => shortLine(n)));
  const server = createServer((req, res) => {
    req.resume().on('end', () => res.writeHead(200, HIT).end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const source: SourceSettings = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const host = await startPlugin();
  try {
    const atStart = residentBytes(pidOf(host));
    let early = atStart;
    let sent = 0;
    let peak = 0;
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: SOAK.atOnce }, async () => {
        while (sent < SOAK.queries) {
          const params = { n: String(sent++) };
          const { A } = await host.query(source, [{ refId: 'A', query: { endpoint: { name: 'logs.all' }, params } }]);
          if (A?.status !== 200) throw new Error(`the plugin answered ${A?.status}: ${A?.error}`);
          if (sent % 500 === 0) peak = Math.max(peak, residentBytes(pidOf(host)));
          if (sent === SOAK.early) early = residentBytes(pidOf(host));
        }
      })
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const resident = residentBytes(pidOf(host));
    return {
      what: `plugin: memory after ${SOAK.queries} queries`,
      size: `${SOAK.rows} log lines`,
      against: '',
      measured: megabytes(resident),
      p95: '',
      bar: megabytes(SOAK.barBytes),
      isWithin: resident < SOAK.barBytes,
      detail: `at the start ${megabytes(atStart)}, after ${SOAK.early} ${megabytes(early)}, peak ${megabytes(peak)}, ${Math.round(SOAK.queries / seconds)} queries a second`,
      figures: { startBytes: atStart, earlyBytes: early, residentBytes: resident, peakBytes: peak, seconds },
    };
  } finally {
    await host.stop();
    server.close();
    server.closeAllConnections();
  }
}

function numbersAsArrow(rows: number): Uint8Array {
  const start = BigInt(Date.parse('2026-01-01T00:00:00Z')) * 1000n;
  const times = BigInt64Array.from({ length: rows }, (_, n) => start + BigInt(n) * 1_000_000n);
  const type = new TimestampMicrosecond('UTC');
  const fields = [new Field('time', type, true), new Field('a', new Int64(), true), new Field('b', new Int64(), true)];
  const children = [
    makeData({ type, length: rows, data: times }),
    ...['a', 'b'].map(() => makeData({ type: new Int64(), length: rows, data: times.slice() })),
  ];
  return arrowStream(fields, children, rows);
}

interface Line {
  readonly event_message: string;
  readonly metadata: unknown;
}

function shortLine(n: number): Line {
  return {
    event_message: `GET | 200 | /rest/v1/orders/${n} | a line of usual length with an agent and an address`,
    metadata: [{ request: [{ method: 'GET', path: `/rest/v1/orders/${n}` }], response: [{ status_code: 200 }] }],
  };
}

function logsAsArrow(lines: readonly Line[]): Uint8Array {
  const { length } = lines;
  const times = BigInt64Array.from({ length }, (_, n) => BigInt(Date.parse('2026-01-01T00:00:00Z') - n) * 1000n);
  const time = new TimestampMicrosecond('UTC');
  const text = (texts: string[]) => vectorFromArray(texts, new Utf8()).data[0]!;
  const fields = [
    new Field('id', new Utf8(), true),
    new Field('timestamp', time, true),
    new Field('event_message', new Utf8(), true),
    new Field('metadata', new Utf8(), true),
  ];
  const children = [
    text(lines.map((_, n) => `event-${n}`)),
    makeData({ type: time, length, data: times }),
    text(lines.map((line) => line.event_message)),
    text(lines.map((line) => JSON.stringify(line.metadata))),
  ];
  return arrowStream(fields, children, length);
}

function arrowStream(fields: Field[], children: ReturnType<typeof makeData>[], rows: number): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  writer.write(
    new RecordBatch(new Schema(fields), makeData({ type: new Struct(fields), length: rows, nullCount: 0, children }))
  );
  return writer.finish().toUint8Array(true);
}

function row(what: string, timing: Timing, barMs: number, detail: string, figures: Row['figures']): Row {
  return {
    what,
    size: '',
    against: '',
    measured: ms(timing.medianMs),
    p95: ms(timing.p95Ms),
    bar: ms(barMs),
    isWithin: timing.medianMs <= barMs,
    detail,
    figures: { ...timing, ...figures },
  };
}
