import React, { useState } from 'react';
import { FieldType, toDataFrame, type DataQueryRequest } from '@grafana/data';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { firstValueFrom } from 'rxjs';
import { LOGS, USAGE } from '../../__mocks__/endpoints';
import { fakeService, type FakeService } from '../../__mocks__/service';
import { VariableEditor } from '../../components/VariableEditor';
import type { VariableQuery } from '../../types';
import { variableFrame } from './variable-options';
import { VariableSupport } from './variable-support';

const ROWS = toDataFrame({
  fields: [
    { name: 'n', type: FieldType.number, values: [1, 2, 2] },
    { name: 'path', type: FieldType.string, values: ['/a', '/b', '/b'] },
    { name: 'title', type: FieldType.string, values: ['A', 'B', 'again'] },
  ],
});

function options(frame: { fields: Array<{ name: string; values: unknown[] }> }): Record<string, unknown[]> {
  return Object.fromEntries(frame.fields.map(({ name, values }) => [name, [...values]]));
}

test('each value of the first column of texts is one option', () => {
  expect(options(variableFrame([ROWS]))).toEqual({ text: ['/a', '/b'], value: ['/a', '/b'] });
});

test('columns can be named, and numbers become texts', () => {
  const frame = variableFrame([ROWS], { valueField: 'n', labelField: 'title' });
  expect(options(frame)).toEqual({ text: ['A', 'B'], value: ['1', '2'] });
  expect(frame.fields.every(({ type }) => type === FieldType.string)).toBe(true);
});

test.each([
  ['of numbers behind a time, as of an LQL chart by status', ['t', 'n'], ['1', '2']],
  ['of a time alone', ['t'], ['5', '6', '7']],
])('without a column of texts, the options are those %s', (_what, names, expected) => {
  const time = { name: 't', type: FieldType.time, values: [5, 6, 7], config: {} };
  const fields = names.map((name) => [time, ...ROWS.fields].find((field) => field.name === name)!);
  expect(options(variableFrame([{ ...ROWS, fields }])).value).toEqual(expected);
});

test('records as options are different values, each its JSON', () => {
  const frame = toDataFrame({ fields: [{ name: 'metadata', type: FieldType.other, values: [{ a: 1 }, { a: 2 }] }] });
  expect(options(variableFrame([frame])).value).toEqual(['{"a":1}', '{"a":2}']);
});

test('what a person types narrows the options', () => {
  expect(options(variableFrame([ROWS], {}, 'B*')).value).toEqual(['/b']);
});

async function ask(service: FakeService, query: Partial<VariableQuery>, search?: string) {
  const request = {
    targets: [{ refId: 'v', ...query }],
    scopedVars: search === undefined ? {} : { __searchFilter: { value: search, text: search } },
    range: { from: 0, to: 1 },
  };
  const answer = await firstValueFrom(
    new VariableSupport(service.datasource).query(request as unknown as DataQueryRequest<VariableQuery>)
  );
  return options(answer.data[0]);
}

test('lists endpoints, and the values a parameter may have', async () => {
  expect((await ask(fakeService(), { variable: { list: 'endpoints' } })).value).toEqual([
    'usage.api-counts',
    'logs.all',
  ]);
  expect((await ask(fakeService(), { variable: { list: 'endpoints' } }, 'logs')).value).toEqual(['logs.all']);
  const endpoint = { id: USAGE.id, name: USAGE.name };
  expect(
    (await ask(fakeService(), { endpoint, variable: { list: 'parameter', parameter: 'interval' } })).value
  ).toEqual(['minutely', 'hourly', 'daily']);
});

test('the values of a parameter are those of the endpoint with the id, not of another one with its former name', async () => {
  const service = fakeService();
  const renamed = { ...USAGE, name: 'usage.renamed' };
  const other = { ...USAGE, id: LOGS.id, parameters: [{ ...USAGE.parameters[0]!, enum: ['weekly'] }] };
  service.answer('/resources/endpoints', () => ({ endpoints: [other, renamed] }));
  const variable = { list: 'parameter', parameter: 'interval' } as const;
  const valuesOf = async (id: string) => (await ask(service, { endpoint: { id, name: USAGE.name }, variable })).value;
  expect(await valuesOf(USAGE.id)).toEqual(['minutely', 'hourly', 'daily']);
  expect(await valuesOf('')).toEqual(['weekly']);
});

test('the values of a parameter may be listed by a saved query, which is asked once', async () => {
  const service = fakeService();
  const values = { query: 'usage.api-counts', parameters: { interval: 'daily', project: '.' }, sql: 'select p' };
  const [project] = LOGS.parameters;
  service.answer('/resources/endpoints', () => ({
    endpoints: [USAGE, { ...LOGS, parameters: [{ ...project, values }] }],
  }));
  const fields = [
    { name: 'p', type: 'string' },
    { name: 'n', type: 'number' },
  ];
  service.answer('/api/ds/query', () => ({
    results: {
      values: {
        frames: [
          {
            schema: { refId: 'values', fields },
            data: {
              values: [
                ['oak', 'elm'],
                [2, 1],
              ],
            },
          },
        ],
      },
    },
  }));
  const query = { endpoint: { name: 'logs.all' }, variable: { list: 'parameter', parameter: 'project' } } as const;
  expect((await ask(service, query)).value).toEqual(['oak', 'elm']);
  expect((await ask(service, query, 'e')).value).toEqual(['elm']);
  const asked = service.sent.filter(({ url }) => url.includes('/api/ds/query'));
  expect(asked.map(({ data }) => data)).toMatchObject([
    { queries: [{ endpoint: { name: 'usage.api-counts' }, mode: 'sql', sql: 'select p', params: values.parameters }] },
  ]);
});

test('a host that takes the function out of its object, and names the search in its old way, gets options', async () => {
  const { query } = new VariableSupport(fakeService().datasource);
  const request = {
    targets: [{ refId: 'v', variable: { list: 'endpoints' } }],
    scopedVars: { searchFilter: { value: 'logs' } },
  };
  const answer = await firstValueFrom(query(request as unknown as DataQueryRequest<VariableQuery>));
  expect(options(answer.data[0]).value).toEqual(['logs.all']);
});

test('a query is asked as a table', async () => {
  const service = fakeService();
  const fields = [{ name: 'path', type: 'string' }];
  service.answer('/api/ds/query', () => ({
    results: { v: { frames: [{ schema: { refId: 'v', fields }, data: { values: [['/a']] } }] } },
  }));
  const query = { endpoint: { name: 'logs.all' }, mode: 'sql', sql: 'select path' } as const;
  expect(await ask(service, query)).toEqual({ text: ['/a'], value: ['/a'] });
  expect(service.sent.at(-1)?.data).toMatchObject({ queries: [{ format: 'table', sql: 'select path' }] });
});

test('after a variable, a panel with an expression knows which parameters are patterns', async () => {
  window.localStorage.clear();
  const service = fakeService({}, { project: ['a.b', 'c'] });
  await ask(service, { endpoint: { name: 'logs.all' }, mode: 'sql', sql: 'select path' });
  const panel = { refId: 'A', endpoint: { name: 'usage.api-counts' }, params: { project: '$project' } };
  const [filled] = service.datasource.interpolateVariablesInQueries([panel], {});
  expect(filled?.params).toEqual({ project: '(a\\.b|c)' });
});

test('the editor runs when a field is left, not while typing', async () => {
  const service = fakeService();
  const seen = { query: { refId: 'v' } as VariableQuery, runs: 0 };
  function Page() {
    const [query, setQuery] = useState(seen.query);
    seen.query = query;
    return (
      <VariableEditor
        datasource={service.datasource}
        query={query}
        onChange={setQuery}
        onRunQuery={() => seen.runs++}
      />
    );
  }
  render(<Page />);
  await act(async () => undefined);
  await userEvent.type(screen.getByLabelText('Value column'), 'path');
  expect(seen).toMatchObject({ query: { variable: { valueField: 'path' } }, runs: 0 });
  await userEvent.tab();
  expect(seen.runs).toBe(1);
  await userEvent.click(screen.getByLabelText('Endpoints'));
  expect(seen).toMatchObject({ query: { variable: { list: 'endpoints' } }, runs: 2 });
  expect(screen.queryByLabelText('Endpoint')).not.toBeInTheDocument();
});
