/** Changes of sources that open the store again are limited: calls wait meanwhile. Those that listeners need stay. */
import { listenerSchema } from '#server/ingest/syslog/settings/listener';
import { send } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';

let service: TestService;
beforeEach(() => (service = createTestService({ settings: { LQE_MAX_CHANGES_PER_MINUTE: '1000' } })));
afterEach(() => service.close());

const headers = { 'X-API-KEY': BOOTSTRAP_TOKEN, 'Content-Type': 'application/json' };
const create = (name: string) =>
  send(service.server, '/api/sources', { method: 'POST', headers, body: JSON.stringify({ definition: { name } }) });
const describeAs = (description: string) =>
  send(service.server, '/api/sources/app', {
    method: 'PATCH',
    headers: { ...headers, 'If-Match': '*' },
    body: JSON.stringify({ description }),
  });

it('ten are made in a minute; the next gets 429 with a time to retry, and further sources are still created', async () => {
  const reopen = jest.spyOn(service.engine, 'reopen');
  expect((await create('app')).status).toBe(201);
  for (let n = 0; n < 10; n += 1) expect((await describeAs(`v${n}`)).status).toBe(200);
  const refused = await describeAs('v10');
  expect([refused.status, refused.json()]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(reopen).toHaveBeenCalledTimes(10);
  expect((await create('other')).status).toBe(201);
});

it('a change that changes nothing, and one of a stale revision, do not count', async () => {
  await create('app');
  for (let n = 0; n < 20; n += 1) await describeAs('same');
  const stale = { method: 'DELETE', headers: { ...headers, 'If-Match': '"1"' } };
  for (let n = 0; n < 20; n += 1) expect((await send(service.server, '/api/sources/app', stale)).status).toBe(412);
  expect((await describeAs('other')).status).toBe(200);
});

it('a source that a syslog listener stores messages in is not deleted, nor changed so that they are refused', async () => {
  await create('app');
  const definition = { name: 'logs', aliases: ['machines'], columns: { project: 'STRING' } };
  const body = JSON.stringify({ definition });
  expect((await send(service.server, '/api/sources', { method: 'POST', headers, body })).status).toBe(201);
  const listener = listenerSchema.parse({ name: 'tcp', transport: 'tcp', port: 0, source: 'machines' });
  service.ctx.listeners.replace([listener]);
  const change = (method: string, patch?: object) =>
    send(service.server, '/api/sources/logs', {
      method,
      headers: { ...headers, 'If-Match': '"1"' },
      ...(patch && { body: JSON.stringify(patch) }),
    });
  const refused = {
    error: { code: 'source_in_use', details: { listeners: ['tcp'], hint: expect.stringContaining('LQE_SYSLOG_FILE') } },
  };
  for (const answer of [
    await change('DELETE'),
    await change('PATCH', { aliases: [] }),
    await change('PATCH', { tenant: 'project' }),
  ])
    expect([answer.status, answer.json()]).toMatchObject([409, refused]);
  expect((await change('PATCH', { description: 'of machines' })).status).toBe(200);
  const other = { method: 'DELETE', headers: { ...headers, 'If-Match': '"1"' } };
  expect((await send(service.server, '/api/sources/app', other)).status).toBe(204);
});
