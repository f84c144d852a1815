/** Changes while the place where they are stored fails: an honest status, and nothing of the cause. */
import { writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogError } from '#server/catalog/database/catalog-error';
import { send } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

const headers = { 'X-API-KEY': BOOTSTRAP_TOKEN, 'Content-Type': 'application/json' };
const create = () =>
  send(service.server, '/api/endpoints', {
    method: 'POST',
    headers,
    body: JSON.stringify({ definition: { name: 'new.one', query: 'SELECT 1 AS n' } }),
  });

it('a disk that fails is 503 without a path, is logged, and the saved query does not exist', async () => {
  writeFileSync(join(service.dataDir, 'saved-queries'), 'a file in the place of the folder');
  const refused = await create();
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('"reason":"disk_failed"')]);
  expect(refused.text).not.toContain(service.dataDir);
  expect(service.logText()).toContain('cannot be stored or served');
  expect((await send(service.server, '/api/endpoints/new.one', { headers })).status).toBe(404);
});

it('a source that cannot be stored is 503, and the store is opened without it again', async () => {
  writeFileSync(join(service.dataDir, 'sources'), 'a file in the place of the folder');
  const reopen = jest.spyOn(service.engine, 'reopen');
  const body = JSON.stringify({ definition: { name: 'app' } });
  const refused = await send(service.server, '/api/sources', { method: 'POST', headers, body });
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('"reason":"disk_failed"')]);
  expect(refused.text).not.toContain(service.dataDir);
  expect(service.engine.asked.map(({ kind }) => kind)).toContain('addSource');
  expect(reopen.mock.calls.map(([sources]) => sources.map(({ name }) => name))).toEqual([['edge_requests']]);
  expect((await send(service.server, '/api/sources/app', { headers })).status).toBe(404);
  const sent = await send(service.server, '/api/logs?source=app', { method: 'POST', headers, body: '{}' });
  expect(sent.status).toBe(404);
});

it('a source whose folder could not be synced is served, and takes further changes', async () => {
  const { open } = fs;
  jest.spyOn(fs, 'open').mockImplementation((path, ...rest) => {
    if (path !== service.dataDir) return open(path, ...rest);
    return Promise.reject(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' }));
  });
  const body = JSON.stringify({ definition: { name: 'app' } });
  expect((await send(service.server, '/api/sources', { method: 'POST', headers, body })).status).toBe(503);
  jest.restoreAllMocks();
  const stored = await send(service.server, '/api/sources/app', { headers });
  expect([stored.status, stored.text]).toEqual([200, expect.stringContaining('"revision":1')]);
  const change = { method: 'PATCH', headers: { ...headers, 'If-Match': '"1"' }, body: '{"description":"kept"}' };
  const changed = await send(service.server, '/api/sources/app', change);
  expect([changed.status, changed.text]).toEqual([200, expect.stringContaining('"revision":2')]);
});

it('a disk that fails is 503 for changes of tokens and purges, which then do not happen', async () => {
  writeFileSync(join(service.dataDir, 'audit'), 'a file in the place of the folder');
  const body = JSON.stringify({ name: 'x', scopes: ['query'] });
  const created = await send(service.server, '/api/tokens', { method: 'POST', headers, body });
  const purged = await send(service.server, '/api/endpoints/logs.all/cache', { method: 'DELETE', headers });
  for (const { status, text } of [created, purged]) {
    expect([status, text]).toEqual([503, expect.stringContaining('"reason":"disk_failed"')]);
    expect(text).not.toContain(service.dataDir);
  }
  expect(created.text).toContain('The change could not be stored.');
  expect(purged.text).toContain('Nothing was purged');
  expect(service.logText()).toContain('EEXIST');
  expect((await send(service.server, '/api/tokens', { headers })).json().result).toEqual([]);
});

it('a revision whose folder could not be synced is served, and the saved query takes further changes', async () => {
  const { open } = fs;
  jest.spyOn(fs, 'open').mockImplementation((path, ...rest) => {
    if (path !== service.dataDir) return open(path, ...rest);
    return Promise.reject(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' }));
  });
  expect((await create()).status).toBe(503);
  jest.restoreAllMocks();
  const stored = await send(service.server, '/api/endpoints/new.one', { headers });
  expect([stored.status, stored.text]).toEqual([200, expect.stringContaining('"revision":1')]);
  const body = JSON.stringify({ definition: { name: 'new.one', query: 'SELECT 2 AS n' } });
  const replaced = await send(service.server, '/api/endpoints/new.one', {
    method: 'PUT',
    headers: { ...headers, 'If-Match': '"1"' },
    body,
  });
  expect(replaced.status).toBe(200);
});

it('a catalog that does not answer is 503 with a time to retry, and its reason is logged', async () => {
  service.ctx.audit.append = () => Promise.reject(new CatalogError('unreachable', 'the database cannot be reached'));
  const refused = await send(service.server, '/api/endpoints/logs.all/cache', { method: 'DELETE', headers });
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('"code":"catalog_unavailable"')]);
  expect(refused.headers['retry-after']).toBe('5');
  expect(service.logText()).toContain('the database cannot be reached');
});

it('a note with half of a surrogate pair, which no database stores, is refused', async () => {
  const body = JSON.stringify({ definition: { name: 'new.one', query: 'SELECT 1 AS n' }, message: 'half \ud800' });
  const refused = await send(service.server, '/api/endpoints', { method: 'POST', headers, body });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('"code":"body_invalid"')]);
});
