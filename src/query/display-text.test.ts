import { defaultQuery, PANEL_FROM, PANEL_TO } from './defaults';
import { queryDisplayText } from './display-text';
import { CoreApp } from '@grafana/data';

test('a query is shown as endpoint, values and text in one line, without the time range', () => {
  expect(
    queryDisplayText({
      refId: 'A',
      endpoint: { name: 'logs.all' },
      mode: 'sql',
      sql: 'select 1\n  from edge_logs',
      params: { project: 'acorn', iso_timestamp_start: PANEL_FROM, iso_timestamp_end: PANEL_TO, other: '' },
    })
  ).toBe('logs.all · project=acorn · select 1 from edge_logs');
});

test('filters are shown beside the text', () => {
  const filters = [{ field: 'm.level', operator: '!=', value: 'info' } as const];
  expect(
    queryDisplayText({ refId: 'A', endpoint: { name: 'logs.all' }, mode: 'lql', lql: 'f:auth_logs', filters })
  ).toBe('logs.all · f:auth_logs · m.level!=info');
});

test('Explore begins with log events of the range, a panel with usage', () => {
  expect(defaultQuery(CoreApp.Explore).endpoint).toEqual({ name: 'logs.all' });
  expect(defaultQuery(CoreApp.Explore).params).toEqual({
    iso_timestamp_start: PANEL_FROM,
    iso_timestamp_end: PANEL_TO,
  });
  expect(defaultQuery(CoreApp.PanelEditor).endpoint).toEqual({ name: 'usage.api-counts' });
});
