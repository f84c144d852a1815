/** The rate of changes of one token. */
import { send } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService } from '../../../support/servers/in-memory';

it.each([
  ['a purge of cached results', 'DELETE', '/api/endpoints/logs.all/cache', 204],
  ['a token that is created', 'POST', '/api/tokens', 201],
])('%s counts as a change', async (_name, method, path, status) => {
  const service = createTestService({ settings: { LQE_MAX_CHANGES_PER_MINUTE: '2' } });
  const headers = { 'X-API-KEY': BOOTSTRAP_TOKEN, 'Content-Type': 'application/json' };
  const body = method === 'POST' ? JSON.stringify({ name: 'a' }) : undefined;
  const change = () => send(service.server, path, { method, headers, ...(body !== undefined && { body }) });
  try {
    expect([(await change()).status, (await change()).status]).toEqual([status, status]);
    const refused = await change();
    expect([refused.status, refused.json().error.details.reason]).toEqual([429, 'changes']);
  } finally {
    service.close();
  }
});
