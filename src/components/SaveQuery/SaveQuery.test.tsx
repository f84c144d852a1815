import React, { useState } from 'react';
import { config } from '@grafana/runtime';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComposeRequest, SaveRequest } from '#contract/plugin/saving';
import { LOGS, USAGE } from '../../__mocks__/endpoints';
import { fakeService, type FakeService } from '../../__mocks__/service';
import { fakeTemplateSrv } from '../../__mocks__/template-srv';
import type { LogEndpointsQuery } from '../../types';
import { QueryEditor } from '../QueryEditor/QueryEditor';

jest.mock('@grafana/ui', () => ({
  ...jest.requireActual('@grafana/ui'),
  CodeEditor: ({ value, monacoOptions }: { value: string; monacoOptions: { ariaLabel: string } }) => (
    <pre aria-label={monacoOptions.ariaLabel}>{value}</pre>
  ),
}));

const QUERY: LogEndpointsQuery = {
  refId: 'A',
  endpoint: { id: LOGS.id, name: LOGS.name },
  mode: 'sql',
  editorMode: 'code',
  sql: 'select id from edge_logs where $__timeFilter(timestamp) and project = $project and path = $path',
  params: { project: '$project' },
};
const MINE = {
  ...USAGE,
  id: '11111111-1111-4111-8111-111111111111',
  name: 'mine.old',
  origin: 'api' as const,
  revision: 4,
};

beforeEach(() => setRole('Editor'));

function setRole(orgRole: string) {
  Object.assign(config.bootData, { user: { ...config.bootData?.user, orgRole } });
}

function service(): FakeService {
  const made = fakeService({}, { project: 'oak', path: '/a' });
  made.answer('/resources/access', () => ({ canSave: true, whyNot: null, token: null }));
  made.answer('/resources/endpoints', ({ method }) =>
    method === 'POST'
      ? { endpoint: { ...MINE, id: 'new-id', name: 'edge.new', revision: 1 } }
      : { endpoints: [{ ...LOGS, origin: 'file' }, MINE] }
  );
  made.answer('/resources/compose', ({ data }) => ({
    definition: { name: (data as ComposeRequest).name, query: 'WITH edge_logs AS (…) SELECT id' },
    parameters: [
      { name: 'project', type: 'text', required: true },
      { name: 'path', type: 'text', required: true, panelValue: '$path' },
      { name: 'time_from', type: 'timestamp', required: true, panelValue: '${__from:date:iso}' },
    ],
    notes: ['Buckets keep the width that they have now, 5m.'],
    problem: null,
  }));
  return made;
}

async function open(made: FakeService, query = QUERY) {
  const opened: { query: LogEndpointsQuery; runs: number } = { query, runs: 0 };
  function Page() {
    const [shown, setShown] = useState(query);
    return (
      <QueryEditor
        datasource={made.datasource}
        query={shown}
        onChange={(next) => {
          opened.query = next;
          setShown(next);
        }}
        onRunQuery={() => opened.runs++}
      />
    );
  }
  render(<Page />);
  await act(async () => undefined);
  return opened;
}

const button = () => screen.findByRole('button', { name: 'Save as saved query…' });
const lastSent = <T,>({ sent }: FakeService, path: string, method: string) =>
  sent.filter((each) => each.url.split('?')[0]!.endsWith(path) && each.method === method).pop()?.data as T;

async function openForm(made: FakeService, query = QUERY) {
  const opened = await open(made, query);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save as saved query…' })).toBeEnabled());
  await userEvent.click(await button());
  await screen.findByLabelText('Query of the definition');
  return opened;
}

const saveButton = (name = 'Save') => screen.getByRole('button', { name });
const typeName = (text: string) => userEvent.type(document.querySelector('#lqe-save-name')!, text);

test('a viewer and a token without the scope see a disabled button, and the token is read for editors only', async () => {
  setRole('Viewer');
  const forViewer = service();
  await open(forViewer);
  expect(await button()).toBeDisabled();
  expect(screen.getByLabelText(/Users with the role Editor or Admin save queries/)).toBeInTheDocument();
  expect(forViewer.sent.some(({ url }) => url.endsWith('/access'))).toBe(false);
});

test('a token that may not save disables the button with the reason', async () => {
  const made = service();
  made.answer('/resources/access', () => ({ canSave: false, whyNot: 'It lacks the scope.', token: null }));
  await open(made);
  expect(await screen.findByLabelText(/It lacks the scope\.$/)).toBeInTheDocument();
  expect(await button()).toBeDisabled();
});

test('a text is saved under a new name and used in the panel, with its variables and the time range', async () => {
  const made = service();
  const opened = await openForm(made);
  expect(screen.getByText(/Buckets keep the width/)).toBeInTheDocument();
  await typeName('edge.new');
  await waitFor(() => expect(lastSent<ComposeRequest>(made, '/compose', 'POST').name).toBe('edge.new'));
  expect(lastSent<ComposeRequest>(made, '/compose', 'POST')).toMatchObject({
    endpoint: LOGS.id,
    mode: 'sql',
    text: "select id from edge_logs where $__timeFilter(timestamp) and project = 'lqe_variable_project' and path = 'lqe_variable_path'",
    variables: [
      { variable: 'project', marker: 'lqe_variable_project', parameter: 'project' },
      { variable: 'path', marker: 'lqe_variable_path' },
    ],
    cacheSeconds: null,
    maxRows: 1000,
  });
  await waitFor(() => expect(saveButton()).toBeEnabled());
  await userEvent.click(saveButton());
  await screen.findByText('edge.new is saved as revision 1');
  expect(lastSent<SaveRequest>(made, '/endpoints', 'POST')).toMatchObject({
    definition: { name: 'edge.new' },
    note: '',
  });
  expect(screen.queryByRole('link', { name: 'All saved queries' })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Use it in this panel' }));
  expect(opened.query).toMatchObject({
    endpoint: { id: 'new-id', name: 'edge.new' },
    mode: 'saved',
    params: { project: '$project', path: '$path', time_from: '${__from:date:iso}' },
    sql: undefined,
  });
  expect(opened.runs).toBe(1);
});

test('filters of the panel are saved, and those that are active in the dashboard are not', async () => {
  const made = service();
  const filter = { key: 'path', operator: '=', value: '/now' };
  Object.assign(made.datasource, { templates: { ...fakeTemplateSrv(), getAdhocFilters: () => [filter] } });
  await openForm(made, { ...QUERY, mode: 'lql', lql: 's:id', filters: [{ field: 'm.a', operator: '=', value: 'b' }] });
  expect(lastSent<ComposeRequest>(made, '/compose', 'POST').filters).toEqual([
    { field: 'm.a', operator: '=', value: 'b' },
  ]);
});

test('a variable keeps its present value when it is to be no parameter', async () => {
  const made = service();
  await openForm(made);
  await userEvent.click(screen.getByLabelText(/\$path becomes a parameter/));
  await waitFor(() => expect(lastSent<ComposeRequest>(made, '/compose', 'POST').text).toMatch(/path = '\/a'$/));
});

test.each([
  ['Bad name', /lower-case letter/],
  ['logs.all', /A file of the service has this name/],
])('the name %s is refused while it is typed', async (name, reason) => {
  await openForm(service());
  await typeName(name);
  expect(await screen.findByText(reason)).toBeInTheDocument();
  expect(saveButton()).toBeDisabled();
});

test('a name in use gets a new revision, and a conflict says who was first', async () => {
  const made = service();
  made.answer(`/resources/endpoints/${MINE.id}`, () => {
    throw {
      status: 412,
      data: {
        error: { code: 'revision_conflict', message: 'There is a newer revision.', hint: 'revision 5 was made by bob' },
      },
    };
  });
  await openForm(made);
  await typeName('mine.old');
  await screen.findByText(/mine.old is at revision 4/);
  await waitFor(() => expect(saveButton('Save revision 5')).toBeEnabled());
  expect(lastSent<ComposeRequest>(made, '/compose', 'POST')).toMatchObject({
    name: 'mine.old',
    replaces: MINE.id,
    // Fields that were not changed are those of the saved query.
    description: MINE.description,
    cacheSeconds: 900,
  });
  await userEvent.click(saveButton('Save revision 5'));
  expect(await screen.findByText(/Revision 5 was made by bob/)).toBeInTheDocument();
  expect(lastSent<SaveRequest>(made, `/endpoints/${MINE.id}`, 'PUT')).toMatchObject({ revision: 4 });
});

test('a definition that the service refuses cannot be saved, and the reason is shown with its position', async () => {
  const made = service();
  made.answer('/resources/compose', () => ({
    definition: { name: 'x', query: 'select nope' },
    parameters: [],
    notes: [],
    problem: { code: 'query_invalid', message: 'There is no column "nope".', position: { line: 1, column: 8 } },
  }));
  await openForm(made);
  await typeName('edge.new');
  expect(await screen.findByText(/no column "nope"\. Line 1, column 8/)).toBeInTheDocument();
  expect(saveButton()).toBeDisabled();
});

test('an Admin gets a link to the list of saved queries', async () => {
  setRole('Admin');
  await openForm(service());
  await typeName('edge.new');
  await waitFor(() => expect(saveButton()).toBeEnabled());
  await userEvent.click(saveButton());
  expect(await screen.findByRole('link', { name: 'All saved queries' })).toHaveAttribute(
    'href',
    expect.stringMatching(/\/datasources\/edit\/uid-1\?page=saved-queries$/)
  );
});
