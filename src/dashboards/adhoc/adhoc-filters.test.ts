import { FieldType, type EventBus } from '@grafana/data';
import { setAppEvents } from '@grafana/runtime';
import { firstValueFrom } from 'rxjs';
import { LOGS_DETAIL } from '../../__mocks__/endpoints';
import { fakeService, type SentRequest } from '../../__mocks__/service';
import { fakeTemplateSrv } from '../../__mocks__/template-srv';
import { LogEndpointsDataSource } from '../../datasource/datasource';
import { rangeOf } from '../../query/own-request';
import type { LogEndpointsQuery } from '../../types';
import { VariableSupport } from '../variables/variable-support';
import { fieldFilters, filterKeys, valuesLql } from './adhoc-filters';

const LQL: LogEndpointsQuery = {
  refId: 'A',
  endpoint: { name: 'logs.all' },
  mode: 'lql',
  lql: 'f:edge_logs',
  params: { project: 'acorn' },
};
const RANGE = rangeOf(1_700_000_000_000, 1_700_003_600_000);

test.each([
  [
    { key: 'm.level', operator: '=', value: 'error' },
    { field: 'm.level', operator: '=', value: 'error' },
  ],
  [
    { key: 'event_message', operator: '=~', value: 'a.b' },
    { field: 'event_message', operator: '=~', value: 'a.b' },
  ],
  [
    { key: 'request.headers.user-agent', operator: '!=', value: 'curl' },
    { field: 'm.request.headers."user-agent"', operator: '!=', value: 'curl' },
  ],
  [
    { key: 'm.level', operator: '=|', value: 'a.b', values: ['a.b', 'c'] },
    { field: 'm.level', operator: '=|', value: '["a.b","c"]' },
  ],
  [
    { key: 'm.path', operator: '=|', value: '/u/${id}', values: ['/u/${id}', '$x'] },
    { field: 'm.path', operator: '=|', value: '["/u/${__dollar}{id}","${__dollar}x"]' },
  ],
  [
    { key: 'm.response.status_code', operator: '>=', value: '500' },
    { field: 'm.response.status_code', operator: '>=', value: '500' },
  ],
  [
    { key: 'm.response.status_code', operator: '!=|', value: '500', values: [] },
    { field: 'm.response.status_code', operator: '!=|', value: '["500"]' },
  ],
  [
    { key: 'm.path', operator: '=', value: '/u/${id}/$__from' },
    { field: 'm.path', operator: '=', value: '/u/${__dollar}{id}/${__dollar}__from' },
  ],
  [
    { key: 'f:auth_logs x', operator: '=', value: '1' },
    { field: 'm."f:auth_logs x"', operator: '=', value: '1' },
  ],
])('the ad-hoc filter %j is %j', (filter, field) => {
  expect(fieldFilters([filter])).toEqual([field]);
});

test.each([
  { key: '', operator: '=', value: 'x' },
  { key: 'a', operator: 'like', value: 'x' },
  { key: 'a', operator: '=~', value: '.*' },
])('what is no whole filter, or is removed, is left out: %j', (filter) => {
  expect(fieldFilters([filter])).toEqual([]);
});

test('fields with single values are offered, as LQL writes them', () => {
  expect(filterKeys(LOGS_DETAIL.tables[0]!)).toEqual([
    'id',
    'event_message',
    'm.request.method',
    'm.request.path',
    'm.response.status_code',
  ]);
});

function sentQueries(sent: readonly SentRequest[]): LogEndpointsQuery[] {
  return sent
    .filter(({ url }) => url.includes('/api/ds/query'))
    .flatMap(({ data }) => (data as { queries: LogEndpointsQuery[] }).queries);
}

const filters = [{ key: 'm.level', operator: '=', value: 'error' }];
const request = (targets: LogEndpointsQuery[], more: object = {}) =>
  ({ targets, scopedVars: {}, range: RANGE, ...more }) as never;

test('LQL is filtered beside its own filters; SQL and saved queries say that they are not', async () => {
  const service = fakeService();
  service.answer('/api/ds/query', () => ({
    results: Object.fromEntries(
      ['A', 'B'].map((refId) => [
        refId,
        { frames: [{ schema: { refId, fields: [{ name: 'n', type: FieldType.number }] }, data: { values: [[1]] } }] },
      ])
    ),
  }));
  const own = { field: 'm.path', operator: '!=', value: '/health' } as const;
  const targets = [{ ...LQL, filters: [own] }, { ...LQL, refId: 'B', mode: 'sql', sql: 'select 1' } as const];
  const { data } = await firstValueFrom(service.datasource.query(request(targets, { filters })));
  expect(sentQueries(service.sent).map((query) => query.filters)).toEqual([
    [own, { field: 'm.level', operator: '=', value: 'error' }],
    undefined,
  ]);
  expect(data.map(({ meta }) => meta?.notices?.length ?? 0)).toEqual([0, 1]);
  expect(data[1].meta.notices[0].text).toMatch(/ad-hoc filters .* do not apply here/);
});

test('hosts that do not hand filters over are asked for them', async () => {
  const templates = { ...fakeTemplateSrv(), getAdhocFilters: (name: string) => (name === 'Logs' ? filters : []) };
  const service = fakeService();
  const datasource = new LogEndpointsDataSource({ ...service.settings }, templates);
  await firstValueFrom(datasource.query(request([LQL])));
  expect(sentQueries(service.sent)[0]?.filters).toEqual([{ field: 'm.level', operator: '=', value: 'error' }]);
});

test('variables, values of parameters and lines around a line are not filtered: they read other tables', async () => {
  const templates = { ...fakeTemplateSrv({ project: 'acorn' }), getAdhocFilters: () => filters };
  const service = fakeService();
  const datasource = new LogEndpointsDataSource({ ...service.settings }, templates);
  await firstValueFrom(new VariableSupport(datasource).query(request([LQL])));
  await datasource.parameterValues.of({
    name: 'project',
    type: 'text',
    required: true,
    values: { query: 'usage.api-counts', parameters: {}, sql: 'select project from requests' },
  });
  const row = { timeEpochMs: 1, timeEpochNs: '1000000', rowIndex: 0, dataFrame: { fields: [], length: 0 } };
  await datasource.getLogRowContext(row as never, undefined, LQL);
  const sentOnes = sentQueries(service.sent);
  expect(sentOnes.map(({ mode, filters: given }) => [mode, given])).toEqual([
    ['lql', undefined],
    ['sql', undefined],
    ['sql', undefined],
  ]);
  expect(sentOnes.some((query) => 'isUnfiltered' in query)).toBe(false);
});

test('the fields of the table that the dashboard reads are offered', async () => {
  const { datasource } = fakeService();
  expect(await datasource.getTagKeys({ filters: [], queries: [{ ...LQL, lql: 'f:auth_logs' }] })).toEqual(
    ['id', 'event_message', 'm.level'].map((text) => ({ text }))
  );
  expect(await datasource.getTagKeys()).toContainEqual({ text: 'm.request.path' });
});

test('values are those of the range under the other filters; a project that is not given is the variable', async () => {
  const service = fakeService({}, { project: 'acorn' });
  service.answer('/api/ds/query', () => ({
    results: {
      'tag-values': {
        frames: [
          {
            schema: {
              refId: 'tag-values',
              fields: [
                { name: 'timestamp', type: FieldType.time },
                { name: 'metadata_request_path', type: FieldType.string },
                { name: 'count', type: FieldType.number },
              ],
            },
            data: {
              values: [
                [1, 1],
                ['/a', '/b'],
                [5, 6],
              ],
            },
          },
        ],
      },
    },
  }));
  const values = await service.datasource.getTagValues({
    key: 'm.request.path',
    filters: [...filters, { key: 'm.request.path', operator: '=', value: '/a' }],
    timeRange: RANGE,
  });
  expect(values).toEqual([{ text: '/a' }, { text: '/b' }]);
  expect(sentQueries(service.sent)).toMatchObject([
    {
      lql: 'f:edge_logs $__timeFilter c:count(*) c:group_by($__timeGroup(365d)) c:group_by(m.request.path)',
      params: { project: 'acorn' },
      filters: [{ field: 'm.level', operator: '=', value: 'error' }],
    },
  ]);
});

test('values that cannot be read are a notice, and none', async () => {
  const service = fakeService({}, { project: 'acorn' });
  const notices: unknown[] = [];
  const publish = (event: { readonly payload?: unknown }) => void notices.push(event.payload);
  setAppEvents({ publish } as unknown as EventBus);
  service.answer('/api/ds/query', () => ({
    results: { 'tag-values': { error: 'The token lacks the scope "adhoc".', status: 403 } },
  }));
  expect(await service.datasource.getTagValues({ key: 'm.level', filters: [] })).toEqual([]);
  expect(notices).toEqual([['The values of m.level cannot be listed', 'The token lacks the scope "adhoc".']]);
});

test('values of a field are counted in a table of any name', () => {
  expect(valuesLql('my-logs', 'm.level')).toBe(
    'f:"my-logs" $__timeFilter c:count(*) c:group_by($__timeGroup(365d)) c:group_by(m.level)'
  );
});
