// Older hosts call what newer ones call old.
/* eslint-disable @typescript-eslint/no-deprecated -- older versions of Grafana call these methods */
/**
 * Methods that Grafana calls where no page is needed to see what comes of it, as it calls them: with frozen objects,
 * many times, taken out of their object. Titles begin with rows of tests/workbench/host-calls.md.
 */
import { CoreApp, SupplementaryQueryType, type LogRowModel } from '@grafana/data';
import { LOGS, LOGS_DETAIL } from '../__mocks__/endpoints';
import { fakeService } from '../__mocks__/service';
import { deepFreeze } from '../__mocks__/deep-freeze';
import type { LogEndpointsQuery } from '../types';

const SAVED: LogEndpointsQuery = deepFreeze({
  refId: 'A',
  endpoint: { id: LOGS.id, name: LOGS.name },
  mode: 'saved',
  params: { project: 'acorn' },
});
const LQL: LogEndpointsQuery = deepFreeze({ ...SAVED, mode: 'lql', lql: 'f:edge_logs m.request.path:$path' });
const FILTER = deepFreeze({ key: 'request.method', value: 'GET' });

/** A data source whose endpoints are known. */
async function known() {
  const service = fakeService({}, { path: '/a', project: 'acorn' });
  await service.datasource.catalog.endpoints();
  await service.datasource.catalog.endpoint(LOGS.id);
  return service.datasource;
}

test('filterQuery: the same answer each time, and no of a query that is hidden or half made', async () => {
  const { filterQuery } = await known();
  expect([filterQuery(SAVED), filterQuery(SAVED), filterQuery(LQL)]).toEqual([true, true, true]);
  expect(filterQuery(deepFreeze({ ...SAVED, hide: true }))).toBe(false);
  expect(filterQuery(deepFreeze({ refId: 'A' }))).toBe(false);
});

test.each(Object.values(CoreApp))('getDefaultQuery: a query for %s that nothing else shares', async (app) => {
  const { getDefaultQuery } = await known();
  expect(getDefaultQuery(app)).toMatchObject({ mode: 'saved', endpoint: { name: expect.any(String) } });
  expect(getDefaultQuery(app).params).not.toBe(getDefaultQuery(app).params);
});

test('applyTemplateVariables: the query with its values', async () => {
  const { applyTemplateVariables } = await known();
  const filters = deepFreeze([{ key: 'm.level', operator: '=', value: 'error' }]);
  expect(applyTemplateVariables(LQL, deepFreeze({}), filters)).toMatchObject({
    refId: 'A',
    lql: 'f:edge_logs m.request.path:"/a"',
    filters: [{ field: 'm.level', operator: '=', value: 'error' }],
  });
});

test('getRef: the place that stored queries name', async () => {
  expect((await known()).getRef()).toEqual({ type: 'svc-logqueryendpoints-datasource', uid: 'uid-1' });
});

test('toggleQueryFilter, queryHasFilter, modifyQuery: a filter is put in, seen, and taken out', async () => {
  const { toggleQueryFilter, queryHasFilter, modifyQuery } = await known();
  const filtered = deepFreeze(toggleQueryFilter(SAVED, deepFreeze({ type: 'FILTER_FOR', options: FILTER })));
  expect(queryHasFilter(filtered, FILTER)).toBe(true);
  expect(queryHasFilter(SAVED, FILTER)).toBe(false);
  expect(modifyQuery(SAVED, deepFreeze({ type: 'ADD_FILTER', options: FILTER }))).toEqual(filtered);
  expect(modifyQuery(filtered, deepFreeze({ type: 'ADD_FILTER', options: FILTER })).filters).toEqual([]);
  expect(modifyQuery(filtered, deepFreeze({ type: 'ADD_FILTER_OUT', options: FILTER })).filters).toMatchObject([
    { operator: '!=' },
  ]);
  expect(modifyQuery(filtered, deepFreeze({ type: 'EXPAND_RULES' }))).toBe(filtered);
});

test('getSupportedQueryModifications: what modifyQuery does', async () => {
  const { getSupportedQueryModifications } = await known();
  expect(getSupportedQueryModifications()).toEqual(['ADD_FILTER', 'ADD_FILTER_OUT']);
});

test('showContextToggle: for a line, and for none', async () => {
  const { showContextToggle } = await known();
  expect([showContextToggle({} as LogRowModel), showContextToggle()]).toEqual([true, false]);
});

test('getSupplementaryQuery: the lines behind a count, and nothing for a list of lines', async () => {
  const { getSupplementaryQuery } = await known();
  const sample = deepFreeze({ type: SupplementaryQueryType.LogsSample });
  const chart = deepFreeze({ ...LQL, lql: 'f:edge_logs c:count(*)' });
  expect(getSupplementaryQuery(sample, chart)).toMatchObject({ refId: 'log-sample-A' });
  expect(getSupplementaryQuery(sample, deepFreeze({ ...chart, format: 'logs' }))).toBeUndefined();
});

test('getLogRowContext: a failure is thrown, not an empty list', async () => {
  const service = fakeService();
  service.answer('/api/ds/query', () => {
    throw { status: 500, data: { message: 'the service does not answer' } };
  });
  const frame = { fields: [], length: 0 };
  const row = { dataFrame: frame, rowIndex: 0, timeEpochMs: 1_700_000_000_000, timeEpochNs: '1700000000000000000' };
  const asked = service.datasource.getLogRowContext(deepFreeze(row) as unknown as LogRowModel, deepFreeze({}), LQL);
  await expect(asked).rejects.toThrow('the service does not answer');
});

test('streamOptionsProvider: the host’s own', async () => {
  expect((await known()).streamOptionsProvider).toBeInstanceOf(Function);
});

test('meta, name, uid, type, id, userStorage: what the host made of the settings', async () => {
  expect(await known()).toMatchObject({
    name: 'Logs',
    uid: 'uid-1',
    id: 1,
    meta: { id: 'svc-logqueryendpoints-datasource' },
  });
});

test('no method needs its object', async () => {
  const datasource = await known();
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(datasource)).filter((name) => name !== 'constructor');
  expect(names).toContain('getTagValues');
  expect(names.filter((name) => !Object.hasOwn(datasource, name))).toEqual([]);
  const { getTagKeys, showContextToggle } = datasource;
  expect(await getTagKeys()).not.toEqual([]);
  expect(showContextToggle).toBe(datasource.showContextToggle);
  expect(LOGS_DETAIL.tables.length).toBeGreaterThan(0);
});
