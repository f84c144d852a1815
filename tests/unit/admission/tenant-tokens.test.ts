/** Tokens of one tenant compete as one with those of other tenants. */
import { send } from '../../support/fakes/connection';
import { jsonResult } from '../../support/fakes/engine';
import { settle } from '../../support/fakes/clock';
import { createTestService, LOGS, type TestService } from '../../support/servers/in-memory';

const CALL = `/api/endpoints/query/${LOGS.name}?project=abc`;
const MANY = 40;

let service: TestService;
afterEach(() => service.close());

const call = (token: string, target: string) => send(service.server, target, { headers: { 'X-API-KEY': token } });

it('queries of many tokens of a tenant do not refuse those of another, which is next', async () => {
  service = createTestService();
  const ended: (() => void)[] = [];
  service.engine.answers.run = async (request) => {
    await new Promise<void>((resolve) => ended.push(resolve));
    return jsonResult(request, []);
  };
  const tokens = Array.from({ length: MANY }, (_, n) => service.createToken({ name: `a${n}`, tenant: 'a' }));
  const neighbor = service.createToken({ name: 'b', tenant: 'b' });
  const busy = tokens.map((token, n) => call(token, `${CALL}&iso_timestamp_start=2026-03-01T00:00:${10 + n}Z`));
  while (service.ctx.runPermits.waiting < 32) await settle();
  const asked = call(neighbor, CALL);
  while (!service.log.some(({ code }) => code === 'concurrency_limited')) await settle();
  ended[0]!();
  while (ended.length < 5) await settle();
  expect(service.engine.asked.filter(({ kind }) => kind === 'run')[4]!.request).toMatchObject({ tenant: 'b' });
  for (let n = 1; n < ended.length; n++) {
    ended[n]!();
    await settle();
  }
  expect((await asked).status).toBe(200);
  while (service.ctx.runPermits.running > 0) {
    ended.pop()?.();
    await settle();
  }
  const statuses = (await Promise.all(busy)).map(({ status }) => status).sort();
  // Five of the forty find no place; one gives its place to the neighbor.
  expect(statuses).toEqual([...Array<number>(35).fill(200), 429, ...Array<number>(4).fill(503)]);
});

it('ingest bodies of a tenant need no more memory than those of a token, however many tokens send them', async () => {
  const event = '{"event_message":"x"}';
  service = createTestService({
    settings: { LQE_MAX_INGEST_BODY_BYTES: '1024', LQE_MAX_INGEST_INFLATED_BYTES: '1024' },
  });
  const { ctx } = service;
  const first = ctx.bodyBudget.open('tenant a');
  for (let n = 0; n < 127; n++) first.add(1024 * 1024);
  first.add(1_000_000);
  const post = (token: string) =>
    send(service.server, '/api/logs?source=edge_requests', {
      method: 'POST',
      headers: { 'X-API-KEY': token, 'Content-Type': 'application/x-ndjson' },
      body: event,
    });
  expect((await post(service.createToken({ tenant: 'a' }))).status).toBe(429);
  expect((await post(service.createToken({ tenant: 'b' }))).status).toBe(200);
  first.release();
});
