/** @slow 20 */
import React, { useState } from 'react';
import { CoreApp } from '@grafana/data';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setAppEvents } from '@grafana/runtime';
import { LOGS, USAGE } from '../../__mocks__/endpoints';
import { fakeService, type FakeService } from '../../__mocks__/service';
import { PANEL_FROM, PANEL_TO } from '../../query/defaults';
import type { LogEndpointsQuery } from '../../types';
import { QueryHelp } from '../QueryHelp';
import { AlertHints } from './AlertHints';
import { QueryEditor } from './QueryEditor';

// The host's editor loads a library that needs a real browser; the workbench test has one.
jest.mock('@grafana/ui', () => ({
  ...jest.requireActual('@grafana/ui'),
  CodeEditor: ({
    value,
    onChange,
    onBlur,
  }: Record<string, never> & { onChange: (text: string) => void; onBlur: (text: string) => void }) => (
    <textarea
      aria-label="Text"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={({ currentTarget }) => onBlur(currentTarget.value)}
    />
  ),
}));

beforeEach(() => window.localStorage.clear());

interface Opened {
  readonly latest: { query: LogEndpointsQuery };
  readonly runs: LogEndpointsQuery[];
}

const USAGE_QUERY: LogEndpointsQuery = { refId: 'A', endpoint: { id: USAGE.id, name: USAGE.name }, mode: 'saved' };
const LOGS_QUERY: LogEndpointsQuery = { refId: 'A', endpoint: { id: LOGS.id, name: LOGS.name }, mode: 'saved' };

async function open(service: FakeService, query: LogEndpointsQuery, app = CoreApp.PanelEditor): Promise<Opened> {
  const opened: Opened = { latest: { query }, runs: [] };
  function Page() {
    const [shown, setShown] = useState(query);
    return (
      <QueryEditor
        datasource={service.datasource}
        query={shown}
        app={app}
        onChange={(next) => {
          opened.latest.query = next;
          setShown(next);
        }}
        onRunQuery={() => opened.runs.push(opened.latest.query)}
      />
    );
  }
  render(<Page />);
  await act(async () => undefined);
  return opened;
}

/** By keyboard: the host draws as much of a list as is in sight, and nothing has a size here. */
async function pick(label: string | RegExp, text: string): Promise<void> {
  await userEvent.click(screen.getByLabelText(label));
  await userEvent.keyboard(`${text}{ArrowDown}{Enter}`);
}

test('the endpoint is shown with its description and the limits of its answers', async () => {
  await open(fakeService(), USAGE_QUERY);
  expect(screen.getByLabelText('Endpoint')).toHaveValue('usage.api-counts');
  expect(screen.getByText(USAGE.description)).toBeVisible();
  expect(screen.getByText('cached for 15 min')).toBeVisible();
  expect(screen.getByText('at most 1,000 rows')).toBeVisible();
  expect(screen.queryByText('redacted')).not.toBeInTheDocument();
});

test('picking an endpoint keeps values of parameters that both have and binds times to the panel', async () => {
  const { latest } = await open(fakeService(), { ...USAGE_QUERY, params: { project: 'acorn', interval: 'hourly' } });
  await pick('Endpoint', 'logs.all');
  expect(latest.query.endpoint).toEqual({ id: LOGS.id, name: 'logs.all' });
  expect(latest.query.params).toEqual({
    project: 'acorn',
    iso_timestamp_start: PANEL_FROM,
    iso_timestamp_end: PANEL_TO,
  });
});

test('a variable may name the endpoint, whose parameters are the form', async () => {
  const params = { project: 'acorn' };
  const { latest } = await open(fakeService({}, { chosen: 'usage.api-counts' }), { ...LOGS_QUERY, params });
  const selected = { initialSelectionStart: 0, initialSelectionEnd: LOGS.name.length };
  await userEvent.type(screen.getByLabelText('Endpoint'), '$chosen', selected);
  await userEvent.tab();
  expect(latest.query).toMatchObject({ endpoint: { name: '$chosen' }, params });
  expect(latest.query.endpoint).not.toHaveProperty('id');
  expect(screen.getByLabelText('Endpoint')).toHaveValue('$chosen');
  expect(screen.getByText(USAGE.description)).toBeVisible();
  expect(screen.getByText('Fill in interval.')).toBeVisible();
});

test('a variable that names no endpoint is said to be one', async () => {
  await open(fakeService({}, { chosen: 'deleted' }), { refId: 'A', endpoint: { name: '${chosen}' }, mode: 'saved' });
  expect(screen.getByText('No endpoint has the name in ${chosen}')).toBeVisible();
});

test('picking an endpoint that needs more does not run it yet', async () => {
  const { latest, runs } = await open(fakeService(), { ...LOGS_QUERY, params: { project: 'acorn' } });
  await pick('Endpoint', 'usage.api-counts');
  expect(latest.query.endpoint).toEqual({ id: USAGE.id, name: USAGE.name });
  expect(runs).toHaveLength(0);
});

test('a query names its missing parameters, and runs once all are set, not while typing', async () => {
  const { runs } = await open(fakeService(), USAGE_QUERY);
  expect(screen.getByText('Fill in interval and project.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Run' })).toBeDisabled();
  await pick(/^interval/, 'hourly');
  expect(runs).toHaveLength(0);
  await userEvent.type(screen.getByLabelText(/^project/), 'acorn');
  expect(runs).toHaveLength(0);
  await userEvent.keyboard('{Enter}');
  expect(runs.map(({ params }) => params)).toEqual([{ interval: 'hourly', project: 'acorn' }]);
  await userEvent.tab();
  expect(runs).toHaveLength(1);
});

test('an error stands beside its field once it was left', async () => {
  await open(fakeService(), USAGE_QUERY);
  expect(screen.queryByText('Required.')).not.toBeInTheDocument();
  await userEvent.click(screen.getByLabelText(/^project/));
  await userEvent.tab();
  expect(screen.getByText('Required.')).toBeVisible();
});

test('a parameter with named values takes a variable too', async () => {
  const { latest } = await open(fakeService(), USAGE_QUERY);
  await pick(/^interval/, '$size');
  expect(latest.query.params).toEqual({ interval: '$size' });
});

test.each([
  ['hourly', { interval: 'hourly' }, undefined],
  ['HOURLY', { interval: 'hourly' }, undefined],
  ['hourl', { interval: 'hourl' }, 'One of minutely, hourly, daily.'],
])('what was typed into a list and left is taken: %s', async (typed, params, problem) => {
  const { latest } = await open(fakeService(), USAGE_QUERY);
  await userEvent.type(screen.getByLabelText(/^interval/), typed);
  await userEvent.tab();
  expect(latest.query.params).toEqual(params);
  expect(screen.queryByText(/^One of/)?.textContent).toBe(problem);
});

test('a change that is not drawn yet is not lost to the next one', async () => {
  const service = fakeService();
  const changes: LogEndpointsQuery[] = [];
  // A host that draws late: the editor is shown the old query all the time.
  render(
    <QueryEditor
      datasource={service.datasource}
      query={USAGE_QUERY}
      onChange={(next) => changes.push(next)}
      onRunQuery={() => undefined}
    />
  );
  await act(async () => undefined);
  await pick(/^interval/, 'hourly');
  fireEvent.change(screen.getByLabelText(/^project/), { target: { value: 'acorn' } });
  expect(changes.at(-1)?.params).toEqual({ interval: 'hourly', project: 'acorn' });
});

test('the name of an endpoint that was typed and left is taken, or said to be unknown', async () => {
  const { latest } = await open(fakeService(), USAGE_QUERY);
  await userEvent.click(screen.getByLabelText('Endpoint'));
  await userEvent.keyboard('logs.nope');
  await userEvent.tab();
  expect(screen.getByText('There is no endpoint “logs.nope”.')).toBeVisible();
  expect(latest.query.endpoint?.name).toBe('usage.api-counts');
  await userEvent.click(screen.getByLabelText('Endpoint'));
  await userEvent.keyboard('logs.all');
  await userEvent.tab();
  expect(latest.query.endpoint?.name).toBe('logs.all');
  expect(screen.queryByText(/There is no endpoint/)).not.toBeInTheDocument();
});

test('a list that was opened, typed into and given up changes nothing', async () => {
  const { latest } = await open(fakeService(), USAGE_QUERY);
  await userEvent.type(screen.getByLabelText(/^interval/), 'hou{Escape}');
  await userEvent.tab();
  expect(latest.query).toEqual(USAGE_QUERY);
});

test('the data source may have a project', async () => {
  await open(fakeService({ defaultProject: 'acorn' }), LOGS_QUERY);
  expect(screen.getByPlaceholderText('acorn')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Run' })).toBeEnabled();
});

test('a time bound is the panel’s or none', async () => {
  const { latest } = await open(fakeService(), {
    ...LOGS_QUERY,
    params: { project: 'acorn', iso_timestamp_start: PANEL_FROM },
  });
  await userEvent.click(screen.getByRole('button', { name: /Optional parameters 1 of 2 set/ }));
  expect(screen.getByLabelText('iso_timestamp_start')).toHaveValue('Panel time range: start');
  await pick('iso_timestamp_start', 'No limit');
  expect(latest.query.params).toEqual({ project: 'acorn', iso_timestamp_start: '' });
});

test.each([
  ['flag', { type: 'boolean' }, 'true', 'Not set'],
  ['kind', { enum: ['alpha', 'beta'] }, 'alpha', 'Not set'],
  ['kind', { enum: ['alpha', 'beta'], default: 'beta' }, 'alpha', 'Default: beta'],
] as const)('an optional parameter %s with choices %o can be emptied again', async (name, declared, value, label) => {
  const service = fakeService();
  const parameter = { type: 'text', required: false, description: '', ...declared, name };
  service.answer('/resources/endpoints', () => ({ endpoints: [{ ...USAGE, parameters: [parameter] }] }));
  const { latest } = await open(service, { ...USAGE_QUERY, params: { [name]: value } });
  await userEvent.click(await screen.findByRole('button', { name: /Optional parameters 1 of 1 set/ }));
  await pick(name, label);
  expect(latest.query.params).toEqual({ [name]: '' });
});

test('an endpoint that was deleted keeps its name and is marked', async () => {
  await open(fakeService(), { ...LOGS_QUERY, endpoint: { id: 'deleted', name: 'logs.old' } });
  expect(screen.getByLabelText('Endpoint')).toHaveValue('logs.old');
  expect(screen.getByText('The endpoint logs.old is not there')).toBeVisible();
});

test('a service that cannot be asked says why, and can be asked again', async () => {
  const service = fakeService();
  service.answer('/resources/endpoints', () => {
    const error = { code: 'token_invalid', message: 'The access token is not valid.', requestId: 'r-1' };
    throw { status: 401, data: { error } };
  });
  await open(service, LOGS_QUERY);
  expect(screen.getByText(/The access token is not valid\.\s+Request id: r-1\./)).toBeVisible();
  service.answer('/resources/endpoints', () => ({ endpoints: [LOGS] }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(LOGS.description)).toBeVisible();
});

const READY = { ...LOGS_QUERY, params: { project: 'acorn' } };

test('SQL is checked when the typing pauses, and said to be wrong in words', async () => {
  const service = fakeService();
  service.answer('/resources/validate', () => ({
    valid: false,
    error: {
      code: 'query_invalid',
      message: 'no column ids',
      hint: 'did you mean id?',
      position: { line: 1, column: 8 },
    },
  }));
  const { latest, runs } = await open(service, READY);
  await userEvent.click(screen.getByLabelText('SQL'));
  await userEvent.click(screen.getByLabelText('Code'));
  fireEvent.change(screen.getByLabelText('Text'), { target: { value: 'select ids from edge_logs' } });
  expect(latest.query).toMatchObject({ mode: 'sql', sql: 'select ids from edge_logs' });
  expect(await screen.findByText(/No column ids\. Line 1, column 8\. Did you mean id\?/)).toBeVisible();
  expect(service.sent.find(({ url }) => url.endsWith('/validate'))?.data).toMatchObject({
    endpoint: LOGS.id,
    mode: 'sql',
    text: 'select ids from edge_logs',
    params: { project: 'acorn' },
  });
  expect(runs).toHaveLength(0);
});

test('an example is one click away and runs', async () => {
  const { runs } = await open(fakeService(), { ...READY, mode: 'lql', editorMode: 'code' });
  await userEvent.click(await screen.findByRole('button', { name: 'Server errors' }));
  expect(runs).toMatchObject([
    { mode: 'lql', lql: 'f:edge_logs $__timeFilter m.response.status_code:>=500', format: 'logs' },
  ]);
});

test('LQL shows its SQL when asked', async () => {
  await open(fakeService(), { ...READY, mode: 'lql', lql: 'f:edge_logs' });
  expect(screen.queryByText('SELECT 1')).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'As SQL' }));
  expect(await screen.findByText('SELECT 1')).toBeVisible();
});

test('warnings of a good text are shown', async () => {
  const service = fakeService();
  const warning = {
    code: 'select_ignored',
    message: 'Beside a chart a select does nothing.',
    position: { line: 1, column: 1 },
    offset: 0,
    length: 4,
  };
  service.answer('/resources/validate', () => ({
    valid: true,
    result: { canonical: '', fields: [], parameters: [], tables: [], warnings: [warning] },
  }));
  await open(service, { ...READY, mode: 'lql', lql: 's:id c:count(*)' });
  expect(await screen.findByText('Beside a chart a select does nothing.')).toBeVisible();
});

test('filters are chips that can be taken off', async () => {
  const filters = [
    { field: 'm.level', operator: '=', value: 'error' } as const,
    { field: 'm.path', operator: '!=', value: '/health' } as const,
  ];
  const { latest, runs } = await open(fakeService(), { ...READY, mode: 'lql', lql: 'f:auth_logs', filters });
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter m.level = error' }));
  expect(latest.query.filters).toEqual([filters[1]]);
  expect(runs).toHaveLength(1);
});

test.each([
  ['SQL', 'lql', { sql: 'select id from edge_logs' }, true],
  ['SQL', 'lql', { sql: 'select 1' }, false],
  ['Saved', 'lql', {}, false],
  ['LQL', 'sql', { sql: 'select id from edge_logs' }, true],
] as const)('a switch to %s from %s with %j keeps the filters: %s', async (label, mode, texts, isKept) => {
  const warned: unknown[] = [];
  setAppEvents({ publish: (event: unknown) => warned.push(event) } as never);
  const filters = [{ field: 'm.level', operator: '!=', value: '${__dollar}x' } as const];
  const { latest } = await open(fakeService(), { ...READY, mode, lql: 'f:auth_logs', ...texts, filters });
  await userEvent.click(screen.getByRole('radio', { name: label }));
  expect(latest.query.filters).toEqual(isKept ? filters : undefined);
  const text = 'This query takes none. They were: m.level ≠ $x.';
  expect(warned).toMatchObject(isKept ? [] : [{ payload: ['The filters were removed', text] }]);
});

test('an endpoint without a sandbox takes no filters, and says which are removed', async () => {
  const service = fakeService();
  const closed = { ...USAGE, sandbox: false };
  service.answer('/resources/endpoints', () => ({ endpoints: [closed, LOGS] }));
  const warned: unknown[] = [];
  setAppEvents({ publish: (event: unknown) => warned.push(event) } as never);
  const filters = [{ field: 'm.level', operator: '=', value: 'x' } as const];
  const { latest } = await open(service, { ...READY, mode: 'lql', lql: 'f:auth_logs', filters });
  await pick('Endpoint', USAGE.name);
  expect(latest.query).toMatchObject({ mode: 'saved', filters: undefined });
  expect(warned).toHaveLength(1);
});

test('a chip says how its filter compares, also that of an ad-hoc filter of a dashboard', async () => {
  const single = (['=~', '!~', '<', '<=', '>', '>='] as const).map((operator) => ({
    field: 'm.n',
    operator,
    value: '5',
  }));
  const lists = (['=|', '!=|'] as const).map((operator) => ({ field: 'm.n', operator, value: '["5","6"]' }));
  const filters = [...single, ...lists];
  await open(fakeService(), { ...READY, mode: 'lql', lql: 'f:auth_logs', filters });
  const chips = screen.getAllByRole('button', { name: /^Remove the filter/ });
  expect(chips.map(({ textContent }) => textContent)).toEqual([
    'm.n matches 5',
    'm.n does not match 5',
    'm.n < 5',
    'm.n ≤ 5',
    'm.n > 5',
    'm.n ≥ 5',
    'm.n is one of 5, 6',
    'm.n is none of 5, 6',
  ]);
});

test('sets format, redaction and rows', async () => {
  const { latest } = await open(fakeService(), READY);
  await userEvent.click(screen.getByLabelText('Table'));
  await userEvent.click(screen.getByLabelText('Redact personal data'));
  await userEvent.type(screen.getByLabelText('Row limit'), '50');
  await userEvent.tab();
  expect(latest.query).toMatchObject({ format: 'table', redactPii: true, maxRows: 50 });
});

test('redaction of the data source cannot be turned off in a query', async () => {
  await open(fakeService({ redactPii: true }), READY);
  expect(screen.getByLabelText('Redact personal data')).toBeChecked();
  expect(screen.getByLabelText('Redact personal data')).toBeDisabled();
});

test('alert rules say what they cannot do', async () => {
  const query = {
    ...LOGS_QUERY,
    params: { project: '$project', iso_timestamp_start: PANEL_FROM },
    format: 'logs',
  } as const;
  await open(fakeService(), query, CoreApp.UnifiedAlerting);
  expect(screen.getByText('Alert rules have no dashboard variables')).toBeVisible();
  expect(screen.getByText('Alert rules compare numbers')).toBeVisible();
});

test('macros are no variables to an alert rule', async () => {
  const query = { ...READY, mode: 'sql', sql: 'select 1 where $__timeFilter(timestamp)' } as const;
  await open(
    fakeService(),
    { ...query, params: { ...READY.params, iso_timestamp_start: PANEL_FROM } },
    CoreApp.UnifiedAlerting
  );
  expect(screen.queryByText('Alert rules have no dashboard variables')).not.toBeInTheDocument();
});

test('the end of a pattern is no variable to an alert rule', async () => {
  await open(fakeService(), { ...READY, params: { ...READY.params, project: '^acorn$' } }, CoreApp.UnifiedAlerting);
  expect(screen.queryByText('Alert rules have no dashboard variables')).not.toBeInTheDocument();
});

test.each([
  ['sql', 'select $__timeGroup(timestamp) as t from logs', true],
  ['sql', 'select $__timeGroup(coalesce(a, b), $__interval) as t from logs', true],
  ['sql', 'select $__timeGroup(coalesce(a, b), 5m, 0) as t from logs', false],
  ['sql', 'select 1 from logs where $__timeFilter(timestamp)', false],
  ['lql', 'f:logs c:count(*) c:group_by($__timeGroup)', true],
  ['lql', 'f:logs c:count(*) c:group_by($__timeGroup(5m, 0))', false],
  ['lql', 'f:logs c:count(*) c:group_by(t::$__interval)', true],
] as const)('an alert rule in %s, %s, leaves the width of buckets open: %s', (mode, text, isOpen) => {
  render(<AlertHints query={{ refId: 'A', mode, [mode]: text }} />);
  expect(screen.queryAllByText('The rule decides how wide the buckets are')).toHaveLength(isOpen ? 1 : 0);
});

test.each([
  ['sql', CoreApp.UnifiedAlerting, '$__timeGroup(timestamp, 5m, 0)'],
  ['lql', CoreApp.UnifiedAlerting, '$__timeGroup(5m, 0)'],
  ['lql', CoreApp.PanelEditor, 'c:group_by($__timeGroup)'],
] as const)('the example of events over time in %s in %s has %s', async (mode, app, bucket) => {
  const { latest } = await open(fakeService(), { ...READY, mode, editorMode: 'code', [mode]: '' }, app);
  await userEvent.click(await screen.findByRole('button', { name: 'Events over time' }));
  expect(latest.query[mode]).toContain(bucket);
  expect(screen.queryByText('The rule decides how wide the buckets are')).not.toBeInTheDocument();
});

test('opening an editor neither changes nor runs the query', async () => {
  const { latest, runs } = await open(fakeService(), { ...READY, mode: 'sql', sql: 'select 1' });
  await userEvent.click(screen.getByLabelText('Text'));
  await userEvent.tab();
  await waitFor(() => expect(runs).toHaveLength(0));
  expect(latest.query).toEqual({ ...READY, mode: 'sql', sql: 'select 1' });
});

test('the help offers whole queries', async () => {
  const picked: LogEndpointsQuery[] = [];
  render(
    <QueryHelp
      datasource={fakeService().datasource as never}
      query={{ refId: 'B', params: { project: 'acorn' } }}
      onClickExample={(query) => picked.push(query)}
    />
  );
  await userEvent.click(screen.getByRole('button', { name: 'Events over time (LQL)' }));
  expect(picked).toMatchObject([
    { refId: 'B', endpoint: { name: 'logs.all' }, mode: 'lql', params: { project: 'acorn' } },
  ]);
});

test('a service that is down leaves the form of the stored query, and says so once', async () => {
  const service = fakeService();
  service.answer('/resources/endpoints', () => {
    throw { status: 502, data: { error: { code: 'unreachable', message: 'The service cannot be reached.' } } };
  });
  const { latest, runs } = await open(service, { ...READY, mode: 'sql', sql: 'select 1', editorMode: 'code' });
  expect(screen.getAllByText(/The service cannot be reached/)).toHaveLength(1);
  expect(screen.getByLabelText('Endpoint')).toHaveValue('logs.all');
  expect(screen.getByLabelText(/^project/)).toHaveValue('acorn');
  expect(screen.getByLabelText('Text')).toHaveValue('select 1');
  await userEvent.type(screen.getByLabelText(/^project/), 's{Enter}');
  expect(latest.query.params).toEqual({ project: 'acorns' });
  expect(runs).toHaveLength(1);
});

test.each([
  [CoreApp.Explore, 0],
  [CoreApp.UnifiedAlerting, 0],
  [CoreApp.PanelEditor, 1],
])('in %s there are %d buttons of our own that run the query', async (app, count) => {
  await open(fakeService(), READY, app);
  expect(screen.queryAllByRole('button', { name: 'Run' })).toHaveLength(count);
});

const NEW_QUERY = { refId: 'A', endpoint: { name: 'usage.api-counts' }, mode: 'saved' } as const;

test('a new query takes the only endpoint that there is, and keeps one that was chosen', async () => {
  const service = fakeService();
  service.answer('/resources/endpoints', () => ({ endpoints: [LOGS] }));
  const { latest, runs } = await open(service, NEW_QUERY);
  expect(latest.query.endpoint).toEqual({ id: LOGS.id, name: LOGS.name });
  expect(runs).toHaveLength(0);
});

test('an endpoint that was removed is not replaced by the only one', async () => {
  const service = fakeService();
  service.answer('/resources/endpoints', () => ({ endpoints: [LOGS] }));
  const { latest } = await open(service, { ...NEW_QUERY, endpoint: { name: 'team.errors' } });
  expect(latest.query.endpoint).toEqual({ name: 'team.errors' });
});

test('what was run is what the next new query begins with, in panels and Explore apart', async () => {
  const service = fakeService();
  await open(service, LOGS_QUERY);
  await userEvent.type(screen.getByLabelText(/^project/), 'acorn{Enter}');
  expect(service.datasource.getDefaultQuery(CoreApp.PanelEditor)).toMatchObject({
    endpoint: { id: LOGS.id },
    params: { project: 'acorn' },
  });
  expect(service.datasource.getDefaultQuery(CoreApp.Explore)).toMatchObject({ endpoint: { name: 'logs.all' } });
});

test('values that were run before are offered', async () => {
  const first = await open(fakeService(), LOGS_QUERY);
  await userEvent.type(screen.getByLabelText(/^project/), 'acorn{Enter}');
  expect(first.runs).toHaveLength(1);
  await open(fakeService(), { ...LOGS_QUERY, refId: 'B' });
  expect(document.querySelector('#lqe-param-B-project-choices option')).toHaveValue('acorn');
});

test('values that the service lists are offered below those of this browser; without them the field stays as it is', async () => {
  const values = { query: 'usage.api-counts', parameters: { interval: 'daily', project: '^$x' } };
  const [project, ...others] = LOGS.parameters;
  const endpoints = [{ ...LOGS, parameters: [{ ...project, values }, ...others] }];
  const service = fakeService();
  service.answer('/resources/endpoints', () => ({ endpoints }));
  const schema = { refId: 'values', fields: [{ name: 'project', type: 'string' }] };
  service.answer('/api/ds/query', () => ({
    results: { values: { frames: [{ schema, data: { values: [['oak', '$elm']] } }] } },
  }));
  await open(service, LOGS_QUERY);
  const offered = () =>
    [...document.querySelectorAll('#lqe-param-A-project-choices option')].map(
      (each) => (each as HTMLOptionElement).value
    );
  await waitFor(() => expect(offered()).toEqual(['oak', '${__dollar}elm']));
  expect(JSON.stringify(service.sent)).toContain('^${__dollar}x');

  const refused = fakeService();
  refused.answer('/resources/endpoints', () => ({ endpoints }));
  refused.answer('/api/ds/query', () => ({
    results: { values: { error: 'The token lacks the scope "adhoc".', status: 403 } },
  }));
  await open(refused, { ...LOGS_QUERY, refId: 'C' });
  await userEvent.type(document.querySelector('#lqe-param-C-project')!, 'ash{Enter}');
  expect(document.querySelector('#lqe-param-C-project')).toHaveValue('ash');
});

test('SQL begins in the builder with a text that can be run', async () => {
  const service = fakeService();
  // Known from an earlier look at the endpoint.
  await service.datasource.catalog.endpoint(LOGS.id);
  const { latest, runs } = await open(service, READY);
  await userEvent.click(screen.getByLabelText('SQL'));
  expect(latest.query).toMatchObject({
    mode: 'sql',
    editorMode: 'builder',
    sql: expect.stringMatching(/^select timestamp/),
  });
  expect(runs).toHaveLength(1);
  expect(await screen.findByLabelText('Panel time range')).toBeChecked();
});

test('SQL is laid out on request', async () => {
  const { latest } = await open(fakeService(), {
    ...READY,
    mode: 'sql',
    sql: 'select id from edge_logs where $__timeFilter(timestamp)',
  });
  await userEvent.click(screen.getByRole('button', { name: 'Format query' }));
  expect(latest.query.sql).toBe('select id\nfrom edge_logs\nwhere $__timeFilter(timestamp)');
  expect(screen.getByRole('button', { name: 'Format query' })).toHaveAttribute('aria-disabled', 'true');
});

test('examples read the table that the text reads', async () => {
  const { latest } = await open(fakeService(), { ...READY, mode: 'sql', sql: 'select id from auth_logs' });
  await userEvent.click(await screen.findByRole('button', { name: 'Newest events' }));
  expect(latest.query.sql).toContain('from auth_logs');
});
