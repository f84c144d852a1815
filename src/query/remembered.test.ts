import { LOGS, USAGE } from '../__mocks__/endpoints';
import { lastUse, lastValues, rememberedPatterns, rememberPatterns, rememberUse } from './remembered';

const KEY = 'svc-logqueryendpoints-datasource.u';
const query = (project: string) => ({ refId: 'A', endpoint: { id: '1', name: 'a' }, params: { project } });

beforeEach(() => window.localStorage.clear());
afterEach(() => jest.restoreAllMocks());

test('the last use is remembered by data source and place', () => {
  rememberUse('u', 'panel', query('acorn'));
  expect(lastUse('u', 'panel')).toEqual({ endpoint: { id: '1', name: 'a' }, params: { project: 'acorn' } });
  expect(lastUse('u', 'explore')).toBeUndefined();
  expect(lastUse('other', 'panel')).toBeUndefined();
});

test('an endpoint that a variable chooses is no default for other dashboards', () => {
  rememberUse('u', 'panel', query('acorn'));
  rememberUse('u', 'panel', { refId: 'A', endpoint: { name: '$endpoint' }, params: { project: 'birch' } });
  expect(lastUse('u', 'panel')?.endpoint).toEqual({ id: '1', name: 'a' });
  expect(lastValues('u', 'project')).toEqual(['birch', 'acorn']);
});

test('values are remembered once, the newest first, ten of them, without variables', () => {
  for (const each of ['a', '$b', 'c', 'a', ' ', 'x'.repeat(201)]) rememberUse('u', 'panel', query(each));
  expect(lastValues('u', 'project')).toEqual(['a', 'c']);
  for (let n = 0; n < 20; n++) rememberUse('u', 'panel', query(`v${n}`));
  expect(lastValues('u', 'project')).toHaveLength(10);
});

test('parameters that are patterns are remembered by id and name, beside the last use', () => {
  rememberUse('u', 'panel', query('acorn'));
  rememberPatterns('u', [USAGE, LOGS]);
  rememberUse('u', 'panel', query('birch'));
  const of = (endpoint: string) => rememberedPatterns('u', endpoint);
  expect([USAGE.id, USAGE.name, LOGS.name].map(of)).toEqual([['project'], ['project'], []]);
  expect(lastValues('u', 'project')).toEqual(['birch', 'acorn']);
  rememberPatterns('u', [LOGS]);
  expect(of(USAGE.id)).toEqual([]);
});

test.each(['nonsense', 'null', '"text"', '{"last":{"panel":5},"values":{"project":{}},"patterns":{"a":5}}', '[]'])(
  'a stored %s is no memory',
  (stored) => {
    window.localStorage.setItem(KEY, stored);
    expect(lastUse('u', 'panel')).toBeUndefined();
    expect(lastValues('u', 'project')).toEqual([]);
    expect(rememberedPatterns('u', 'a')).toEqual([]);
  }
);

test('a browser that refuses its storage is no failure', () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('denied');
  });
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('denied');
  });
  expect(() => rememberUse('u', 'panel', query('a'))).not.toThrow();
  expect(lastUse('u', 'panel')).toBeUndefined();
});
