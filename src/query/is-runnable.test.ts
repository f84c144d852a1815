import { LOGS, USAGE } from '../__mocks__/endpoints';
import { missingParameters, whyNotRunnable } from './is-runnable';

const QUERY = { refId: 'A', endpoint: { name: 'logs.all' }, mode: 'saved' } as const;

test('names every required parameter that is empty', () => {
  expect(whyNotRunnable({ ...QUERY, params: { project: ' ' } }, USAGE)).toBe('Fill in interval and project.');
  expect(whyNotRunnable(QUERY, LOGS)).toBe('Fill in project.');
  expect(whyNotRunnable({ ...QUERY, params: { project: 'acorn' } }, LOGS)).toBeUndefined();
});

test('a default fills a required parameter', () => {
  const parameters = [{ name: 'project', type: 'text', required: true, default: 'acorn' }] as const;
  expect(missingParameters(QUERY, { parameters })).toEqual([]);
});

test('an endpoint that is not known is for the service to refuse', () => {
  expect(whyNotRunnable(QUERY)).toBeUndefined();
  expect(whyNotRunnable({ ...QUERY, endpoint: {} })).toBe('Choose an endpoint.');
});

test('ad-hoc modes need their text', () => {
  expect(whyNotRunnable({ ...QUERY, mode: 'sql', sql: ' ' })).toBe('Write the SQL to run.');
  expect(whyNotRunnable({ ...QUERY, mode: 'lql' })).toBe('Write the LQL to run.');
  const filters = [{ field: 'm.level', operator: '=', value: 'error' } as const];
  expect(whyNotRunnable({ ...QUERY, mode: 'lql', filters })).toBeUndefined();
});
