/**
 * Events a second over HTTP into ClickHouse, acknowledged when they are on disk, against the same events as ready-made rows
 * beforehand, sent by the same client to an equal table. Four senders, since a lone one waits for each answer.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { Connection } from '#server/stores/clickhouse/connection';
import { reportSchema } from '#server/stores/clickhouse/change-schema';
import { insertMark } from '#server/stores/clickhouse/insert-mark';
import type { ClickHouseOptions } from '#server/stores/clickhouse/options';
import { SourceState } from '#server/stores/clickhouse/source-state';
import { readBatch } from '#server/stores/ingest/read-batch';
import { ingestBatch } from '../../tests/support/stores/ingest-batch';
import { batches } from '../support/dataset';
import { EDGE_SOURCE } from '../support/parts';
import { grouped, ms, type Row } from '../support/report';
import type { Service } from '../support/service';
import { summarize, type Timing } from '../support/statistics';
import type { Front } from './front';

const SENDERS = 4;
const WARM_UP_BATCHES = 20;
const BATCHES = 200;
const BATCH_EVENTS = 1000;

interface Rate {
  readonly perSecond: number;
  readonly batch: Timing;
}

/** @param byHand where the rows go that are made beforehand; its tables are there */
export async function measureInserts(
  { client }: Service,
  front: Front,
  root: string,
  byHand: ClickHouseOptions
): Promise<Row> {
  const bodies = [...batches(Date.now() * 1000, (WARM_UP_BATCHES + BATCHES) * BATCH_EVENTS, 2)];
  const hand = await measureByHand(root, byHand, bodies);
  const own = await measureRate(bodies, async (body) => {
    const answer = await client.post('/api/logs?source=edge_requests', body, 'application/x-ndjson');
    if (answer.status !== 200) throw new Error(`ingest: ${answer.status} ${answer.body.toString('utf8')}`);
  });
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
    detail: `engine, service and senders on the same processors; ${Math.round(Number(bytes) / Number(stored))} bytes an event on disk`,
    figures: { own, hand, bytesOnDisk: Number(bytes) },
  };
}

async function measureByHand(root: string, options: ClickHouseOptions, bodies: readonly Buffer[]): Promise<Rate> {
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
    return await measureRate(rows, (lines) =>
      connection.insert({ table: EDGE_SOURCE, columns: state.binary!.columns, rows: lines, token: randomUUID() })
    );
  } finally {
    await connection.close();
  }
}

async function measureRate(bodies: readonly Buffer[], send: (body: Buffer) => Promise<void>): Promise<Rate> {
  const left = [...bodies];
  for (const body of left.splice(0, WARM_UP_BATCHES)) await send(body);
  const durationsMs: number[] = [];
  const startedAt = performance.now();
  const sender = async (): Promise<void> => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) {
      const sentAt = performance.now();
      await send(body);
      durationsMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return {
    perSecond: (BATCHES * BATCH_EVENTS * 1000) / (performance.now() - startedAt),
    batch: summarize(durationsMs),
  };
}
