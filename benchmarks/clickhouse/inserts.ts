/**
 * Events a second over HTTP into ClickHouse, acknowledged when they are on disk, against the same events as rows made
 * beforehand and sent to an equal table. Four senders with a token each, since a lone one waits for each answer. Processor
 * time of ClickHouse has its merges in it, also those that end after the last answer.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { Connection } from '#server/stores/clickhouse/connection';
import { reportSchema } from '#server/stores/clickhouse/change-schema';
import { insertMark } from '#server/stores/clickhouse/insert-mark';
import type { ClickHouseOptions } from '#server/stores/clickhouse/options';
import { SourceState } from '#server/stores/clickhouse/source-state';
import { readBatch } from '#server/stores/ingest/read-batch';
import { ingestBatch } from '../../tests/support/stores/ingest-batch';
import { batches } from '../support/dataset';
import { createHttpClient } from '../support/http-client';
import { EDGE_SOURCE } from '../support/parts';
import { cpuSeconds } from '../support/processes';
import { grouped, ms, type Row } from '../support/report';
import { createBenchmarkToken, type Service } from '../support/service';
import { summarize, type Timing } from '../support/statistics';
import type { Front } from './front';

const SENDERS = 4;
const WARM_UP_BATCHES = 20;
const BATCHES = 200;
const BATCH_EVENTS = 1000;
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
): Promise<Row> {
  const bodies = [...batches(Date.now() * 1000, (WARM_UP_BATCHES + BATCHES) * BATCH_EVENTS, 2)];
  const spent = (): Spent => ({
    clickHouse: cpuSeconds(front.pid),
    server: cpuSeconds(service.serverPid),
    engine: cpuSeconds(service.enginePid),
  });
  const measured = { front, spent };
  const hand = await measureByHand(root, byHand, bodies, measured);
  const tokens = await Promise.all(
    Array.from({ length: SENDERS }, (_, at) => createBenchmarkToken(dataDir, `sender-${at}`, ['ingest']))
  );
  const clients = tokens.map((token) => createHttpClient(service.url, token));
  const own = await measureRate(bodies, measured, async (body, sender) => {
    const answer = await clients[sender]!.post('/api/logs?source=edge_requests', body, 'application/x-ndjson');
    if (answer.status !== 200) throw new Error(`ingest: ${answer.status} ${answer.body.toString('utf8')}`);
  });
  for (const client of clients) client.close();
  const [[stored, bytes] = []] = await front.query(
    `SELECT sum(rows), sum(bytes_on_disk) FROM system.parts WHERE database = 'inserts' AND table = '${EDGE_SOURCE}' AND active`
  );
  if (Number(stored) !== (WARM_UP_BATCHES + BATCHES) * BATCH_EVENTS)
    throw new Error(`ingest: ${String(stored)} events are stored`);
  return {
    what: `ClickHouse: ingest, ${SENDERS} senders`,
    size: grouped(BATCHES * BATCH_EVENTS),
    against: `${grouped(hand.perSecond)}/s (rows made beforehand)`,
    measured: `${grouped(own.perSecond)}/s (${(hand.perSecond / own.perSecond).toFixed(2)}x the time)`,
    p95: `${ms(own.batch.p95Ms)} a batch`,
    bar: '',
    isWithin: null,
    detail:
      `processor time of an event: ClickHouse ${micros(own.micros.clickHouse)} (rows made beforehand ` +
      `${micros(hand.micros.clickHouse)}), server ${micros(own.micros.server)}, engine ${micros(own.micros.engine)}; ` +
      `${Math.round(Number(bytes) / Number(stored))} bytes an event on disk`,
    figures: { own, hand, bytesOnDisk: Number(bytes) },
  };
}

interface Measured {
  readonly front: Front;
  readonly spent: () => Spent;
}

async function measureByHand(
  root: string,
  options: ClickHouseOptions,
  bodies: readonly Buffer[],
  measured: Measured
): Promise<Rate> {
  const sources = loadSources(join(root, 'sources.yaml'));
  const source = sources.find(({ name }) => name === EDGE_SOURCE)!;
  const { columns } = await reportSchema(options, sources);
  const state = new SourceState(source, columns.get(EDGE_SOURCE)!, []);
  const rows = bodies.map((body) => {
    const mark = insertMark(Date.now());
    return Buffer.concat(
      readBatch(state.reader, ingestBatch({ source: EDGE_SOURCE, body, nowMicros: Date.now() * 1000 })).rows.map(
        (row) => state.binary!.write(row, mark)
      )
    );
  });
  const connection = new Connection(options, options.writer);
  try {
    return await measureRate(rows, measured, (lines) =>
      connection.insert({ table: EDGE_SOURCE, columns: state.binary!.columns, rows: lines, token: randomUUID() })
    );
  } finally {
    await connection.close();
  }
}

async function measureRate(
  bodies: readonly Buffer[],
  { front, spent }: Measured,
  send: (body: Buffer, sender: number) => Promise<void>
): Promise<Rate> {
  const left = [...bodies];
  for (const body of left.splice(0, WARM_UP_BATCHES)) await send(body, 0);
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
  await Promise.all(Array.from({ length: SENDERS }, (_, at) => sender(at)));
  const events = BATCHES * BATCH_EVENTS;
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
