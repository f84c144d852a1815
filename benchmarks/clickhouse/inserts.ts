/** Events a second over HTTP into ClickHouse, acknowledged when they are on disk. Four senders, since a lone one waits for each answer. */
import { batches } from '../support/dataset';
import { grouped, ms, type Row } from '../support/report';
import type { Service } from '../support/service';
import { INGEST_BAR_PER_SECOND } from '../support/settings';
import { summarise } from '../support/statistics';
import type { Front } from './front';

const SENDERS = 4;
const WARM_UP_BATCHES = 20;
const BATCHES = 200;
const BATCH_EVENTS = 1000;

export async function measureInserts({ client }: Service, front: Front): Promise<Row> {
  const bodies = [...batches(Date.now() * 1000, (WARM_UP_BATCHES + BATCHES) * BATCH_EVENTS, 2)];
  const send = async (body: Buffer): Promise<number> => {
    const answer = await client.post('/api/logs?source=edge_requests', body, 'application/x-ndjson');
    if (answer.status !== 200) throw new Error(`ingest: ${answer.status} ${answer.body.toString('utf8')}`);
    return answer.durationMs;
  };
  for (const body of bodies.splice(0, WARM_UP_BATCHES)) await send(body);
  const durationsMs: number[] = [];
  const startedAt = performance.now();
  const sender = async (): Promise<void> => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) durationsMs.push(await send(body));
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  const perSecond = (BATCHES * BATCH_EVENTS * 1000) / (performance.now() - startedAt);
  const [[stored, bytes] = []] = await front.query(
    "SELECT sum(rows), sum(bytes_on_disk) FROM system.parts WHERE database = 'inserts' AND table = 'edge_requests' AND active"
  );
  if (Number(stored) !== (WARM_UP_BATCHES + BATCHES) * BATCH_EVENTS)
    throw new Error(`ingest: ${String(stored)} events are stored`);
  const timing = summarise(durationsMs);
  return {
    what: `ClickHouse: ingest, ${SENDERS} senders`,
    size: grouped(BATCHES * BATCH_EVENTS),
    against: '',
    measured: `${grouped(perSecond)}/s`,
    p95: `${ms(timing.p95Ms)} a batch`,
    bar: `${grouped(INGEST_BAR_PER_SECOND)}/s`,
    isWithin: perSecond >= INGEST_BAR_PER_SECOND,
    detail: `engine, service and senders on the same processors; ${Math.round(Number(bytes) / Number(stored))} bytes an event on disk`,
    figures: { perSecond, batch: timing, bytesOnDisk: Number(bytes) },
  };
}
