import { CoreApp, FieldType, dateTime, type DataQueryRequest, type DataSourceInstanceSettings } from '@grafana/data';
import { config, setBackendSrv, type BackendSrv, type TemplateSrv } from '@grafana/runtime';
import { firstValueFrom, of } from 'rxjs';
import { LOGS, USAGE } from '../__mocks__/endpoints';
import { fakeTemplateSrv } from '../__mocks__/template-srv';
import { LogEndpointsDataSource } from './datasource';
import type { LogEndpointsOptions, LogEndpointsQuery } from '../types';

interface Sent {
  readonly url: string;
  readonly data?: { readonly queries: readonly LogEndpointsQuery[] };
}

const sent: Sent[] = [];
let answer: (request: Sent) => unknown = () => ({});

setBackendSrv({
  fetch: (request: Sent) => {
    sent.push(request);
    return of({ data: answer(request), status: 200 });
  },
} as unknown as BackendSrv);

const SETTINGS = {
  id: 1,
  uid: 'uid-1',
  type: 'svc-logqueryendpoints-datasource',
  name: 'Logs',
  jsonData: {},
  meta: { id: 'svc-logqueryendpoints-datasource' },
} as unknown as DataSourceInstanceSettings<LogEndpointsOptions>;

const VERSION = config.buildInfo.version;

beforeEach(() => {
  window.localStorage.clear();
  sent.length = 0;
  answer = ({ url }) => (url.endsWith('/resources/endpoints') ? { endpoints: [USAGE, LOGS] } : { results: {} });
  config.publicDashboardAccessToken = undefined;
  config.buildInfo.version = VERSION;
});

function create(templates: TemplateSrv = fakeTemplateSrv()): LogEndpointsDataSource {
  return new LogEndpointsDataSource(SETTINGS, templates);
}

function request(...targets: LogEndpointsQuery[]): DataQueryRequest<LogEndpointsQuery> {
  const range = { from: dateTime(1_700_000_000_000), to: dateTime(1_700_003_600_000) };
  return {
    app: CoreApp.Dashboard,
    requestId: 'Q1',
    interval: '1m',
    intervalMs: 60_000,
    maxDataPoints: 100,
    range: { ...range, raw: range },
    scopedVars: {},
    startTime: 0,
    timezone: 'utc',
    targets,
  };
}

const RUNNABLE: LogEndpointsQuery = {
  refId: 'A',
  endpoint: { name: 'usage.api-counts' },
  mode: 'saved',
  params: { interval: 'hourly', project: '$project' },
};

test('the type of a parameter is asked for before variables are filled into it', async () => {
  const source = create(fakeTemplateSrv({ project: ['a.b', 'c'] }));
  await firstValueFrom(source.query(request(RUNNABLE)));
  const [list, query] = sent;
  expect(list?.url).toBe('/api/datasources/uid/uid-1/resources/endpoints');
  expect(query?.data?.queries[0]?.params).toEqual({ interval: 'hourly', project: '(a\\.b|c)' });
  expect(query?.data?.queries[0]?.schemaVersion).toBe(1);
});

test.each(['$endpoint', '${endpoint}', '[[endpoint]]'])('a variable chooses the endpoint: %s', async (name) => {
  const source = create(fakeTemplateSrv({ endpoint: 'usage.api-counts', project: ['a.b', 'c'] }));
  await firstValueFrom(source.query(request({ ...RUNNABLE, endpoint: { name } })));
  expect(sent.at(-1)?.data?.queries[0]).toMatchObject({
    endpoint: { name: 'usage.api-counts' },
    params: { project: '(a\\.b|c)' },
  });
  expect(source.filterQuery({ ...RUNNABLE, endpoint: { name }, params: {} })).toBe(false);
});

test('a repeated panel calls the endpoint of its value, and one without a value is for the backend to refuse', async () => {
  const source = create(fakeTemplateSrv({ endpoint: 'logs.all' }));
  const scopedVars = { endpoint: { text: '', value: 'usage.api-counts' } };
  const asked = { ...RUNNABLE, endpoint: { name: '$endpoint' } };
  expect(source.applyTemplateVariables(asked, scopedVars).endpoint).toEqual({ name: 'usage.api-counts' });
  expect(create().applyTemplateVariables(asked, {}).endpoint).toEqual({ name: '$endpoint' });
});

test('a panel with an expression, for which no endpoints are loaded, fills variables in as the one before', async () => {
  const variables = fakeTemplateSrv({ project: ['a.b', 'c'] });
  const filled = () => create(variables).interpolateVariablesInQueries([RUNNABLE], {})[0]?.params?.['project'];
  expect(filled()).toBe('a.b,c');
  await new Promise(process.nextTick);
  expect(sent.map(({ url }) => url)).toEqual(['/api/datasources/uid/uid-1/resources/endpoints']);
  expect(filled()).toBe('(a\\.b|c)');
});

test('a query without variables is one request', async () => {
  await firstValueFrom(create().query(request({ ...RUNNABLE, params: { interval: 'hourly', project: 'a' } })));
  expect(sent).toHaveLength(1);
});

test('a token that may not list endpoints may still call them', async () => {
  answer = ({ url }) => {
    if (url.endsWith('/resources/endpoints')) throw new Error('scope_missing');
    return { results: {} };
  };
  await firstValueFrom(create(fakeTemplateSrv({ project: 'acorn' })).query(request(RUNNABLE)));
  expect(sent.at(-1)?.data?.queries[0]?.params).toEqual({ interval: 'hourly', project: 'acorn' });
});

test('queries that are hidden or not finished are not sent', () => {
  const source = create();
  expect(source.filterQuery(RUNNABLE)).toBe(true);
  expect(source.filterQuery({ ...RUNNABLE, hide: true })).toBe(false);
  expect(source.filterQuery({ refId: 'A' })).toBe(false);
  expect(source.filterQuery({ ...RUNNABLE, mode: 'sql' })).toBe(false);
});

test('public dashboards carry no texts and are sent all the same', () => {
  config.publicDashboardAccessToken = 'public';
  expect(create().filterQuery({ refId: 'A' })).toBe(true);
});

test('a query that goes to Explore holds values, the data source and its macros', () => {
  const [query] = create(fakeTemplateSrv({ project: 'acorn' })).interpolateVariablesInQueries(
    [{ refId: 'A', mode: 'sql', sql: 'select $project, $__from', endpoint: { name: 'logs.all' } }],
    {}
  );
  expect(query?.sql).toBe("select 'acorn', $__from");
  expect(query?.datasource).toEqual({ type: 'svc-logqueryendpoints-datasource', uid: 'uid-1' });
});

test.each([
  ['10.1.5', 'attributes'],
  ['10.2.0', 'attributes'],
  ['10.2.1', 'labels'],
  ['13.1.1', 'labels'],
])('on Grafana %s the object column of log frames is called %s', async (version, expected) => {
  config.buildInfo.version = version;
  answer = () => ({
    results: {
      A: {
        frames: [
          {
            schema: {
              refId: 'A',
              meta: { preferredVisualisationType: 'logs' },
              fields: [
                { name: 'timestamp', type: FieldType.time },
                { name: 'body', type: FieldType.string },
                { name: 'labels', type: FieldType.other },
              ],
            },
            data: { values: [[1_700_000_000_000], ['GET /'], [{ 'request.method': 'GET' }]] },
          },
        ],
      },
    },
  });
  const query = { ...RUNNABLE, params: { interval: 'hourly', project: 'a' } };
  const response = await firstValueFrom(create().query(request(query)));
  expect(response.data[0].fields.map(({ name }: { name: string }) => name)).toEqual(['timestamp', 'body', expected]);
});
