/** Resources that save queries: who may, what is composed, and what the history says. */
import type {
  AccessResource,
  ComposeRequest,
  ComposeResource,
  RevisionsResource,
  SavedResource,
} from '#contract/plugin/saving';
import type { ResourceError } from '#contract/plugin/resources';
import { runCli } from '../../support/servers/spawned';
import { type PluginHost, type SourceSettings, startPlugin } from '../support/plugin-host';
import { EVENT_COUNT, PROJECT, type SampleService, startSampleService } from '../support/sample-service';
import { serviceError, startStub } from '../support/stub-service';

let host: PluginHost;
let sample: SampleService;

beforeAll(async () => {
  [host, sample] = await Promise.all([startPlugin(), startSampleService()]);
});

afterAll(async () => {
  await host.stop();
  await sample.stop();
});

const as = (role: string): SourceSettings => ({ ...sample.source, user: { login: 'ann', role } });
const errorOf = (body: unknown): ResourceError => (body as { error: ResourceError }).error;

const REQUEST: ComposeRequest = {
  endpoint: 'logs.all',
  mode: 'sql',
  text: 'select count(*) as n from edge_logs where $__timeFilter(timestamp)',
  filters: [],
  variables: [],
  intervalMs: 60_000,
  redactPii: false,
  name: 'edge.count',
  description: 'Requests',
  maxRows: 10,
  cacheSeconds: null,
};

async function compose(changed: Partial<ComposeRequest>): Promise<ComposeResource> {
  const { code, body } = await host.resource(as('Editor'), 'POST', 'compose', { ...REQUEST, ...changed });
  expect([code, errorOf(body)]).toEqual([200, undefined]);
  return body as ComposeResource;
}

async function refused(changed: Partial<ComposeRequest>): Promise<ResourceError> {
  const { code, body } = await host.resource(as('Editor'), 'POST', 'compose', { ...REQUEST, ...changed });
  expect(code).toBe(400);
  return errorOf(body);
}

const save = async (name: string, source = as('Editor'), more: object = {}) => {
  const { definition } = await compose({ name });
  return host.resource(source, 'POST', 'endpoints', { definition, note: 'first', ...more });
};

describe('who may save', () => {
  test.each([
    ['Viewer', { login: 'ann', role: 'Viewer' }],
    ['None', { login: 'ann', role: 'None' }],
    ['an unknown role', { login: 'ann', role: 'editor' }],
    ['an empty role', { login: 'ann', role: '' }],
    ['no user', null],
  ])('%s is refused every change, with any claim in the request', async (_name, user) => {
    const source: SourceSettings = { ...sample.source, user };
    const { definition } = await compose({ name: 'never.saved' });
    const claim = { role: 'Admin', user: { login: 'root', role: 'Admin' } };
    const body = { ...claim, definition, note: '', revision: 1 };
    for (const [method, path, sent] of [
      ['POST', 'endpoints', body],
      ['PUT', 'endpoints/logs.all', body],
      ['PATCH', 'endpoints/logs.all', body],
      ['POST', 'compose', { ...REQUEST, ...claim }],
      ['POST', 'endpoints?role=Admin', body],
    ] as const) {
      const answer = await host.resource(source, method, path, sent);
      expect([method, path, answer.code, errorOf(answer.body).code]).toEqual([method, path, 403, 'role_missing']);
      expect(errorOf(answer.body).message).toMatch(/role Editor or Admin/);
    }
    const access = (await host.resource(source, 'GET', 'access')).body as AccessResource;
    expect(access).toEqual({ canSave: false, whyNot: expect.stringMatching(/Editor or Admin/), token: null });
    expect((await host.resource(sample.source, 'GET', 'endpoints/never.saved')).code).toBe(404);
  });

  test.each(['Editor', 'Admin'])('%s may, with a token that may', async (role) => {
    const { body } = await host.resource(as(role), 'GET', 'access');
    expect(body).toMatchObject({ canSave: true, whyNot: null, token: { scopes: expect.arrayContaining(['query']) } });
    const saved = await save(`by.${role.toLowerCase()}`, as(role));
    expect([saved.code, (saved.body as SavedResource).endpoint.revision]).toEqual([200, 1]);
  });

  test('a token without the scope is refused by the service, and named as the reason', async () => {
    const { stdout } = await runCli(
      ...['token', 'create', '--json', '--data-dir', sample.place.dataDir, '--name', 'reader'],
      ...['--scope', 'query', 'adhoc', 'endpoints:read']
    );
    const apiKey = (JSON.parse(stdout) as { token: string }).token;
    const source: SourceSettings = { ...as('Admin'), uid: 'reader', secure: { apiKey } };
    const access = await host.resource(source, 'GET', 'access');
    expect(access.body).toMatchObject({
      canSave: false,
      whyNot: 'The access token of the data source lacks the scope endpoints:write.',
    });
    expect(JSON.stringify(access.body)).not.toContain(apiKey);
    const saved = await save('no.scope', source);
    expect([saved.code, errorOf(saved.body).code]).toEqual([403, 'scope_missing']);
  });

  test('a service without the route says that it is too old', async () => {
    const stub = await startStub((_req, res) => serviceError(res, 404, 'route_not_found'));
    const { body } = await host.resource({ url: stub.url, uid: 'old', secure: { apiKey: 'x' } }, 'GET', 'access');
    await stub.close();
    expect(body).toMatchObject({ canSave: false, whyNot: expect.stringMatching(/too old/), token: null });
  });
});

describe('the definition', () => {
  test('has the named tables of the saved query, its used parameters, and the ends of the time range', async () => {
    const { definition, parameters, problem, notes } = await compose({});
    expect(problem).toBeNull();
    expect(definition.query).toMatch(/^WITH\nedge_logs AS \(/);
    expect(definition.query).toMatch(/CAST\(@time_to AS TIMESTAMP\)\)\n$/);
    expect(definition).toMatchObject({ name: 'edge.count', max_rows: 10, cache_seconds: null, redact_pii: false });
    expect(definition).not.toHaveProperty('sandbox');
    expect(notes).toEqual([]);
    expect(parameters).toEqual([
      { name: 'project', type: 'text', required: true },
      { name: 'iso_timestamp_start', type: 'text', required: false },
      { name: 'iso_timestamp_end', type: 'text', required: false },
      { name: 'time_from', type: 'timestamp', required: true, panelValue: '${__from:date:iso}' },
      { name: 'time_to', type: 'timestamp', required: true, panelValue: '${__to:date:iso}' },
    ]);
  });

  test('returns the rows of the panel, from SQL and from LQL with variables and filters', async () => {
    const texts: Partial<ComposeRequest>[] = [
      {
        name: 'rows.sql',
        text: `select event_message, count(*) as n from edge_logs where $__timeFilter(timestamp) and event_message like 'lqe_variable_what' group by 1`,
      },
      {
        name: 'rows.lql',
        maxRows: 100,
        mode: 'lql',
        text: 'f:edge_logs $__timeFilter m.request.method:GET c:count(*)',
        filters: [{ field: 'm.request.path', operator: '=', value: 'lqe_variable_what' }],
      },
    ];
    const variables = [{ variable: 'what', marker: 'lqe_variable_what' }];
    const values = ['%orders', '/rest/v1/orders'];
    for (const [at, changed] of texts.entries()) {
      const { definition, parameters, problem } = await compose({ ...changed, variables });
      expect(problem).toBeNull();
      expect(parameters).toContainEqual({ name: 'what', type: 'text', required: true, panelValue: '$what' });
      const saved = await host.resource(as('Editor'), 'POST', 'endpoints', { definition, note: '' });
      expect(saved.code).toBe(200);
      const params = {
        project: PROJECT,
        what: values[at]!,
        time_from: '${__from:date:iso}',
        time_to: '${__to:date:iso}',
      };
      const query = { endpoint: { name: definition.name }, mode: 'saved', params, format: 'table' };
      const { A } = await host.query(sample.source, [{ refId: 'A', query }]);
      expect([A!.error, A!.status]).toEqual(['', 200]);
      expect(A!.frames).toHaveLength(1);
    }
    const call = await fetch(
      `${sample.service.url}/api/endpoints/query/rows.lql?project=${PROJECT}&what=/rest/v1/orders&time_from=2020-01-01&time_to=2100-01-01`,
      { headers: { 'X-API-KEY': sample.source.secure!['apiKey']! } }
    );
    const { result } = (await call.json()) as { result: { count: number }[] };
    expect(result.reduce((sum, { count }) => sum + count, 0)).toBe(EVENT_COUNT / 4);
  });

  test('shows what the service refuses, with its position in the whole query', async () => {
    const { problem, definition } = await compose({ text: 'select id,\n nope from edge_logs' });
    expect(problem).toMatchObject({ code: 'query_invalid', position: { column: 2 } });
    expect(definition.query.split('\n')[problem!.position!.line - 1]).toBe(' nope from edge_logs');
    expect((await compose({ name: 'Not A Name' })).problem).toMatchObject({ code: 'definition_invalid' });
  });

  test('says what changes: widths of buckets, filters', async () => {
    const { notes } = await compose({
      text: 'select $__timeGroup(timestamp) as time, count(*) as n from edge_logs group by 1',
      intervalMs: 300_000,
      filters: [{ field: 'id', operator: '!=', value: 'x' }],
    });
    expect(notes).toEqual([expect.stringMatching(/Buckets keep .* 5m/), expect.stringMatching(/filters become/)]);
  });

  test.each([
    [{ mode: 'lql', text: 'f:edge_logs t:last@15m' }, /"t:last@15m" is relative to the time of the request/],
    [{ mode: 'lql', text: 'f:edge_logs timestamp:>today' }, /relative to the time/],
    [{ text: 'select id from edge_logs where id = $missing' }, /variable \$missing has no value/],
    [{ text: 'with edge_logs as (select 1 as x) select x from edge_logs' }, /names a table "edge_logs"/],
    [
      {
        mode: 'lql',
        text: 'f:edge_logs m.response.status_code:"lqe_variable_s"',
        variables: [{ variable: 's', marker: 'lqe_variable_s' }],
      },
      /variable \$s is compared with a number/,
    ],
  ] as [Partial<ComposeRequest>, RegExp][])('of %j is refused with a reason', async (changed, reason) => {
    expect((await refused(changed)).message).toMatch(reason);
  });

  test('of more text than the service takes is refused before it is read', async () => {
    expect(await refused({ text: `select 1 ${' '.repeat(70_000)}` })).toMatchObject({
      code: 'body_invalid',
      hint: 'text',
    });
  });

  test('a text that only mentions a relative time is accepted', async () => {
    expect((await compose({ mode: 'lql', text: 'f:edge_logs "t:last@15m today"' })).problem).toBeNull();
  });
});

describe('the history', () => {
  test('names the user of Grafana before their note, and a conflict says who was first', async () => {
    const source: SourceSettings = { ...sample.source, orgId: 3, user: { login: 'ann (Admin): x', role: 'Editor' } };
    const { definition } = await compose({ name: 'with.history' });
    const change = (revision: number, max_rows: number, note: string) =>
      host.resource(source, 'PUT', 'endpoints/with.history', {
        definition: { ...definition, max_rows },
        revision,
        note,
      });
    expect((await host.resource(source, 'POST', 'endpoints', { definition, note: 'first' })).code).toBe(200);
    expect((await change(1, 20, '')).body).toMatchObject({ endpoint: { revision: 2, max_rows: 20 } });
    const late = await change(1, 30, 'late');
    expect(late.code).toBe(412);
    expect(errorOf(late.body)).toMatchObject({
      code: 'revision_conflict',
      hint: expect.stringMatching(/revision 2 was made .* with bootstrap: saved in Grafana by ann Admin: x/),
    });
    const patched = await host.resource(source, 'PATCH', 'endpoints/with.history', {
      definition: { cache_seconds: 60 },
      revision: 2,
      note: 'n'.repeat(300),
    });
    expect(patched.body).toMatchObject({ endpoint: { revision: 3, cache_seconds: 60 } });

    const page = (await host.resource(source, 'GET', 'endpoints/with.history/revisions?limit=2'))
      .body as RevisionsResource;
    expect(page.revisions.map(({ revision }) => revision)).toEqual([3, 2]);
    const rest = (await host.resource(source, 'GET', `endpoints/with.history/revisions?cursor=${page.next}`))
      .body as RevisionsResource;
    expect(rest).toMatchObject({
      revisions: [{ revision: 1, message: 'saved in Grafana by ann Admin: x (organization 3): first' }],
      next: null,
    });
  });

  test('a name in use and a file are refused with the code of the service', async () => {
    expect((await save('taken.name')).code).toBe(200);
    const again = await save('taken.name');
    expect([again.code, errorOf(again.body).code]).toEqual([409, 'name_taken']);
    const { definition } = await compose({ name: 'logs.all' });
    const file = await host.resource(as('Admin'), 'PUT', 'endpoints/logs.all', { definition, revision: 1, note: '' });
    expect([file.code, errorOf(file.body).code]).toEqual([409, 'managed_elsewhere']);
  });

  test('a repeated request creates one saved query', async () => {
    const first = await save('once.only', as('Editor'), { requestId: 'r-1' });
    const second = await save('once.only', as('Editor'), { requestId: 'r-1' });
    expect([first.code, second.code]).toEqual([200, 200]);
    expect((second.body as SavedResource).endpoint.id).toBe((first.body as SavedResource).endpoint.id);
  });

  test.each([{}, { definition: 'x' }, { definition: {}, note: 'n'.repeat(301) }, { definition: {}, revision: 0 }])(
    'the body %j is refused',
    async (body) => {
      for (const [method, path] of [
        ['POST', 'endpoints'],
        ['PUT', 'endpoints/logs.all'],
      ] as const) {
        const { code } = await host.resource(as('Editor'), method, path, body);
        expect([400, 422]).toContain(code);
      }
    }
  );
});
