/** @slow 15 */
import React, { useState } from 'react';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { LOGS_DETAIL } from '../../__mocks__/endpoints';
import type { BuilderLanguage } from '../../builder/fields';
import { BuilderField } from './BuilderField';

/** Keeps the text as the query editor does. */
async function open(mode: BuilderLanguage, text = '', service: 'up' | 'down' = 'up') {
  const latest = { text, runs: 0, isCode: false };
  function Page() {
    const [shown, setShown] = useState(text);
    return (
      <BuilderField
        refId="A"
        mode={mode}
        text={shown}
        detail={service === 'up' ? LOGS_DETAIL : undefined}
        failure={service === 'up' ? undefined : 'The service cannot be reached.'}
        onRun={(next) => {
          latest.text = next;
          latest.runs += 1;
          setShown(next);
        }}
        onCode={() => (latest.isCode = true)}
      />
    );
  }
  render(<Page />);
  await act(async () => undefined);
  return latest;
}

async function pick(label: string, text: string): Promise<void> {
  await userEvent.click(screen.getByLabelText(label));
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.keyboard(`${text}{ArrowDown}{Enter}`);
}

test('begins with the newest rows, and changes nothing by itself', async () => {
  const latest = await open('sql');
  expect(latest.runs).toBe(0);
  expect(screen.getByLabelText('Text of the query').textContent).toBe(
    'select timestamp, event_message, metadata\nfrom edge_logs\nwhere $__timeFilter(timestamp)\norder by timestamp desc\nlimit 100'
  );
});

test('a filter is in the text once it has a value, and is kept by the form until then', async () => {
  const latest = await open('sql', 'select *\nfrom edge_logs');
  await userEvent.click(screen.getByRole('button', { name: 'Add filter' }));
  expect(latest.runs).toBe(0);
  await pick('Field of filter 1', 'm.response.status_code');
  await pick('Operator of filter 1', '≥');
  await userEvent.type(screen.getByLabelText('Value of filter 1'), '500{Enter}');
  expect(latest.text).toBe(
    'select edge_logs.*\nfrom edge_logs\n  cross join unnest(metadata) as m\n  cross join unnest(m.response) as m_response\nwhere m_response.status_code >= 500'
  );
  expect(latest.runs).toBe(1);
  await userEvent.click(screen.getByLabelText('Keep events without these fields'));
  expect(latest.text).toContain('left join unnest(m.response)');
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter 1' }));
  expect(latest.text).toBe('select *\nfrom edge_logs');
});

test('several values, texts with commas and variables', async () => {
  const latest = await open('sql', "select *\nfrom edge_logs\nwhere id in ('a, b')");
  const value = screen.getByLabelText('Value of filter 1');
  expect(value).toHaveValue('"a, b"');
  await userEvent.type(value, ', c, $ids{Enter}');
  expect(latest.text).toBe("select *\nfrom edge_logs\nwhere id in ('a, b', 'c', $ids)");
});

test('counts are grouped by time and by a field', async () => {
  const latest = await open('sql', 'select *\nfrom edge_logs\nwhere $__timeFilter(timestamp)');
  await userEvent.click(screen.getByLabelText('Counts'));
  await pick('Add a group', 'm.request.path');
  expect(latest.text).toBe(
    [
      'select $__timeGroup(timestamp) as time, m_request.path, count(*) as count',
      'from edge_logs',
      '  cross join unnest(metadata) as m',
      '  cross join unnest(m.request) as m_request',
      'where $__timeFilter(timestamp)',
      'group by time, path',
      'order by time',
    ].join('\n')
  );
  await userEvent.click(screen.getByLabelText('Rows'));
  expect(latest.text).toContain('limit 100');
});

test('LQL is built by the same form, without order and limit', async () => {
  const latest = await open('lql', 'f:edge_logs $__timeFilter');
  expect(screen.queryByLabelText('Limit')).not.toBeInTheDocument();
  await userEvent.click(screen.getByLabelText('Counts'));
  expect(latest.text).toBe('f:edge_logs $__timeFilter c:count(*) c:group_by($__timeGroup)');
  await pick('Table', 'auth_logs');
  expect(latest.text).toBe('f:auth_logs $__timeFilter c:count(*) c:group_by($__timeGroup)');
});

test('a text that it cannot show stays as it is, with the reason; starting over asks first', async () => {
  const text = 'select id -- why\nfrom edge_logs';
  const latest = await open('sql', text);
  expect(screen.getByText(/It has comments/)).toBeVisible();
  expect(screen.getByLabelText('Text of the query').textContent).toBe(text);
  await userEvent.click(screen.getByRole('button', { name: 'Edit as code' }));
  expect(latest.isCode).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Start over in the builder' }));
  expect(latest.text).toBe(text);
  await userEvent.click(screen.getByRole('button', { name: 'Replace the text' }));
  expect(latest.text).toContain('limit 100');
});

test('without tables the text is shown with the reason', async () => {
  await open('sql', 'select 1', 'down');
  expect(screen.getByText('The service cannot be reached.')).toBeVisible();
  expect(screen.getByLabelText('Text of the query').textContent).toBe('select 1');
});
