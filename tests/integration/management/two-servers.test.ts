/**
 * Two servers that share a catalog: a change on one is served by the other within two seconds, and of two changes for
 * the same revision one is made.
 *
 * @slow 20
 */
import { setTimeout as delay } from 'node:timers/promises';
import buildServer from '../../support/processes/build-server';
import { type Api, apiOf } from '../../support/servers/api';
import { anotherPlace, type Ground, openCatalogGround, removeDatabases } from '../../support/servers/catalogs';
import { type Place, type ServiceProcess, startService } from '../../support/servers/spawned';

const WITHIN_MS = 2000;
const PATCH = { 'Content-Type': 'application/merge-patch+json' };

let ground: Ground;
let second: Place;
let services: ServiceProcess[];
let here: Api;
let there: Api;

beforeAll(async () => {
  await buildServer();
  ground = await openCatalogGround('PostgreSQL');
  second = anotherPlace();
  const env = { ...ground.env, LQE_DATA_DIR: second.dataDir };
  services = await Promise.all([startService(ground.place, ground.env), startService(second, env)]);
  [here, there] = services.map((service) => apiOf(service)) as [Api, Api];
}, 180_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop('SIGINT')));
  ground.remove();
  second.remove();
  await removeDatabases();
}, 60_000);

const create = (api: Api, name: string, query: string): Promise<unknown> =>
  api('POST', '/endpoints', { definition: { name, query, cache_seconds: 600 } });
const valueOn = async (api: Api, name: string): Promise<unknown> => {
  const { status, body } = await api('GET', `/endpoints/query/${name}`);
  return status === 200 ? body.result[0]!['n'] : status;
};

/** Polls until the value is served. @returns milliseconds */
async function servedAfter(api: Api, name: string, value: unknown): Promise<number> {
  const startedAt = performance.now();
  while ((await valueOn(api, name)) !== value && performance.now() - startedAt < 10 * WITHIN_MS) await delay(20);
  return performance.now() - startedAt;
}

it('a created, a changed, a deleted and a restored saved query are followed', async () => {
  await create(here, 'followed', 'SELECT 1 AS n');
  expect(await servedAfter(there, 'followed', 1)).toBeLessThan(WITHIN_MS);
  await here('PATCH', '/endpoints/followed', { query: 'SELECT 2 AS n' }, { ...PATCH, 'If-Match': '"1"' });
  expect(await servedAfter(there, 'followed', 2)).toBeLessThan(WITHIN_MS);
  await here('DELETE', '/endpoints/followed', undefined, { 'If-Match': '"2"' });
  expect(await servedAfter(there, 'followed', 404)).toBeLessThan(WITHIN_MS);
  await there('POST', '/endpoints/followed/revisions/1/restore');
  expect(await servedAfter(here, 'followed', 1)).toBeLessThan(WITHIN_MS);
}, 60_000);

it('a created, a changed and a deleted source are followed', async () => {
  const followed = async (expected: unknown): Promise<void> => {
    const startedAt = performance.now();
    const read = async (): Promise<unknown> => {
      const { status, body } = await there('GET', '/sources/followed_logs');
      return status === 200 ? body.result['description'] : status;
    };
    while ((await read()) !== expected && performance.now() - startedAt < 10 * WITHIN_MS) await delay(20);
    expect(performance.now() - startedAt).toBeLessThan(2 * WITHIN_MS);
  };
  await here('POST', '/sources', { definition: { name: 'followed_logs', description: 'first' } });
  await followed('first');
  const sent = await there('POST', '/logs?source=followed_logs', { message: 'x' });
  expect(sent.body).toMatchObject({ result: { accepted: 1 } });
  await here('PATCH', '/sources/followed_logs', { description: 'second' }, { ...PATCH, 'If-Match': '"1"' });
  await followed('second');
  const taken = await there('POST', '/sources', { definition: { name: 'other', aliases: ['followed_logs'] } });
  expect(taken.body.error).toMatchObject({ code: 'name_taken' });
  await there('DELETE', '/sources/followed_logs', undefined, { 'If-Match': '"2"' });
  expect((await here('POST', '/sources', { definition: { name: 'followed_logs' } })).status).toBe(201);
}, 60_000);

it('of two sources with one name, created at once, one is made', async () => {
  const answers = await Promise.all(
    [here, there].map((api) => api('POST', '/sources', { definition: { name: 'contended_logs' } }))
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const sent = await Promise.all(
    [here, there].map((api) => api('POST', '/logs?source=contended_logs', { message: 'x' }))
  );
  expect(sent.map(({ status }) => status)).toContain(200);
}, 60_000);

it('a change that was read from one server can be made on the other at once', async () => {
  await create(here, 'handed.over', 'SELECT 1 AS n');
  const patch = { query: 'SELECT 2 AS n' };
  const changed = await there('PATCH', '/endpoints/handed.over', patch, { ...PATCH, 'If-Match': '"1"' });
  expect([changed.status, await valueOn(there, 'handed.over')]).toEqual([200, 2]);
}, 60_000);

it('of two changes for one revision, one is made and one is 412', async () => {
  await create(here, 'contended', 'SELECT 0 AS n');
  for (let revision = 1; revision <= 10; revision += 1) {
    const headers = { ...PATCH, 'If-Match': `"${revision}"` };
    const answers = await Promise.all(
      [here, there].map((api, n) =>
        api('PATCH', '/endpoints/contended', { query: `SELECT ${n} AS n, ${revision} AS r` }, headers)
      )
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  }
  const { result } = (await here('GET', '/endpoints/contended/revisions?limit=100')).body;
  expect(result.map(({ revision }) => revision)).toEqual([...Array(11).keys()].map((n) => 11 - n));
}, 60_000);

it('of two saved queries with one name, one is created', async () => {
  const answers = await Promise.all(
    [here, there].map((api) =>
      api('POST', '/endpoints', { definition: { name: 'one.of.two', query: 'SELECT 1 AS n' } })
    )
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
}, 60_000);

it('a repeated POST on the other server gets the first answer', async () => {
  const body = { definition: { name: 'sent.twice', query: 'SELECT 1 AS n' } };
  const headers = { 'Idempotency-Key': 'twice' };
  const answers = [await here('POST', '/endpoints', body, headers), await there('POST', '/endpoints', body, headers)];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[1]!.body.result).toEqual(answers[0]!.body.result);
}, 60_000);

it('without the database a change is 503, and calls go on', async () => {
  await create(here, 'goes.on', 'SELECT 1 AS n');
  await removeDatabases();
  const refused = await here('POST', '/endpoints', { definition: { name: 'too.late', query: 'SELECT 1 AS n' } });
  expect([refused.status, refused.body.error.code]).toEqual([503, 'catalog_unavailable']);
  expect(refused.headers.get('retry-after')).toBe('5');
  const history = await here('GET', '/endpoints/goes.on/revisions');
  expect([history.status, history.body.error.code]).toEqual([503, 'catalog_unavailable']);
  expect(await valueOn(here, 'goes.on')).toBe(1);
}, 60_000);
