import { LOGS, USAGE } from '../__mocks__/endpoints';
import { missingParameters, whyNotRunnable } from './is-runnable';

const QUERY = { refId: 'A', endpoint: { name: 'logs.all' }, mode: 'saved' } as const;

test('every required parameter that is empty is missing', () => {
  expect(whyNotRunnable({ ...QUERY, params: { project: ' ' } }, { endpoint: USAGE })).toBe(
    'Fill in interval and project.'
  );
  expect(whyNotRunnable(QUERY, { endpoint: LOGS })).toBe('Fill in project.');
  expect(whyNotRunnable({ ...QUERY, params: { project: 'acorn' } }, { endpoint: LOGS })).toBeUndefined();
});

test('a default fills a required parameter', () => {
  const parameters = [{ name: 'project', type: 'text', required: true, default: 'acorn' }] as const;
  expect(missingParameters(QUERY, { endpoint: { ...LOGS, parameters } })).toEqual([]);
});

test('the data source may have a project of its own', () => {
  expect(whyNotRunnable(QUERY, { endpoint: LOGS, defaultProject: 'acorn' })).toBeUndefined();
});

test('an endpoint that is not known is for the service to refuse', () => {
  expect(whyNotRunnable(QUERY)).toBeUndefined();
  expect(whyNotRunnable({ ...QUERY, endpoint: {} })).toBe('Choose an endpoint.');
});

test('ad-hoc modes need their text', () => {
  expect(whyNotRunnable({ ...QUERY, mode: 'sql', sql: ' ' })).toBe('Write the SQL to run.');
  expect(whyNotRunnable({ ...QUERY, mode: 'lql' })).toBe('Write the LQL to run.');
});
