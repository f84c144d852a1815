/**
 * Saved queries over HTTP, on both catalogs: created, changed, restored, deleted; nothing is half done, nothing is
 * overwritten, running and cached calls get what they asked for.
 *
 * @slow 60
 * @waits
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import buildServer from '../../support/processes/build-server';
import { type Api, apiOf, apiOfNewToken } from '../../support/servers/api';
import { CATALOGS, type Ground, openCatalogGround, removeDatabases } from '../../support/servers/catalogs';
import { runServer, type ServiceProcess, startService } from '../../support/servers/spawned';

const MATCH_ANY = { 'If-Match': '*' };
const PATCH = { 'Content-Type': 'application/merge-patch+json' };
const MISSING_ID = '7d1a9fd0-0000-4000-8000-00000000ffff';

/** With comments and forms that a printer of YAML would not choose. */
const WRITTEN = `# counts
name:   'written.by.hand'   # called by dashboards
query: |
  -- the first line
  SELECT 1 AS n,
         @who AS who
parameters: [ { name: who, default: "me" } ]
cache_seconds: 600
`;

let ground: Ground;
let service: ServiceProcess;
let api: Api;

const definition = (name: string, query = 'SELECT 1 AS n', more: object = {}): object => ({
  definition: { name, query, ...more },
});
const call = async (name: string, parameters = ''): Promise<unknown> =>
  (await api('GET', `/endpoints/query/${name}${parameters}`)).body?.result;

async function start(): Promise<void> {
  service = await startService(ground.place, ground.env);
  api = apiOf(service);
}

const createToken = (fields: object): Promise<Api> => apiOfNewToken(service, fields);

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

  describe('create', () => {
    it('answers with the definition, its place and its revision, and the first call runs it', async () => {
      const created = await api('POST', '/endpoints', { ...definition('created.one'), message: 'first' });
      expect(created.status).toBe(201);
      expect(created.headers.get('etag')).toBe('"1"');
      expect(created.headers.get('location')).toBe(`/api/endpoints/${String(created.body.result.id)}`);
      expect(created.body.result).toMatchObject({
        name: 'created.one',
        origin: 'api',
        revision: 1,
        max_rows: 1000,
        change: { by: { token_name: 'bootstrap' }, message: 'first', changed: [] },
      });
      expect(await call('created.one')).toEqual([{ n: 1 }]);
      expect(await call(String(created.body.result.id))).toEqual([{ n: 1 }]);
      const { body } = await api('GET', '/endpoints?limit=100');
      expect(body.result.map(({ name, origin }) => [name, origin])).toEqual(
        expect.arrayContaining([
          ['created.one', 'api'],
          ['logs.all', 'file'],
        ])
      );
    });

    it('stores YAML as it was sent, and a patch keeps its comments', async () => {
      const created = await api('POST', '/endpoints', WRITTEN);
      expect([created.status, await call('written.by.hand')]).toEqual([201, [{ n: 1, who: 'me' }]]);
      const first = await api('GET', '/endpoints/written.by.hand/revisions/1');
      expect(first.body.result).toMatchObject({ yaml: WRITTEN, revision: 1, definition: { cache_seconds: 600 } });
      const patch = { max_rows: 7, cache_seconds: null };
      const patched = await api('PATCH', '/endpoints/written.by.hand', patch, { ...PATCH, 'If-Match': '"1"' });
      expect(patched.body.result).toMatchObject({
        revision: 2,
        max_rows: 7,
        cache_seconds: null,
        change: { changed: ['cache_seconds', 'max_rows'] },
      });
      const { yaml } = (await api('GET', '/endpoints/written.by.hand/revisions/2')).body.result;
      expect(yaml).toContain('# called by dashboards');
      expect(yaml).toContain('-- the first line');
      expect(yaml).toContain('max_rows: 7');
      expect(yaml).not.toContain('cache_seconds');
    });

    it('takes an id, and refuses ids and names in use, of files too', async () => {
      const id = '7D1A9FD0-0000-4000-8000-00000000AAAA';
      const created = await api('POST', '/endpoints', definition('with.id', undefined, { id }));
      expect(created.body.result.id).toBe(id.toLowerCase());
      const sameId = await api('POST', '/endpoints', definition('other.name', undefined, { id: id.toLowerCase() }));
      const sameName = await api('POST', '/endpoints', definition('with.id'));
      const ofFile = await api('POST', '/endpoints', definition('logs.all'));
      for (const refused of [sameId, sameName, ofFile]) expect(refused.status).toBe(409);
      expect([sameId, sameName, ofFile].map(({ body }) => body.error.details['field'])).toEqual(['id', 'name', 'name']);
      const reserved = await api('POST', '/endpoints', definition('preview'));
      expect([reserved.status, reserved.body.error.code]).toEqual([422, 'definition_invalid']);
    });

    it.each([
      ['an unknown field', definition('bad.one', 'SELECT 1', { cache_secnds: 1 }), 422, /cache_seconds/],
      ['a bad value', definition('bad.one', 'SELECT 1', { max_rows: 'many' }), 422, /max_rows/],
      [
        'a parameter list that calls nothing',
        definition('bad.one', 'SELECT @a AS a', {
          parameters: [{ name: 'a', values: { query: 'absent' } }],
        }),
        422,
        /absent/,
      ],
      ['no definition', {}, 422, /name/],
      ['two forms at once', { ...definition('bad.one'), yaml: 'name: x' }, 400, /either/],
      ['a list', [1], 400, /object/],
      ['YAML that breaks off', 'name: bad.one\nquery: "SELECT', 422, /definition is not valid/],
      ['YAML with an alias bomb', 'name: &a bad.one\nquery: *a\n', 422, /definition is not valid/],
      ['a query that does not compile', definition('bad.one', 'SELECT nope FROM edge_requests'), 400, /nope/],
    ])('refuses %s and stores nothing', async (_title, body, status, message) => {
      const refused = await api('POST', '/endpoints', body);
      expect([refused.status, refused.text]).toEqual([status, expect.stringMatching(message)]);
      expect((await api('GET', '/endpoints/bad.one')).status).toBe(404);
    });

    it('gives the place of an error in the query and in the YAML', async () => {
      const text = 'name: bad.one\nquery: |\n  SELECT\n    nope\n  FROM edge_requests\n';
      const { body } = await api('POST', '/endpoints', text);
      expect(body.error.details).toMatchObject({
        position: { line: 2, column: 3 },
        text_position: { line: 4, column: 5 },
      });
      const shape = await api('POST', '/endpoints', 'name: bad.one\nmax_rows: 0\nquery: SELECT 1\n');
      expect(shape.body.error.details).toMatchObject({ problems: [{ position: { line: 2, column: 11 } }] });
    });
  });

  describe('preconditions', () => {
    beforeAll(() => api('POST', '/endpoints', definition('guarded')));

    it.each(['PUT', 'PATCH', 'DELETE'])('%s without one is 428 and changes nothing', async (method) => {
      const body = method === 'DELETE' ? undefined : definition('guarded', 'SELECT 2 AS n');
      const refused = await api(method, '/endpoints/guarded', body);
      expect([refused.status, refused.body.error.code]).toEqual([428, 'precondition_required']);
      expect(await call('guarded')).toEqual([{ n: 1 }]);
    });

    it('a stale revision is 412 with the present one, and the ETag of GET is accepted', async () => {
      const stale = await api('PUT', '/endpoints/guarded', definition('guarded', 'SELECT 2 AS n'), {
        'If-Match': '"9"',
      });
      expect([stale.status, stale.body.error.details['revision']]).toEqual([412, 1]);
      const etag = (await api('GET', '/endpoints/guarded')).headers.get('etag')!;
      const changed = await api('PUT', '/endpoints/guarded', definition('guarded', 'SELECT 2 AS n'), {
        'If-Match': etag,
      });
      expect([changed.status, changed.headers.get('etag'), await call('guarded')]).toEqual([200, '"2"', [{ n: 2 }]]);
    });

    it('of ten changes for the same revision at once, one is made', async () => {
      const headers = { 'If-Match': '"2"' };
      const answers = await Promise.all(
        [...Array(10).keys()].map((n) =>
          api('PUT', '/endpoints/guarded', definition('guarded', `SELECT ${n} AS n`), headers)
        )
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(412)]);
      expect((await api('GET', '/endpoints/guarded/revisions')).body.result).toHaveLength(3);
    });

    it.each([
      ['If-Match', 'three'],
      ['If-None-Match', '"1"'],
    ])('refuses %s: %s', async (name, value) => {
      const refused = await api('PUT', '/endpoints/guarded', definition('guarded'), { [name]: value });
      expect([refused.status, refused.body.error.code]).toEqual([400, 'header_invalid']);
    });

    it('If-None-Match: * creates under the name or the id of the path, once', async () => {
      const headers = { 'If-None-Match': '*' };
      const body = { definition: { query: 'SELECT 5 AS n' } };
      expect((await api('PUT', '/endpoints/put.by.name', body, headers)).status).toBe(201);
      expect((await api('PUT', '/endpoints/put.by.name', body, headers)).status).toBe(412);
      const byId = await api('PUT', `/endpoints/${MISSING_ID}`, definition('put.by.id'), headers);
      expect([byId.status, byId.body.result.id]).toEqual([201, MISSING_ID]);
      expect((await api('PUT', '/endpoints/not.there', definition('not.there'), MATCH_ANY)).status).toBe(404);
    });

    it('a text that equals the present one makes no revision', async () => {
      await api('PUT', '/endpoints/same.text', 'name: same.text\nquery: SELECT 1 AS n\n', { 'If-None-Match': '*' });
      const again = await api('PUT', '/endpoints/same.text', 'name: same.text\nquery: SELECT 1 AS n\n', MATCH_ANY);
      expect([again.status, again.headers.get('etag')]).toEqual([200, '"1"']);
    });
  });

  describe('a change', () => {
    it('takes effect with the next call, without the cached result of the former text', async () => {
      await api('POST', '/endpoints', definition('cached', 'SELECT 1 AS n', { cache_seconds: 600 }));
      expect([await call('cached'), await call('cached')]).toEqual([[{ n: 1 }], [{ n: 1 }]]);
      await api('PATCH', '/endpoints/cached', { query: 'SELECT 2 AS n' }, { ...PATCH, ...MATCH_ANY });
      expect(await call('cached')).toEqual([{ n: 2 }]);
      await api('POST', '/endpoints/cached/revisions/1/restore');
      expect(await call('cached')).toEqual([{ n: 1 }]);
    });

    it('does not disturb calls: each gets one of the two texts, whole', async () => {
      await api('POST', '/endpoints', definition('busy', 'SELECT 0 AS n'));
      let isChanging = true;
      const seen: unknown[] = [];
      const callers = [1, 2, 3].map(async () => {
        while (isChanging) seen.push((await api('GET', '/endpoints/query/busy')).body.result?.[0]?.['n']);
      });
      for (let n = 1; n <= 20; n += 1)
        await api('PATCH', '/endpoints/busy', { query: `SELECT ${n} AS n` }, { ...PATCH, ...MATCH_ANY });
      isChanging = false;
      await Promise.all(callers);
      for (const n of seen) expect([...Array(21).keys()]).toContain(n);
      expect(await call('busy')).toEqual([{ n: 20 }]);
    });

    it('of the name keeps the id, and only who may see it learns the new name', async () => {
      const { body } = await api('POST', '/endpoints', definition('former.name'));
      await api('PATCH', '/endpoints/former.name', { name: 'present.name' }, { ...PATCH, ...MATCH_ANY });
      const missing = await api('GET', '/endpoints/query/former.name');
      expect([missing.status, missing.body.error.details['renamed_to']]).toEqual([404, 'present.name']);
      expect(await call(String(body.result.id))).toEqual([{ n: 1 }]);
      const stranger = await createToken({ endpoints: ['logs.all'] });
      const hidden = await stranger('GET', '/endpoints/query/former.name');
      expect([hidden.status, hidden.text]).toEqual([404, expect.not.stringContaining('present.name')]);
    });

    it('of the id is refused', async () => {
      await api('POST', '/endpoints', definition('fixed.id'));
      const body = definition('fixed.id', 'SELECT 3 AS n', { id: MISSING_ID.replace('ffff', 'eeee') });
      const refused = await api('PUT', '/endpoints/fixed.id', body, MATCH_ANY);
      expect([refused.status, refused.body.error.code]).toEqual([422, 'definition_invalid']);
    });

    it('of a saved query of a file is refused', async () => {
      for (const [method, target, body] of [
        ['PUT', '/endpoints/logs.all', definition('logs.all')],
        ['PATCH', '/endpoints/usage.api-counts', { definition: { max_rows: 1 } }],
        ['DELETE', '/endpoints/logs.all', undefined],
        ['GET', '/endpoints/logs.all/revisions', undefined],
      ] as const) {
        const refused = await api(method, target, body, MATCH_ANY);
        expect([method, refused.status, refused.body.error.code]).toEqual([method, 409, 'managed_elsewhere']);
      }
    });

    it('of what another saved query lists as values is refused', async () => {
      await api('POST', '/endpoints', definition('list.of.values', `SELECT 'a' AS value`));
      const parameters = [{ name: 'a', values: { query: 'list.of.values' } }];
      await api('POST', '/endpoints', definition('user.of.values', 'SELECT @a AS a', { parameters }));
      const removed = await api('DELETE', '/endpoints/list.of.values', undefined, MATCH_ANY);
      expect([removed.status, removed.body.error.details['endpoints']]).toEqual([409, ['user.of.values']]);
      const renamed = await api('PATCH', '/endpoints/list.of.values', { name: 'x' }, { ...PATCH, ...MATCH_ANY });
      expect([renamed.status, renamed.body.error.code]).toEqual([409, 'endpoint_in_use']);
    });

    it('that takes a tenant from a token is refused', async () => {
      const parameters = [{ name: 'team', tenant: true, required: true }];
      await api('POST', '/endpoints', definition('of.teams', 'SELECT @team AS team', { parameters }));
      await createToken({ fixed_parameters: { team: 'red' } });
      for (const [method, body] of [
        ['DELETE', undefined],
        ['PATCH', { definition: { parameters: [{ name: 'team', required: true }] } }],
      ] as const) {
        const refused = await api(method, '/endpoints/of.teams', body, MATCH_ANY);
        expect([method, refused.status, refused.body.error.code]).toEqual([method, 409, 'endpoint_in_use']);
      }
    });

    it('needs the scope endpoints:write', async () => {
      const reader = await createToken({ scopes: ['endpoints:read', 'query'] });
      const refused = await reader('POST', '/endpoints', definition('not.mine'));
      expect([refused.status, refused.body.error.code]).toEqual([403, 'scope_missing']);
    });
  });

  describe('hostile bodies', () => {
    const KIB = 1024;
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const written = (json: string): Uint8Array => Buffer.from(json);
    beforeAll(() => api('POST', '/endpoints', definition('attacked')));

    it.each<[string, string, string, unknown, number]>([
      ['a definition of 1 MiB', 'POST', '', definition('big', `SELECT '${'x'.repeat(KIB * KIB)}' AS a`), 413],
      ['YAML of 1 MiB', 'POST', '', 'x'.repeat(KIB * KIB), 413],
      [
        'a body of many values',
        'POST',
        '',
        Object.fromEntries([...Array(20_000).keys()].map((n) => [`k${n}`, 1])),
        400,
      ],
      ['many unknown fields', 'POST', '', Object.fromEntries([...Array(9000).keys()].map((n) => [`k${n}`, 1])), 422],
      [
        'many unknown fields in a patch',
        'PATCH',
        '/attacked',
        { definition: Object.fromEntries([...Array(9000).keys()].map((n) => [`k${n}`, 1])) },
        422,
      ],
      ['deep JSON', 'POST', '', written(`{"name":"deep","query":${deep}}`), 400],
      ['a deep patch', 'PATCH', '/attacked', written(`{"definition":{"parameters":${deep}}}`), 400],
      ['a name of 1,000 characters', 'POST', '', definition('n'.repeat(1000)), 422],
      ['a path of 1,000 characters', 'PUT', `/${'n'.repeat(1000)}`, { query: 'SELECT 1 AS n' }, 422],
      ['a name with a slash', 'POST', '', definition('a/../b'), 422],
      [
        'half of a surrogate pair',
        'POST',
        '',
        written('{"name":"half","query":"SELECT 1 AS n","description":"\\ud800"}'),
        422,
      ],
      ['a NUL in YAML', 'POST', '', 'name: half\nquery: "SELECT 1 AS n\\0"\n', 422],
      ['a note of 501 characters', 'POST', '', { ...definition('noted'), message: 'x'.repeat(501) }, 400],
    ])('%s is refused in bounded time, while others are answered', async (_title, method, target, body, status) => {
      const refused = api(method, `/endpoints${target}`, body, method === 'POST' ? {} : MATCH_ANY);
      const waits: number[] = [];
      let isAnswered = false;
      const neighbor = (async () => {
        while (!isAnswered) {
          const startedAt = performance.now();
          await api('GET', '/endpoints/query/attacked');
          waits.push(performance.now() - startedAt);
        }
      })();
      const answer = await refused.finally(() => (isAnswered = true));
      await neighbor;
      expect([answer.status, answer.text.length < 10_000]).toEqual([status, true]);
      expect(Math.max(...waits)).toBeLessThan(2000);
    });

    it('61 changes in a minute are refused for one token only', async () => {
      const limited = await startService(ground.place, {
        ...ground.env,
        LQE_DATA_DIR: `${ground.place.dataDir}-limited`,
        LQE_MAX_CHANGES_PER_MINUTE: '60',
      });
      const change = apiOf(limited);
      const body = { definition: { name: 'nothing', query: 'SELECT 1 AS n' } };
      const answers = [];
      for (let n = 0; n < 61; n += 1)
        answers.push(await change('PUT', '/endpoints/absent', body, { 'If-Match': '"1"' }));
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(60).fill(404), 429]);
      expect(answers[60]!.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await change('GET', '/endpoints/logs.all')).status).toBe(200);
      await limited.stop('SIGINT');
    }, 30_000);
  });

  describe('delete and restore', () => {
    it('callers get 404 at once, and each revision can be brought back', async () => {
      const { body } = await api('POST', '/endpoints', definition('kept', 'SELECT 1 AS n'));
      await api('PATCH', '/endpoints/kept', { query: 'SELECT 2 AS n' }, { ...PATCH, ...MATCH_ANY });
      expect((await api('DELETE', '/endpoints/kept', undefined, { 'If-Match': '"2"' })).status).toBe(204);
      expect((await api('GET', '/endpoints/query/kept')).status).toBe(404);
      const history = await api('GET', '/endpoints/kept/revisions?limit=2');
      expect(history.body.result.map(({ action }) => action)).toEqual(['delete', 'update']);
      const rest = await api('GET', `/endpoints/kept/revisions?limit=2&cursor=${history.body.next_cursor}`);
      expect([rest.body.result.map(({ action }) => action), rest.body.next_cursor]).toEqual([['create'], null]);
      const deleted = await api('POST', `/endpoints/${String(body.result.id)}/revisions/3/restore`);
      expect([deleted.status, deleted.body.error.code]).toEqual([404, 'revision_not_found']);
      const restored = await api('POST', '/endpoints/kept/revisions/2/restore', { message: 'back' });
      expect([restored.status, restored.body.result.revision, await call('kept')]).toEqual([200, 4, [{ n: 2 }]]);
    });

    it('a restore does not take a name that another has since', async () => {
      const { body } = await api('POST', '/endpoints', definition('wanted'));
      await api('DELETE', '/endpoints/wanted', undefined, MATCH_ANY);
      await api('POST', '/endpoints', definition('wanted', 'SELECT 2 AS n'));
      const refused = await api('POST', `/endpoints/${String(body.result.id)}/revisions/1/restore`);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'name_taken']);
      expect(await call('wanted')).toEqual([{ n: 2 }]);
    });
  });

  describe('preview', () => {
    it('runs what is not stored, with parameters, at most 100 rows', async () => {
      const body = {
        definition: {
          name: 'tried',
          query: 'SELECT n, @who AS who FROM UNNEST(GENERATE_ARRAY(1, 500)) AS n ORDER BY n',
          parameters: [{ name: 'who', required: true }],
        },
        parameters: { who: 'me' },
      };
      const { status, headers, body: answer } = await api('POST', '/endpoints/preview', body);
      expect([status, answer.result.length, answer.result[0]]).toEqual([200, 100, { n: 1, who: 'me' }]);
      expect([headers.get('svc-endpoint-truncated'), headers.get('cache-status')]).toEqual([
        'true',
        'log-query; fwd=bypass',
      ]);
      expect((await api('GET', '/endpoints/tried')).status).toBe(404);
      const missing = await api('POST', '/endpoints/preview', { ...body, parameters: {} });
      expect([missing.status, missing.body.error.code]).toEqual([400, 'parameter_missing']);
    });

    it('runs a query in the sandbox of the definition', async () => {
      const body = { definition: { name: 'tried', query: 'WITH t AS (SELECT 1 AS n) SELECT n FROM t', sandbox: true } };
      const run = await api('POST', '/endpoints/preview', { ...body, sql: 'SELECT n + 1 AS m FROM t' });
      expect(run.body.result).toEqual([{ m: 2 }]);
      const outside = await api('POST', '/endpoints/preview', { ...body, sql: 'SELECT 1 FROM edge_requests' });
      expect([outside.status, outside.body.error.code]).toEqual([400, 'sandbox_violation']);
    });
  });

  describe('the list of sources', () => {
    it('has columns, retention, and what is stored', async () => {
      const event = {
        timestamp: '2026-11-20T10:00:00.000001Z',
        event_message: 'x',
        project: 'p',
        metadata: { a: { b: 1 } },
      };
      const later = { ...event, timestamp: '2026-11-21T10:00:00Z' };
      const sent = await api('POST', '/logs?source=edge_requests', [event, later]);
      expect(sent.body.result['accepted']).toBe(2);
      const { status, body } = await api('GET', '/sources');
      const edge = body.result.find(({ name }) => name === 'edge_requests');
      expect([status, edge]).toEqual([
        200,
        expect.objectContaining({
          events: 2,
          retention_days: 90,
          oldest_event: '2026-11-20T10:00:00.000001Z',
          newest_event: '2026-11-21T10:00:00.000000Z',
        }),
      ]);
      expect(JSON.stringify(edge!['columns'])).toContain('"name":"b"');
      expect(body.result.length).toBe(9);
    });

    it('is for writers, and for readers without another limit', async () => {
      const writer = await createToken({ scopes: ['endpoints:write'] });
      const reader = await createToken({ scopes: ['endpoints:read'] });
      const some = await createToken({ scopes: ['endpoints:read'], endpoints: ['logs.all'] });
      const ofTenant = await createToken({ scopes: ['endpoints:read'], tenant: 'p' });
      const statuses = await Promise.all([writer, reader, some, ofTenant].map((each) => each('GET', '/sources')));
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 403, 403]);
    });
  });

  describe('after a restart', () => {
    it('everything is as it was, and a repeated POST gets its first answer', async () => {
      const headers = { 'Idempotency-Key': 'a-retry' };
      const first = await api('POST', '/endpoints', definition('repeated'), headers);
      await api('PATCH', '/endpoints/repeated', { query: 'SELECT 9 AS n' }, { ...PATCH, ...MATCH_ANY });
      const before = (await api('GET', '/endpoints?limit=100')).body.result;
      await service.stop('SIGINT');
      await start();
      expect((await api('GET', '/endpoints?limit=100')).body.result).toEqual(before);
      const again = await api('POST', '/endpoints', definition('repeated'), headers);
      expect([again.status, again.body.result]).toEqual([201, first.body.result]);
      const other = await api('POST', '/endpoints', definition('another'), headers);
      expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_conflict']);
      expect(await call('repeated')).toEqual([{ n: 9 }]);
    }, 60_000);

    it('a file that takes a name in use is refused, and both places are named', async () => {
      await api('POST', '/endpoints', definition('contested'));
      const file = path.join(ground.place.endpointsDir, 'contested.yaml');
      writeFileSync(file, `id: ${MISSING_ID.replace('ffff', 'dddd')}\nname: contested\nquery: SELECT 1 AS n\n`);
      if (catalog === 'PostgreSQL') {
        await expect(ground.push()).rejects.toThrow(/contested/);
        return;
      }
      await service.stop('SIGINT');
      const failed = await runServer(ground.place, ground.env);
      expect([failed.code, failed.output]).toEqual([
        1,
        expect.stringMatching(/contested\.yaml:2:7: name "contested" is used by .*saved-queries.*1\.yaml already/),
      ]);
      rmSync(file);
      await start();
      expect(await call('contested')).toEqual([{ n: 1 }]);
    }, 60_000);
  });
});

describe('in a data folder', () => {
  it('a damaged revision stops the start, and is named', async () => {
    ground = await openCatalogGround('data folder');
    await start();
    const { body } = await api('POST', '/endpoints', definition('damaged'));
    await service.stop('SIGINT');
    const file = path.join(ground.place.dataDir, 'saved-queries', String(body.result.id), '1.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('SELECT 1', 'SELECT 2'));
    const failed = await runServer(ground.place, ground.env);
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining(file)]);
    ground.remove();
  }, 60_000);

  it('a saved query that the sources do not fit any more says so, and can be mended', async () => {
    ground = await openCatalogGround('data folder');
    const sourcesFile = path.join(ground.place.folder, 'sources.yaml');
    const sources = (name: string): void =>
      writeFileSync(
        sourcesFile,
        `sources:\n  - name: edge_requests\n    columns: { project: STRING }\n  - name: ${name}\n`
      );
    const env = {
      ...ground.env,
      LQE_SOURCES_FILE: sourcesFile,
      LQE_ENDPOINTS_DIR: path.join(ground.place.folder, 'none'),
    };
    mkdirSync(env.LQE_ENDPOINTS_DIR);
    sources('database');
    service = await startService(ground.place, env);
    api = apiOf(service);
    await api('POST', '/endpoints', definition('old', 'SELECT COUNT(*) AS n FROM database'));
    await service.stop('SIGINT');
    sources('storage');
    service = await startService(ground.place, env);
    api = apiOf(service);
    const failed = await api('GET', '/endpoints/query/old');
    expect([failed.status, failed.body.error.code]).toEqual([422, 'definition_invalid']);
    expect((await api('GET', '/endpoints/old')).body.result).toMatchObject({
      name: 'old',
      problem: { message: expect.stringContaining('database') as unknown },
    });
    const patch = { query: 'SELECT COUNT(*) AS n FROM storage' };
    expect((await api('PATCH', '/endpoints/old', patch, { ...PATCH, ...MATCH_ANY })).status).toBe(200);
    expect(await call('old')).toEqual([{ n: 0 }]);
    await service.stop('SIGINT');
    ground.remove();
  }, 60_000);
});
