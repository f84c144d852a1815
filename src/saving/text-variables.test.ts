import { markerOf, textVariables, variableParameters } from './text-variables';

const query = (sql: string, more: object = {}) => ({ refId: 'A', mode: 'sql' as const, sql, ...more });

test.each([
  ["where a = $one and b = ${two} and c = '[[three]]'", ['one', 'two', 'three']],
  ['where $__timeFilter(timestamp) and n > $__from and m < ${__to:date:iso}', []],
  ['where a = $one or b = $one', ['one']],
  ['select 5', []],
])('the variables of %j are %j', (sql, names) => {
  expect(textVariables(query(sql), []).map(({ name }) => name)).toEqual(names);
  expect(textVariables(query(sql), []).every(({ whyNot }) => whyNot === undefined)).toBe(true);
});

test('filters are read too, and the text of the other language is not', () => {
  const filters = [{ field: 'id', operator: '=' as const, value: '$id' }];
  expect(textVariables(query('select 1', { filters, lql: 'm.a:$other' }), []).map(({ name }) => name)).toEqual(['id']);
});

test.each([
  ['select ${n:raw}', [{ name: 'n' }], /format "raw"/],
  ['where a = $n or b = ${n:csv}', [{ name: 'n' }], /format "csv"/],
  ['where a in ($n)', [{ name: 'n', multi: true }], /several values/],
  ['where a in ($n)', [{ name: 'n', current: { value: ['a'] } }], /several values/],
])('%j cannot have its variable as a parameter', (sql, known, reason) => {
  expect(textVariables(query(sql), known)).toEqual([{ name: 'n', whyNot: expect.stringMatching(reason) }]);
});

test('a variable that is the value of a parameter of the endpoint is that parameter', () => {
  const params = { project: '${project}', other: '$project-x' };
  expect(variableParameters(['project', 'path'], query('', { params }))).toEqual([
    { variable: 'project', marker: markerOf('project'), parameter: 'project' },
    { variable: 'path', marker: markerOf('path') },
  ]);
});
