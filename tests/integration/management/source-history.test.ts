/**
 * Earlier definitions of sources over HTTP, on both catalogs: restored, also of a deleted source; and what is listed of
 * sources with names and columns that no query of a person would have.
 *
 * @slow 40
 * @waits
 */
import buildServer from '../../support/processes/build-server';
import { type Api, apiOf, apiOfNewToken, sourceRequests } from '../../support/servers/api';
import { CATALOGS, type Ground, openCatalogGround, removeDatabases } from '../../support/servers/catalogs';
import { type ServiceProcess, startService } from '../../support/servers/spawned';

const MATCH_ANY = { 'If-Match': '*' };
const PATCH = { 'Content-Type': 'application/merge-patch+json' };

let ground: Ground;
let service: ServiceProcess;
let api: Api;

async function start(): Promise<void> {
  service = await startService(ground.place, ground.env);
  api = apiOf(service);
}

const createToken = (fields: object): Promise<Api> => apiOfNewToken(service, fields);
const { create, send, rows } = sourceRequests(() => api);

beforeAll(() => buildServer(), 180_000);
afterAll(() => removeDatabases(), 60_000);

describe.each(CATALOGS)('in the catalog "%s"', (catalog) => {
  beforeAll(async () => {
    ground = await openCatalogGround(catalog);
    await start();
  }, 120_000);
  afterAll(async () => {
    await service.stop('SIGINT');
    ground.remove();
  }, 60_000);

  it('an earlier definition is restored, of a deleted source too, with its events', async () => {
    const text = '# first\nname: restored\nretention_days: 30\n';
    await api('POST', '/sources', { yaml: text });
    await send('restored', { message: 'before' });
    await api('PATCH', '/sources/restored', { retention_days: 60 }, { ...PATCH, ...MATCH_ANY });
    const restore = (revision: number, headers = {}) =>
      api('POST', `/sources/restored/revisions/${revision}/restore`, { message: 'back' }, headers);
    expect((await restore(1, { 'If-Match': '"1"' })).status).toBe(412);
    const back = await restore(1, { 'If-Match': '"2"' });
    expect([back.status, back.body.result]).toMatchObject([
      200,
      { revision: 3, retention_days: 30, change: { changed: ['retention_days'], message: 'back' } },
    ]);
    expect((await api('GET', '/sources/restored')).body.result['yaml']).toBe(text);
    expect((await restore(1)).body.result).toMatchObject({ revision: 3 });
    await api('DELETE', '/sources/restored', undefined, MATCH_ANY);
    const headers = { 'Idempotency-Key': 'restore-once' };
    const deletion = await restore(4);
    expect([deletion.status, deletion.body.error]).toMatchObject([
      404,
      { code: 'revision_not_found', message: expect.stringContaining('deleted the source') },
    ]);
    for (const each of [await restore(2, headers), await restore(2, headers)])
      expect([each.status, each.body.result]).toMatchObject([200, { revision: 5, retention_days: 60 }]);
    expect(await rows('SELECT event_message AS m FROM restored')).toEqual([{ m: 'before' }]);
    const { body } = await api('GET', '/audit?action=source.restore&limit=1');
    expect(body.result).toMatchObject([{ object: { name: 'restored' }, revision: 5, message: 'back' }]);
    const editor = await createToken({ scopes: ['endpoints:write', 'endpoints:read'] });
    expect((await editor('POST', '/sources/restored/revisions/1/restore')).body.error).toMatchObject({
      code: 'scope_missing',
    });
    expect((await api('POST', '/sources/database/revisions/1/restore')).body.error).toMatchObject({
      code: 'managed_elsewhere',
    });
    expect((await api('POST', '/sources/unknown/revisions/1/restore')).body.error).toMatchObject({
      code: 'source_not_found',
    });
  }, 60_000);

  it('a restoration that saved queries or stored events forbid changes nothing', async () => {
    await create({ name: 'grown', columns: { code: 'STRING' } });
    await api('PATCH', '/sources/grown', { columns: { route: 'STRING' } }, { ...PATCH, ...MATCH_ANY });
    await api('POST', '/endpoints', { definition: { name: 'grown.routes', query: 'SELECT route FROM grown' } });
    const refused = await api('POST', '/sources/grown/revisions/1/restore');
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'source_in_use', details: { endpoints: ['grown.routes'] } },
    ]);
    expect((await api('GET', '/sources/grown')).body.result).toMatchObject({ revision: 2 });
    await create({ name: 'taker', aliases: ['old.name'] });
    await api('PATCH', '/sources/taker', { aliases: null }, { ...PATCH, ...MATCH_ANY });
    await create({ name: 'owner', aliases: ['old.name'] });
    expect((await api('POST', '/sources/taker/revisions/1/restore')).body.error).toMatchObject({ code: 'name_taken' });
  }, 60_000);

  it('a source whose name is a word of SQL, or with more columns than a query may have, is listed', async () => {
    const columns = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`c${n}`, 'STRING']));
    expect((await create({ name: 'select' })).status).toBe(201);
    expect((await create({ name: 'wide', columns })).status).toBe(201);
    await send('select', { message: 'one' });
    const { status, body } = await api('GET', '/sources');
    const listed = (name: string) => body.result.find((each) => each['name'] === name)!;
    expect([status, listed('select')['events'], (listed('wide')['columns'] as unknown[]).length]).toEqual([
      200, 1, 254,
    ]);
    // What was listed is remembered, and a field that is new is listed all the same.
    await send('select', { message: 'two', added_later: 1 });
    await create({ name: 'listed_again' });
    const again = (await api('GET', '/sources')).body.result.find((each) => each['name'] === 'select')!;
    expect([again['events'], JSON.stringify(again['columns'])]).toEqual([2, expect.stringContaining('added_later')]);
  }, 60_000);

  it('a source that was deleted with its events takes other types, and has no field of before', async () => {
    await create({ name: 'retyped', columns: { code: 'STRING' } });
    await send('retyped', { code: 'a', ms: 'slow', user: { 'jane@example.com': 1 } });
    await api('DELETE', '/sources/retyped', undefined, MATCH_ANY);
    const other = { name: 'retyped', columns: { code: 'INT64' }, fields: { ms: 'FLOAT64' } };
    const refused = await create(other);
    expect([refused.status, refused.body.error]).toMatchObject([
      422,
      { code: 'definition_invalid', details: { hint: expect.stringContaining('events=delete') } },
    ]);
    await api('POST', '/sources/retyped/revisions/1/restore');
    expect((await api('DELETE', '/sources/retyped?events=delete', undefined, MATCH_ANY)).status).toBe(204);
    expect((await create(other)).status).toBe(201);
    await send('retyped', { code: 7, ms: 1.5 });
    expect(await rows('SELECT code, m.ms FROM retyped AS t CROSS JOIN UNNEST(t.metadata) AS m')).toEqual([
      { code: 7, ms: 1.5 },
    ]);
    const { body } = await api('GET', '/sources');
    expect(JSON.stringify(body.result.find(({ name }) => name === 'retyped'))).not.toContain('jane');
  }, 60_000);
});
