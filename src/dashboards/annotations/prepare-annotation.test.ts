import { deepFreeze } from '../../__mocks__/deep-freeze';
import { prepareAnnotation } from './prepare-annotation';

const COMMON = { name: 'a', enable: true, iconColor: 'red' };
const DEFAULT = { refId: 'Anno', endpoint: { name: 'logs.all' }, mode: 'saved', format: 'logs', schemaVersion: 1 };

test.each([
  ['no query', COMMON, DEFAULT],
  ['the place of a query', { ...COMMON, target: { refId: 'x' } }, { ...DEFAULT, refId: 'x' }],
  [
    'a query of another data source',
    { ...COMMON, target: { refId: 'A', expr: 'up' } as never },
    { ...DEFAULT, refId: 'A' },
  ],
  [
    'a text alone',
    { ...COMMON, target: { refId: 'A', sql: 'select 1' } },
    { refId: 'A', mode: 'sql', schemaVersion: 1 },
  ],
  [
    'a query of a newer dashboard',
    { ...COMMON, query: { kind: 'DataQuery', spec: { refId: 'A', lql: 'f:edge_logs' } } },
    { refId: 'A', mode: 'lql', schemaVersion: 1 },
  ],
])('preparing an annotation with %s comes to rest after one change', (_what, stored, target) => {
  const once = prepareAnnotation(deepFreeze(stored));
  expect(once).toMatchObject({ ...COMMON, target });
  expect(prepareAnnotation(deepFreeze(once))).toBe(once);
  expect(prepareAnnotation(stored)).toBe(once);
});

test('an annotation that was changed in place is prepared again', () => {
  const stored = { ...COMMON, target: { refId: 'A', sql: 'select 1' } };
  const before = prepareAnnotation(stored);
  stored.target.sql = 'select 2';
  expect(prepareAnnotation(stored)).not.toBe(before);
  expect(prepareAnnotation(stored).target).toMatchObject({ sql: 'select 2' });
});
