/**
 * Events a second over HTTP into ClickHouse, acknowledged when they are on disk, against the same events as rows made
 * beforehand and sent to an equal table. Each sender has a token and a connection of its own and waits for each answer.
 * Processor time of ClickHouse has its merges in it, also those that end after the last answer.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { Connection } from '#server/stores/clickhouse/connection/connection';
import { reportSchema } from '#server/stores/clickhouse/schema/change-schema';
import { insertMark } from '#server/stores/clickhouse/schema/insert-mark';
import type { ClickHouseOptions } from '#server/stores/clickhouse/connection/options';
import { SourceState } from '#server/stores/clickhouse/write/source-state';
import { readBatch } from '#server/stores/ingest/read/read-batch';
import { bytesOf, writeRows } from '#server/stores/clickhouse/write/write-rows';
import { ingestBatch } from '../../../tests/support/stores/ingest-batch';
import { BATCH_EVENTS, batches } from '../../support/dataset';
import { createHttpClient } from '../../support/http-client';
import { EDGE_SOURCE } from '../../support/parts';
import { cpuSeconds } from '../../support/processes';
import { grouped, ms, type Row } from '../../support/report';
import { createBenchmarkToken, type Service } from '../../support/service';
import { summarize, type Timing } from '../../support/statistics';
import type { Front } from './front';

interface Load {
  readonly senders: number;
  readonly batches: number;
  /** Events of a batch. */
  readonly size: number;
}

/** One after another, into the same table. */
const LOADS: readonly Load[] = [
  { senders: 4, batches: 100, size: 1000 },
  { senders: 16, batches: 100, size: 1000 },
  { senders: 16, batches: 400, size: 50 },
];
const WARM_UP_BATCHES = 20;
const CHECK_MS = 250;
const IDLE_CHECKS = 4;

interface Rate {
  readonly perSecond: number;
  readonly batch: Timing;
  /** Processor time of an event. */
  readonly micros: { readonly clickHouse: number; readonly server: number; readonly engine: number };
}

/** Processor seconds so far. */
type Spent = Rate['micros'];

/** @param byHand where the rows go that are made beforehand; its tables are there */
export async function measureInserts(
  service: Service,
  dataDir: string,
  front: Front,
  root: string,
  byHand: ClickHouseOptions
): Promise<Row[]> {
  const { warmUp, loads } = bodiesOf(LOADS);
  const spent = (): Spent => ({
    clickHouse: cpuSeconds(front.pid),
    server: cpuSeconds(service.serverPid),
    engine: cpuSeconds(service.enginePid),
  });
  const sendRows = await rowSender(root, byHand);
  const sendBody = await bodySender(service, dataDir);
  for (const send of [sendRows.send, sendBody.send]) for (const body of warmUp) await send(body, 0);
  const rows: Row[] = [];
  for (const [at, load] of LOADS.entries()) {
    const measured = { front, spent, load, bodies: loads[at]! };
    const hand = await measureRate({ ...measured, bodies: measured.bodies.map(sendRows.write) }, sendRows.sendWritten);
    rows.push(rowOf(load, hand, await measureRate(measured, sendBody.send)));
  }
  await sendRows.close();
  sendBody.close();
  const [[stored] = []] = await front.query(
    `SELECT sum(rows) FROM system.parts WHERE database = 'inserts' AND table = '${EDGE_SOURCE}' AND active`
  );
  const sent = LOADS.reduce((sum, { batches, size }) => sum + batches * size, WARM_UP_BATCHES * BATCH_EVENTS);
  if (Number(stored) !== sent) throw new Error(`ingest: ${String(stored)} events are stored, not ${sent}`);
  return rows;
}

function rowOf({ senders, batches, size }: Load, hand: Rate, own: Rate): Row {
  return {
    what: `ClickHouse: ingest, ${senders} senders, batches of ${grouped(size)}`,
    size: grouped(batches * size),
    against: `${grouped(hand.perSecond)}/s (rows made beforehand)`,
    measured: `${grouped(own.perSecond)}/s (${(hand.perSecond / own.perSecond).toFixed(2)}x the time)`,
    p95: `${ms(own.batch.p95Ms)} a batch`,
    bar: '',
    isWithin: null,
    detail:
      `processor time of an event: ClickHouse ${micros(own.micros.clickHouse)} (rows made beforehand ` +
      `${micros(hand.micros.clickHouse)}), server ${micros(own.micros.server)}, engine ${micros(own.micros.engine)}`,
    figures: { own, hand },
  };
}

/** Bodies of all loads, with different events. */
function bodiesOf(given: readonly Load[]): { readonly warmUp: readonly Buffer[]; readonly loads: readonly Buffer[][] } {
  const events = given.reduce((sum, { batches, size }) => sum + batches * size, WARM_UP_BATCHES * BATCH_EVENTS);
  const large = [...batches(Date.now() * 1000, events, 2)];
  const warmUp = large.splice(0, WARM_UP_BATCHES);
  const loads = given.map(({ batches: count, size }) =>
    large.splice(0, (count * size) / BATCH_EVENTS).flatMap((body) => pieces(body, size))
  );
  return { warmUp, loads };
}

function pieces(body: Buffer, size: number): Buffer[] {
  const lines = body.toString('utf8').split('\n');
  return Array.from({ length: lines.length / size }, (_, n) =>
    Buffer.from(lines.slice(n * size, (n + 1) * size).join('\n'))
  );
}

/** Sends events over HTTP to the service. */
async function bodySender(service: Service, dataDir: string) {
  const most = Math.max(...LOADS.map(({ senders }) => senders));
  const clients = await Promise.all(
    Array.from({ length: most }, async (_, at) =>
      createHttpClient(service.url, await createBenchmarkToken(dataDir, `sender-${at}`, ['ingest']))
    )
  );
  return {
    send: async (body: Buffer, sender: number): Promise<void> => {
      const answer = await clients[sender]!.post('/api/logs?source=edge_requests', body, 'application/x-ndjson');
      if (answer.status !== 200) throw new Error(`ingest: ${answer.status} ${answer.body.toString('utf8')}`);
    },
    close: (): void => {
      for (const client of clients) client.close();
    },
  };
}

/** Sends rows to ClickHouse. */
async function rowSender(root: string, options: ClickHouseOptions) {
  const sources = loadSources(join(root, 'sources.yaml'));
  const source = sources.find(({ name }) => name === EDGE_SOURCE)!;
  const { columns } = await reportSchema(options, sources);
  const state = new SourceState(source, columns.get(EDGE_SOURCE)!, []);
  const connection = new Connection(options, options.writer);
  const write = (body: Buffer): readonly Buffer[] => {
    const { rows } = readBatch(state.reader, ingestBatch({ source: EDGE_SOURCE, body, nowMicros: Date.now() * 1000 }));
    return bytesOf(writeRows(state, rows, insertMark(Date.now()), body.length));
  };
  const sendWritten = (rows: readonly Buffer[]): Promise<void> =>
    connection.insert({ table: EDGE_SOURCE, columns: state.binary!.columns, rows, token: randomUUID() });
  return {
    write,
    sendWritten,
    send: (body: Buffer): Promise<void> => sendWritten(write(body)),
    close: (): Promise<void> => connection.close(),
  };
}

interface Measured<B> {
  readonly front: Front;
  readonly spent: () => Spent;
  readonly load: Load;
  readonly bodies: readonly B[];
}

async function measureRate<B>(
  { front, spent, load, bodies }: Measured<B>,
  send: (body: B, sender: number) => Promise<void>
): Promise<Rate> {
  const left = [...bodies];
  await merged(front);
  const durationsMs: number[] = [];
  const before = spent();
  const startedAt = performance.now();
  const sender = async (at: number): Promise<void> => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) {
      const sentAt = performance.now();
      await send(body, at);
      durationsMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: load.senders }, (_, at) => sender(at)));
  const events = load.batches * load.size;
  const perSecond = (events * 1000) / (performance.now() - startedAt);
  await merged(front);
  const after = spent();
  const each = (name: keyof Spent): number => ((after[name] - before[name]) / events) * 1e6;
  return {
    perSecond,
    batch: summarize(durationsMs),
    micros: { clickHouse: each('clickHouse'), server: each('server'), engine: each('engine') },
  };
}

/** Resolves when ClickHouse has merged what it wants to merge for now. */
async function merged(front: Front): Promise<void> {
  for (let idle = 0; idle < IDLE_CHECKS;) {
    await setTimeout(CHECK_MS);
    const [[merges] = []] = await front.query('SELECT count() FROM system.merges');
    idle = Number(merges) === 0 ? idle + 1 : 0;
  }
}

function micros(value: number): string {
  return `${value.toFixed(0)} us`;
}
