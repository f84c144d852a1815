/**
 * One batch that many senders send at the same moment, over HTTP to the built server: one copy of each event, on both
 * stores, and on ClickHouse behind two servers, too.
 *
 * @slow 20
 */
import { setTimeout as sleep } from 'node:timers/promises';
import buildServer from '../../../support/processes/build-server';
import { type ClickHouseEngine, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { SENDER_KINDS, type SentRequest } from '../../../support/senders/sender-kinds';
import { createClickHouseStore } from '../../../support/servers/clickhouse-store';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';

const SENDERS = 8;
const ROUNDS = 4;
const RETRY_MS = 20;
const KINDS = SENDER_KINDS.filter(({ mayDouble }) => !mayDouble).map((kind) => [kind.name, kind] as const);

interface Outcome {
  readonly accepted: number;
  readonly duplicates: number;
}

let clickHouse: ClickHouseEngine;

beforeAll(async () => {
  await buildServer();
  clickHouse = await startClickHouseEngine();
}, 120_000);
afterAll(() => clickHouse.stop());

describe.each([
  ['DuckDB', 1, () => Promise.resolve({})],
  ['ClickHouse', 1, () => createClickHouseStore(clickHouse)],
  ['ClickHouse behind two servers', 2, () => createClickHouseStore(clickHouse, { LQE_CLICKHOUSE_DATABASE: 'two' })],
] as const)('%s', (_, servers, settings) => {
  const places: Place[] = [];
  const services: ServiceProcess[] = [];

  beforeAll(async () => {
    const env = await settings();
    for (let n = 0; n < servers; n++) {
      const place = createPlace();
      places.push(place);
      services.push(await startService(place, env));
    }
  }, 60_000);
  afterAll(async () => {
    for (const service of services) await service.stop();
    for (const place of places) place.remove();
  });

  it.each(KINDS)('stores one copy of %s', async (name, kind) => {
    const project = name.replaceAll(' ', '-').toLowerCase();
    let sent = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const request = kind.request(project, round);
      const outcomes = await Promise.all(
        Array.from({ length: SENDERS }, (_, at) => sendUntilStored(services[at % servers]!, request))
      );
      for (const { accepted } of outcomes) expect(accepted).toBe(request.events);
      // Two servers may both say that their copy is the one that is stored.
      const duplicates = outcomes.reduce((sum, outcome) => sum + outcome.duplicates, 0);
      const copies = request.events * SENDERS - duplicates;
      expect(copies).toBeGreaterThanOrEqual(request.events);
      expect(copies).toBeLessThanOrEqual(request.events * servers);
      sent += request.events;
    }
    for (const service of services) expect(await countStored(service, project)).toBe(sent);
  });
});

async function sendUntilStored({ url }: ServiceProcess, { body, headers }: SentRequest): Promise<Outcome> {
  for (;;) {
    const answer = await fetch(`${url}/api/logs?source=edge_requests`, {
      method: 'POST',
      headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/x-ndjson', ...headers },
      body,
    });
    const text = await answer.text();
    if (answer.status === 200) return (JSON.parse(text) as { result: Outcome }).result;
    if (answer.status !== 429) throw new Error(`${answer.status} ${text}`);
    await sleep(RETRY_MS);
  }
}

async function countStored({ url }: ServiceProcess, project: string): Promise<number> {
  const query = new URLSearchParams({ project, sql: 'select count(*) as n from edge_logs' });
  const answer = await fetch(`${url}/api/endpoints/query/logs.all?${query.toString()}`, {
    headers: { 'X-API-KEY': PROCESS_TOKEN, 'Cache-Control': 'no-cache' },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  return (JSON.parse(text) as { result: [{ n: number }] }).result[0].n;
}
