import React from 'react';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { LOGS, LOGS_DETAIL, USAGE } from '../../__mocks__/endpoints';
import { fakeService, type FakeService } from '../../__mocks__/service';
import { SavedQueries } from './SavedQueriesPage';

jest.mock('@grafana/ui', () => ({
  ...jest.requireActual('@grafana/ui'),
  CodeEditor: ({ value, monacoOptions }: { value: string; monacoOptions: { ariaLabel: string } }) => (
    <pre aria-label={monacoOptions.ariaLabel}>{value}</pre>
  ),
}));

const MINE = {
  ...LOGS,
  id: '11111111-1111-4111-8111-111111111111',
  name: 'mine.first',
  description: 'Slow requests',
  origin: 'api',
  revision: 3,
  updated_at: '2026-03-17T10:00:00.000Z',
};
const revision = (n: number, message: string | null) => ({
  revision: n,
  name: MINE.name,
  action: n === 1 ? 'create' : 'update',
  by: { token_name: 'grafana' },
  time: '2026-03-17T10:00:00.000Z',
  message,
  changed: ['query'],
});

function open(endpoints: readonly object[]): FakeService {
  const service = fakeService();
  service.answer('/resources/endpoints', () => ({ endpoints }));
  service.answer(`/endpoints/${MINE.id}/revisions`, ({ url }) =>
    url.includes('cursor=2')
      ? { revisions: [revision(1, null)], next: null }
      : {
          revisions: [revision(3, 'saved in Grafana by ann (organization 1): faster'), revision(2, 'by hand')],
          next: '2',
        }
  );
  service.answer(`/endpoints/${MINE.id}`, () => ({ ...LOGS_DETAIL, endpoint: { ...LOGS_DETAIL.endpoint, ...MINE } }));
  render(<SavedQueries uid="uid-1" />);
  return service;
}

test('saved queries are listed with where they are managed, who changed them, cache and redaction', async () => {
  open([{ ...USAGE, origin: 'file' }, MINE]);
  const row = (await screen.findByRole('button', { name: MINE.name })).closest('tr')!;
  await within(row).findByText('ann (grafana)');
  const cells = within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(cells.slice(1, 3)).toEqual(['service', '3']);
  expect(cells[5]).toBe('none');
  expect(within(row).getByRole('link', { name: 'Edit in Explore' })).toHaveAttribute(
    'href',
    expect.stringContaining('/explore?schemaVersion=1')
  );
  const other = screen.getByRole('button', { name: USAGE.name }).closest('tr')!;
  expect(within(other).getByText('file')).toBeInTheDocument();
  expect(within(other).getByText('15 min')).toBeInTheDocument();
});

test('a row opens its definition and its history, page by page', async () => {
  open([MINE]);
  await userEvent.click(await screen.findByRole('button', { name: MINE.name }));
  expect(await screen.findByLabelText(`Query of ${MINE.name}`)).toHaveTextContent(/^WITH edge_logs/);
  expect(await screen.findByText('faster')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Earlier revisions' }));
  expect(await screen.findByText(/created/)).toBeInTheDocument();
  expect(screen.getByText('by hand')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Earlier revisions' })).not.toBeInTheDocument();
});

test('long lists are paged, and a search finds names and descriptions', async () => {
  const many = Array.from({ length: 40 }, (_, n) => ({ ...USAGE, id: `id-${n}`, name: `usage.n${n}`, origin: 'file' }));
  open([MINE, ...many]);
  await screen.findByText('41 saved queries');
  expect(screen.getAllByRole('link', { name: 'Edit in Explore' })).toHaveLength(15);
  await userEvent.click(screen.getByRole('button', { name: '3' }));
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'Edit in Explore' })).toHaveLength(11));
  await userEvent.type(screen.getByPlaceholderText(/Search/), 'SLOW mine');
  expect(await screen.findByText('1 of 41 saved queries')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: MINE.name })).toBeInTheDocument();
});

test('an empty list and a failure say what to do', async () => {
  open([]);
  expect(await screen.findByText('There are no saved queries')).toBeInTheDocument();
  const service = fakeService();
  service.answer('/resources/endpoints', () => {
    throw {
      status: 502,
      data: { error: { code: 'unreachable', message: 'Nothing listens there.', hint: 'start it' } },
    };
  });
  render(<SavedQueries uid="uid-2" />);
  expect(await screen.findByText('Nothing listens there. Start it.')).toBeInTheDocument();
});
