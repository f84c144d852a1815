import {
  LogRowContextQueryDirection,
  SupplementaryQueryType,
  toDataFrame,
  FieldType,
  type LogRowModel,
} from '@grafana/data';
import { fakeService, type SentRequest } from '../__mocks__/service';
import { liveAddress } from '../live/live-address';
import type { LogEndpointsQuery } from '../types';
import { hasFilter, lqlField, toggleFilter } from './field-filters';
import { logContextQuery } from './log-context';
import { logVolumeQuery } from './log-volume';

const LQL: LogEndpointsQuery = {
  refId: 'A',
  endpoint: { name: 'logs.all' },
  mode: 'lql',
  lql: 'f:edge_logs error',
  params: { project: 'acorn', iso_timestamp_start: '${__from:date:iso}' },
};

const ROW = {
  timeEpochMs: 1_700_000_000_123,
  timeEpochNs: '1700000000123000000',
  rowIndex: 1,
  dataFrame: toDataFrame({
    fields: [
      { name: 'timestamp', type: FieldType.time, values: [0, 1_700_000_000_123] },
      { name: 'id', type: FieldType.string, values: ['a', "b'c"] },
      { name: 'tsNs', type: FieldType.string, values: ['0', '1700000000123456000'] },
    ],
  }),
} as unknown as LogRowModel;

test.each([
  ['request.method', 'm.request.method'],
  ['request.headers.user-agent', 'm.request.headers."user-agent"'],
  ['items.0.sku', 'm.items.sku'],
  ['event_message', 'event_message'],
])('the label %s is %s in LQL', (label, field) => {
  expect(lqlField(label)).toBe(field);
});

test('a filter is added, replaced by its opposite, and taken off; the text stays as it is', () => {
  const added = toggleFilter(LQL, 'level', 'error', '=');
  expect(added).toMatchObject({ lql: LQL.lql, filters: [{ field: 'm.level', operator: '=', value: 'error' }] });
  expect(hasFilter(added, 'level', 'error')).toBe(true);
  const opposite = toggleFilter(added, 'level', 'error', '!=');
  expect(opposite.filters).toEqual([{ field: 'm.level', operator: '!=', value: 'error' }]);
  expect(hasFilter(opposite, 'level', 'error')).toBe(false);
  expect(toggleFilter(opposite, 'level', 'error', '!=').filters).toEqual([]);
});

test('SQL and saved queries take no filters', () => {
  const sql = { ...LQL, mode: 'sql', sql: 'select 1' } as const;
  expect(toggleFilter(sql, 'level', 'error', '=')).toBe(sql);
});

test('both ways of the host to add a filter do the same', () => {
  const { datasource } = fakeService();
  const options = { key: 'level', value: 'error' };
  expect(datasource.toggleQueryFilter(LQL, { type: 'FILTER_OUT', options }).filters).toEqual(
    datasource.modifyQuery(LQL, { type: 'ADD_FILTER_OUT', options }).filters
  );
  expect(datasource.modifyQuery(LQL, { type: 'OTHER', options })).toBe(LQL);
});

test.each([
  ['f:edge_logs error', 'f:edge_logs error $__timeFilter c:count(*) c:group_by($__timeGroup)'],
  ['f:edge_logs t:last@1h s:id s:m.path@p', 'f:edge_logs t:last@1h c:count(*) c:group_by($__timeGroup)'],
])('the volume of %s is %s', (lql, expected) => {
  expect(logVolumeQuery({ ...LQL, lql, maxRows: 10 })).toEqual(
    expect.objectContaining({ lql: expected, refId: 'log-volume-A', format: 'time_series' })
  );
  expect(logVolumeQuery({ ...LQL, lql, maxRows: 10 })).not.toHaveProperty('maxRows');
});

test.each([
  { lql: 'c:count(*)' },
  { lql: '' },
  { hide: true },
  { mode: 'sql', sql: 'select 1' },
  { mode: 'saved' },
] as const)('there is no volume of %j', (changed) => {
  expect(logVolumeQuery({ ...LQL, ...changed })).toBeUndefined();
});

test('the request for the volume leaves out what has none', () => {
  const { datasource } = fakeService();
  const request = { targets: [LQL, { ...LQL, refId: 'B', mode: 'saved' }] } as never;
  const volume = datasource.getSupplementaryRequest(SupplementaryQueryType.LogsVolume, request);
  expect(volume).toMatchObject({ hideFromInspector: true, targets: [{ refId: 'log-volume-A' }] });
  expect(datasource.getSupplementaryRequest(SupplementaryQueryType.LogsSample, request)).toBeUndefined();
  expect(datasource).not.toHaveProperty('getDataProvider');
});

test('the lines after one are asked for by its exact time, oldest first, without itself', () => {
  const query = logContextQuery(ROW, LQL, { direction: LogRowContextQueryDirection.Forward, limit: 10 });
  expect(query).toMatchObject({ mode: 'sql', format: 'logs', params: { project: 'acorn' } });
  expect(query?.sql).toContain('timestamp > TIMESTAMP_MICROS(1700000000123456)');
  expect(query?.sql).toContain("id != 'b\\'c'");
  expect(query?.sql).toContain('order by timestamp asc, id limit 10');
});

test('the lines before one begin with those of its own time, newest first', () => {
  const query = logContextQuery(ROW, LQL, { direction: LogRowContextQueryDirection.Backward, limit: 99_999 });
  expect(query?.sql).toContain('timestamp <= TIMESTAMP_MICROS(1700000000123456)');
  expect(query?.sql).toContain('order by timestamp desc, id limit 500');
});

test('lines around one of an unknown table are refused with a reason', async () => {
  await expect(fakeService().datasource.getLogRowContext(ROW, {}, { ...LQL, lql: 'error' })).rejects.toThrow(
    'f:edge_logs'
  );
});

test('lines around one go to the backend', async () => {
  const service = fakeService();
  await service.datasource.getLogRowContext(ROW, { direction: LogRowContextQueryDirection.Forward }, LQL);
  const asked = service.sent.find(({ url }: SentRequest) => url.includes('/api/ds/query'));
  expect(asked?.data).toMatchObject({ from: '1700000000123', queries: [{ refId: 'log-context-A', mode: 'sql' }] });
});

test('a stream has a path that the backend takes, another for another query, the same for the same', () => {
  const { path, stream, data } = liveAddress('uid-1', LQL);
  expect(path).toMatch(/^tail\/[A-Za-z0-9_=.-]{1,120}$/);
  expect(stream).toBe('uid-1');
  expect(data).toBe(LQL);
  expect(liveAddress('uid-1', { ...LQL }).path).toBe(path);
  expect(liveAddress('uid-1', { ...LQL, lql: 'f:edge_logs errors' }).path).not.toBe(path);
});
