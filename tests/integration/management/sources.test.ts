/**
 * Sources over HTTP, on both catalogs: created while calls go on, changed, deleted and created again with their events;
 * what the store or a saved query cannot take changes nothing.
 *
 * @slow 60
 * @waits
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import buildServer from '../../support/processes/build-server';
import { type Api, apiOf, apiOfNewToken, sourceRequests } from '../../support/servers/api';
import { CATALOGS, type Ground, openCatalogGround, removeDatabases } from '../../support/servers/catalogs';
import { PROCESS_TOKEN, runCliWith, runServer, type ServiceProcess, startService } from '../../support/servers/spawned';

const SOURCES_FILE = path.join(__dirname, '..', '..', '..', 'sources.yaml');
const MATCH_ANY = { 'If-Match': '*' };
const PATCH = { 'Content-Type': 'application/merge-patch+json' };

const WRITTEN = `# logs of the shop
name:   shop   # senders use it
retention_days: 30
columns: { project: STRING }
tenant: project
tenant_optional: true
fields:
  route: STRING
`;

let ground: Ground;
let service: ServiceProcess;
let api: Api;

async function start(): Promise<void> {
  service = await startService(ground.place, ground.env);
  api = apiOf(service);
}

const createToken = (fields: object): Promise<Api> => apiOfNewToken(service, fields);
const { create, send, rows } = sourceRequests(() => api);
const names = async (): Promise<unknown> => (await api('GET', '/sources')).body.result.map(({ name }) => name);

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

  it('a created source takes events at once, and is read, listed and written to the audit trail', async () => {
    const created = await create({ name: 'app', aliases: ['the.app'], fields: { ms: 'FLOAT64' } });
    expect([created.status, created.headers.get('etag'), created.headers.get('location')]).toEqual([
      201,
      '"1"',
      '/api/sources/app',
    ]);
    expect(created.body.result).toMatchObject({
      name: 'app',
      origin: 'api',
      revision: 1,
      retention_days: 90,
      change: { by: { token_name: 'bootstrap' }, message: null, changed: [] },
    });
    expect(await send('app', { message: 'one', ms: 1 }, { message: 'two', ms: 2.5 })).toMatchObject({
      result: { accepted: 2 },
    });
    expect(await rows('SELECT SUM(m.ms) AS ms FROM `the.app` AS t LEFT JOIN UNNEST(t.metadata) AS m')).toEqual([
      { ms: 3.5 },
    ]);
    const listed = (await api('GET', '/sources')).body.result as unknown as readonly object[];
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'app', origin: 'api', revision: 1, events: 2 }),
        expect.objectContaining({ name: 'edge_requests', origin: 'file', revision: null }),
      ])
    );
    expect((await api('GET', '/sources/the.app/revisions')).body.result).toMatchObject([{ name: 'app', revision: 1 }]);
    const byAlias = await api('PATCH', '/sources/the.app', { description: 'Shop' }, { ...PATCH, ...MATCH_ANY });
    expect(byAlias.body.result).toMatchObject({ name: 'app', revision: 2, description: 'Shop' });
    const { body } = await api('GET', '/audit?action=source.create');
    expect(body.result).toMatchObject([{ object: { name: 'app' }, revision: 1, by: { token_name: 'bootstrap' } }]);
  }, 60_000);

  it('YAML is stored as it was sent, a patch keeps its comments, and a start reads it', async () => {
    const created = await api('POST', '/sources', WRITTEN);
    expect(created.status).toBe(201);
    const patch = { retention_days: 7, fields: { 'user.id': 'INT64' } };
    const changed = await api('PATCH', '/sources/shop', patch, { ...PATCH, 'If-Match': '"1"' });
    expect(changed.body.result).toMatchObject({
      revision: 2,
      retention_days: 7,
      fields: { route: 'STRING', 'user.id': 'INT64' },
      change: { changed: ['fields', 'retention_days'] },
    });
    await send('shop', { project: 'red', message: 'kept' });
    await service.stop('SIGINT');
    await start();
    const read = await api('GET', '/sources/shop');
    expect(read.headers.get('etag')).toBe('"2"');
    expect(read.body.result).toMatchObject({ name: 'shop', retention_days: 7, tenant: 'project' });
    expect(read.body.result['yaml']).toContain('# senders use it');
    expect(await rows('SELECT event_message AS m, project FROM shop')).toEqual([{ m: 'kept', project: 'red' }]);
  }, 60_000);

  it('the tenant of a source of the API confines tokens as that of a file does', async () => {
    await send('shop', { project: 'red', message: 'of red' }, { project: 'blue', message: 'of blue' });
    const { body } = await api('POST', '/endpoints', {
      definition: { name: 'shop.newest', query: 'SELECT event_message AS m FROM shop ORDER BY m' },
    });
    expect(body.result).toMatchObject({ revision: 1 });
    const red = await createToken({ scopes: ['query', 'ingest'], tenant: 'red' });
    expect((await red('GET', '/endpoints/query/shop.newest')).body.result).toEqual([{ m: 'kept' }, { m: 'of red' }]);
    const sent = await red('POST', '/logs?source=shop', [{ project: 'blue', message: 'x' }]);
    expect(JSON.stringify(sent.body)).toContain('tenant_mismatch');
  }, 60_000);

  it('a source that saved queries read is not deleted, nor changed so that they fail', async () => {
    const inUse = await api('DELETE', '/sources/shop', undefined, MATCH_ANY);
    expect([inUse.status, inUse.body.error]).toMatchObject([
      409,
      { code: 'source_in_use', details: { endpoints: ['shop.newest'] } },
    ]);
    await api('POST', '/endpoints', { definition: { name: 'shop.projects', query: 'SELECT project FROM shop' } });
    const broken = await api('PATCH', '/sources/shop', { columns: null, tenant: null }, { ...PATCH, ...MATCH_ANY });
    expect([broken.status, broken.body.error]).toMatchObject([
      409,
      { code: 'source_in_use', message: expect.stringContaining('"shop.projects" would fail'), details: {} },
    ]);
    expect((await api('GET', '/sources/shop')).body.result).toMatchObject({ revision: 2, tenant: 'project' });
    expect((await api('GET', '/endpoints/query/shop.projects')).status).toBe(200);
    expect(await send('shop', { project: 'red', message: 'still taken' })).toMatchObject({ result: { accepted: 1 } });
  }, 60_000);

  it('a deleted source is not read or sent to; created again it has its events and its history', async () => {
    await create({ name: 'ended_logs' });
    await send('ended_logs', { message: 'before' });
    expect((await api('DELETE', '/sources/ended_logs', undefined, { 'If-Match': '"1"' })).status).toBe(204);
    expect(await send('ended_logs', { message: 'lost' })).toMatchObject({ error: { code: 'source_not_found' } });
    expect(await names()).not.toContain('ended_logs');
    expect((await api('GET', '/sources/ended_logs')).body.error).toMatchObject({ code: 'source_not_found' });
    const again = await create({ name: 'ended_logs', description: 'again' });
    expect([again.status, again.body.result['revision']]).toEqual([201, 3]);
    expect(await rows('SELECT event_message AS m FROM ended_logs')).toEqual([{ m: 'before' }]);
    const history = (await api('GET', '/sources/ended_logs/revisions?limit=2')).body;
    expect(history.result.map(({ revision, action }) => [revision, action])).toEqual([
      [3, 'restore'],
      [2, 'delete'],
    ]);
    const rest = await api('GET', `/sources/ended_logs/revisions?limit=2&cursor=${history.next_cursor!}`);
    expect([rest.body.result.length, rest.body.next_cursor]).toEqual([1, null]);
    const { result } = (await api('GET', '/sources/ended_logs/revisions/1')).body;
    expect(result).toMatchObject({ revision: 1, action: 'create', definition: { name: 'ended_logs' } });
    expect((await api('GET', '/sources/ended_logs/revisions/9')).body.error).toMatchObject({
      code: 'revision_not_found',
    });
    expect((await api('GET', '/sources/database/revisions')).body.error).toMatchObject({ code: 'managed_elsewhere' });
  }, 60_000);

  it('a source is deleted with its events when the request says so', async () => {
    await create({ name: 'erased' });
    await send('erased', { message: 'private' });
    const wrong = await api('DELETE', '/sources/erased?events=all', undefined, MATCH_ANY);
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'parameter_invalid']);
    expect((await api('DELETE', '/sources/erased?events=delete', undefined, MATCH_ANY)).status).toBe(204);
    const { body } = await api('GET', '/audit?action=source.delete&limit=1');
    expect(body.result).toMatchObject([{ object: { name: 'erased' }, details: { events: 'deleted' } }]);
    await create({ name: 'erased' });
    expect(await rows('SELECT event_message FROM erased')).toEqual([]);
    expect(await send('erased', { message: 'new' })).toMatchObject({ result: { accepted: 1 } });
  }, 60_000);

  it('after its events are deleted, a source may have its fields and columns with other types', async () => {
    const definition = (type: string) => ({ name: 'retyped', columns: { shop: type }, fields: { ms: type } });
    await create(definition('INT64'));
    await send('retyped', { shop: 1, ms: 2, user: 3 });
    const query =
      'SELECT t.shop AS shop, m.ms AS ms, m.user AS user FROM retyped AS t LEFT JOIN UNNEST(t.metadata) AS m';
    expect((await api('DELETE', '/sources/retyped', undefined, MATCH_ANY)).status).toBe(204);
    expect((await create(definition('STRING'))).body.error).toMatchObject({ code: 'definition_invalid' });
    await create(definition('INT64'));
    expect(await rows(query)).toEqual([{ shop: 1, ms: 2, user: 3 }]);
    expect((await api('DELETE', '/sources/retyped?events=delete', undefined, MATCH_ANY)).status).toBe(204);
    expect((await create(definition('STRING'))).status).toBe(201);
    await send('retyped', { shop: 'one', ms: 'two', user: 'three' });
    expect(await rows(query)).toEqual([{ shop: 'one', ms: 'two', user: 'three' }]);
  }, 60_000);

  it.each([
    ['a name in use', { name: 'EDGE_requests'.toLowerCase() }, 409, 'name_taken'],
    ['an alias in use', { name: 'other', aliases: ['Edge_Requests'] }, 409, 'name_taken'],
    ['a name in another form', { name: 'No-Name' }, 422, 'definition_invalid'],
    ['an unknown key', { name: 'other', retention: 5 }, 422, 'definition_invalid'],
    ['a reserved column', { name: 'other', columns: { timestamp: 'STRING' } }, 422, 'definition_invalid'],
    ['a tenant that is no column', { name: 'other', tenant: 'project' }, 422, 'definition_invalid'],
  ])('%s is refused with the reason, and nothing is stored', async (_name, definition, status, code) => {
    const before = await names();
    const { status: answered, body } = await create(definition);
    expect([answered, body.error?.code]).toEqual([status, code]);
    expect(await names()).toEqual(before);
  });

  it('a changed type of stored events is refused, and calls go on with the former declaration', async () => {
    await create({ name: 'typed', columns: { code: 'STRING' } });
    await send('typed', { code: 'a1', message: 'x' });
    const changed = await api('PATCH', '/sources/typed', { columns: { code: 'INT64' } }, { ...PATCH, ...MATCH_ANY });
    expect([changed.status, changed.body.error]).toMatchObject([
      422,
      { code: 'definition_invalid', message: expect.stringMatching(/code.*STRING/), details: {} },
    ]);
    expect(await send('typed', { code: 'b2', message: 'y' })).toMatchObject({ result: { accepted: 1 } });
    expect(await rows('SELECT code FROM typed ORDER BY code')).toEqual([{ code: 'a1' }, { code: 'b2' }]);
  }, 60_000);

  it('a change needs the present revision; the name and the id stay; a file is changed where it is', async () => {
    await create({ name: 'kept_logs' });
    const patch = (target: string, change: object, headers: Record<string, string>) =>
      api('PATCH', `/sources/${target}`, change, { ...PATCH, ...headers });
    expect((await patch('kept_logs', { description: 'x' }, {})).status).toBe(428);
    expect((await patch('kept_logs', { description: 'x' }, { 'If-Match': '"7"' })).status).toBe(412);
    expect((await patch('kept_logs', { name: 'moved' }, MATCH_ANY)).body.error).toMatchObject({
      code: 'definition_invalid',
      message: 'The name of a source does not change.',
    });
    expect((await patch('edge_requests', { retention_days: 1 }, MATCH_ANY)).body.error).toMatchObject({
      code: 'managed_elsewhere',
    });
    expect((await patch('unknown', { retention_days: 1 }, MATCH_ANY)).status).toBe(404);
  }, 60_000);

  it('a repeated request with its Idempotency-Key gets the first answer', async () => {
    const headers = { 'Idempotency-Key': 'make-once' };
    const first = await create({ name: 'once' }, headers);
    const second = await create({ name: 'once' }, headers);
    expect([first.status, second.status, second.body.result['id']]).toEqual([201, 201, first.body.result['id']]);
    expect((await create({ name: 'twice' }, headers)).body.error).toMatchObject({ code: 'idempotency_conflict' });
  }, 60_000);

  it('only tokens with the scope change sources, and such a token has no tenant', async () => {
    const editor = await createToken({ scopes: ['endpoints:write', 'endpoints:read'] });
    expect((await editor('POST', '/sources', { definition: { name: 'mine' } })).body.error).toMatchObject({
      code: 'scope_missing',
    });
    const { code, stderr } = await runCliWith(
      ground.env,
      ...['token', 'create', '--name', 'bad', '--scope', 'sources:write', '--tenant', 'red']
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('sources:write')]);
    const maker = await createToken({ scopes: ['sources:write'] });
    expect((await maker('POST', '/sources', { definition: { name: 'made' } })).status).toBe(201);
    expect((await maker('GET', '/sources/made')).status).toBe(200);
  }, 60_000);

  it('calls go on while sources are created', async () => {
    let isDone = false;
    const slowest = (async () => {
      let longest = 0;
      while (!isDone) {
        const startedAt = performance.now();
        const { status } = await api('GET', '/endpoints/query/shop.newest?x=1', undefined, {
          'Cache-Control': 'no-cache',
        });
        expect(status).toBe(200);
        longest = Math.max(longest, performance.now() - startedAt);
      }
      return longest;
    })();
    for (let n = 0; n < 20; n += 1) expect((await create({ name: `many_${n}` })).status).toBe(201);
    isDone = true;
    expect(await slowest).toBeLessThan(3000);
  }, 60_000);

  describe('lqe sources', () => {
    const lqe = (...args: string[]) =>
      runCliWith({ ...ground.env, LQE_URL: service.url, LQE_TOKEN: PROCESS_TOKEN }, 'sources', ...args);
    const write = (name: string, text: string): string => {
      const file = path.join(ground.place.folder, name);
      writeFileSync(file, text);
      return file;
    };

    it('creates, replaces, lists, shows and deletes sources of files', async () => {
      const one = write('one.yaml', '# of a file\nname: from_file\nretention_days: 5\n');
      const two = write('two.yaml', 'sources:\n  - name: listed_one\n  - name: listed_two\n    description: Second\n');
      expect(await lqe('apply', one, two, '--dry-run')).toMatchObject({
        code: 2,
        stdout: expect.stringMatching(/^from_file would be created/),
      });
      expect(await lqe('apply', one, two, '-m', 'first')).toEqual({
        code: 0,
        stdout: 'Created from_file.\nCreated listed_one.\nCreated listed_two.\n',
        stderr: '',
      });
      write('one.yaml', '# of a file\nname: from_file\nretention_days: 6\n');
      expect((await lqe('apply', one, two)).stdout).toBe(
        'listed_one is unchanged.\nlisted_two is unchanged.\nChanged from_file (revision 2).\n'
      );
      expect((await lqe('show', 'from_file')).stdout).toBe('# of a file\nname: from_file\nretention_days: 6\n');
      expect((await lqe('list')).stdout).toMatch(/^from_file +api +6 +0 +-/m);
      expect((await lqe('delete', 'listed_two')).code).toBe(1);
      expect((await lqe('delete', 'listed_two', '--yes')).stdout).toContain('Deleted listed_two.');
      expect((await lqe('show', 'listed_two')).stderr).toContain('There is no source listed_two');
      expect((await lqe('restore', 'listed_two', '1', '-m', 'back')).stdout).toBe(
        'Restored revision 1 of listed_two as revision 3.\n'
      );
      expect((await lqe('history', 'listed_two')).stdout).toMatch(/^3 .* restore +back$.*^2 .* delete.*^1 .* create/ms);
      expect((await lqe('show', 'from_file', '--revision', '1')).stdout).toContain('retention_days: 5\n');
      expect((await lqe('show', 'listed_two', '--revision', '2')).stderr).toContain('Revision 2 deleted listed_two.');
    }, 60_000);

    it('names the place of a problem, and changes nothing', async () => {
      const good = write('good.yaml', 'name: not_made\n');
      const bad = write('bad.yaml', 'name: bad\nretention_days: 0\n');
      const taken = write('taken.yaml', 'name: edge_requests\n');
      const { code, stderr } = await lqe('apply', good, bad, taken);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/bad\.yaml:2:17: .*retention_days/)]);
      expect(stderr).toContain('edge_requests: is declared in a file of the server');
      expect((await lqe('show', 'not_made')).code).toBe(1);
    }, 60_000);
  });

  it('other commands know the sources of the API', async () => {
    const backup = path.join(ground.place.folder, 'backup');
    const made = await runCliWith({ ...ground.env, LQE_SOURCES_FILE: SOURCES_FILE }, 'backup', backup);
    expect(made).toMatchObject({ code: 0 });
    const manifest = JSON.parse(readFileSync(path.join(backup, 'manifest.json'), 'utf8')) as {
      readonly sources: readonly { readonly name: string }[];
    };
    expect(manifest.sources.map(({ name }) => name)).toEqual(expect.arrayContaining(['edge_requests', 'app', 'shop']));
  }, 60_000);

  if (catalog === 'PostgreSQL')
    it('a pushed set may read sources of the API, and does not take their names', async () => {
      const lqe = (...args: string[]) => runCliWith(ground.env, 'catalog', 'push', ...args);
      const file = path.join(ground.place.folder, 'taken.yaml');
      writeFileSync(file, `${readFileSync(SOURCES_FILE, 'utf8')}\n  - name: other\n    aliases: [Shop]\n`);
      expect(await lqe('--sources-file', file)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('"Shop" is used by source "shop" of the API'),
      });
      const text = 'id: 7d1a9fd0-0000-4000-8000-00000000aaaa\nname: pushed\nquery: SELECT project FROM shop\n';
      writeFileSync(path.join(ground.place.endpointsDir, 'pushed.yaml'), text);
      expect(await lqe('--sources-file', SOURCES_FILE)).toMatchObject({ code: 0 });
    }, 60_000);

  if (catalog === 'data folder')
    it('a file that takes the name of a source of the API stops a start, and names both', async () => {
      await service.stop('SIGINT');
      const file = path.join(ground.place.folder, 'sources.yaml');
      writeFileSync(file, 'sources:\n  - name: edge_requests\n  - name: other\n    aliases: [kept_logs]\n');
      const { code, output } = await runServer(ground.place, { ...ground.env, LQE_SOURCES_FILE: file });
      expect([code, output]).toEqual([1, expect.stringMatching(/sources\.yaml.*"kept_logs".*of the API/s)]);
      await start();
    }, 60_000);
});
