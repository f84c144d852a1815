import { LOGS, USAGE } from '../__mocks__/endpoints';
import { fakeTemplateSrv } from '../__mocks__/template-srv';
import type { LogEndpointsQuery } from '../types';
import { interpolateQuery, mayHoldVariables, patternParameters } from './interpolate';

const VALUES = {
  project: 'acorn',
  many: ['a.b', "c'd"],
  regex: 'x.y',
  hostile: "x' or '1'='1",
  slash: 'a\\',
  none: [],
  template: '/users/${project}/$__from/$project/[[project]]/100$',
  levels: ['error', 'a "b"'],
  level: 'warn',
};

function fill(query: Partial<LogEndpointsQuery>, endpoint = LOGS): LogEndpointsQuery {
  const templates = fakeTemplateSrv(VALUES);
  return interpolateQuery(
    { refId: 'A', ...query },
    {
      replace: (text, vars, format) => templates.replace(text, vars, format),
      scopedVars: {},
      patterns: patternParameters(endpoint),
    }
  );
}

test('a parameter takes the value as it is', () => {
  expect(fill({ params: { project: '$project' } }).params).toEqual({ project: 'acorn' });
  expect(fill({ params: { project: '[[project]]' } }).params).toEqual({ project: 'acorn' });
});

test('several values of a plain parameter are separated by commas', () => {
  expect(fill({ params: { project: '$many' } }).params).toEqual({ project: "a.b,c'd" });
});

test('a parameter that is a pattern matches the values and nothing else', () => {
  expect(fill({ params: { project: '$regex' } }, USAGE).params).toEqual({ project: 'x\\.y' });
  expect(fill({ params: { project: '^$many$' } }, USAGE).params).toEqual({ project: "^(a\\.b|c'd)$" });
});

test('a parameter that is a pattern matches nothing when no value is chosen', () => {
  const { project = '' } = fill({ params: { project: '$none' } }, USAGE).params ?? {};
  for (const text of ['', 'a', 'acorn', 'a^']) expect(text).not.toMatch(new RegExp(project));
});

test.each([
  ['sql', 'where path in ($none)', 'where path in (${none})'],
  ['sql', 'where path in ([[none]])', 'where path in (${none})'],
  ['lql', 'm.level:${none}', 'm.level:${none}'],
] as const)('a variable without a chosen value in %s is left for the backend to name', (mode, text, expected) => {
  expect(fill({ mode, [mode]: text })[mode]).toBe(expected);
});

test.each([
  ['where project = $project', "where project = 'acorn'"],
  ['where path in ($many)', "where path in ('a.b','c\\'d')"],
  ['where project = $hostile', "where project = 'x\\' or \\'1\\'=\\'1'"],
  ['where path = $slash', "where path = 'a\\\\'"],
  ['where path = $template', "where path = '/users/\\x24{project}/\\x24__from/\\x24project/\\x5b[project]]/100\\x24'"],
  ['limit ${project:raw}', 'limit acorn'],
])('in SQL %s is %s', (sql, expected) => {
  expect(fill({ mode: 'sql', sql }).sql).toBe(expected);
});

test('a repeated panel quotes its one value like any other', () => {
  const query = interpolateQuery(
    { refId: 'A', mode: 'sql', sql: 'path = $many' },
    {
      replace: (text, vars, format) => fakeTemplateSrv(VALUES).replace(text, vars, format),
      scopedVars: { many: { text: "c'd", value: "c'd" } },
      patterns: [],
    }
  );
  expect(query.sql).toBe("path = 'c\\'d'");
});

test.each([
  ['m.level:$level', 'm.level:"warn"'],
  ['m.level:$levels', 'm.level:in("error","a \\"b\\"")'],
])('in LQL %s is %s', (lql, expected) => {
  expect(fill({ mode: 'lql', lql }).lql).toBe(expected);
});

test('macros are left to the backend, in every text', () => {
  const sql =
    'where $__timeFilter(timestamp) and a > $__from and b < ${__to:date:iso} group by $__timeGroup(timestamp)';
  expect(fill({ mode: 'sql', sql }).sql).toBe(sql);
  expect(fill({ params: { iso_timestamp_start: '${__from:date:iso}' } }).params).toEqual({
    iso_timestamp_start: '${__from:date:iso}',
  });
  expect(fill({ lql: 'c:group_by(t::$__interval)' }).lql).toBe('c:group_by(t::$__interval)');
});

test('filters of log details take variables as their values', () => {
  expect(fill({ filters: [{ field: 'm.level', operator: '=', value: '$level' }] }).filters).toEqual([
    { field: 'm.level', operator: '=', value: 'warn' },
  ]);
});

const LITERAL = '/users/${__dollar}{project}/${__dollar}__from/${__dollar}project/${__bracket}[project]]/100$';

test.each<readonly [string, Partial<LogEndpointsQuery>, Partial<LogEndpointsQuery>]>([
  ['a parameter', { params: { path: '$template' } }, { params: { path: LITERAL } }],
  ["a parameter in Grafana's format", { params: { path: '${template:raw}' } }, { params: { path: LITERAL } }],
  [
    'a filter',
    { filters: [{ field: 'm.path', operator: '=', value: '[[template]]' }] },
    { filters: [{ field: 'm.path', operator: '=', value: LITERAL }] },
  ],
  ['LQL', { lql: 'm.path:$template' }, { lql: `m.path:"${LITERAL}"` }],
  ["LQL in Grafana's format", { lql: 'm.path:${template:raw}' }, { lql: `m.path:${LITERAL}` }],
])('a value in %s is not expanded again, in Explore neither', (_where, query, expected) => {
  expect(fill(query)).toMatchObject(expected);
  expect(fill(fill(query))).toMatchObject(expected);
});

test('a query without variables is known as one', () => {
  expect(mayHoldVariables({ refId: 'A', params: { project: 'acorn' } })).toBe(false);
  expect(mayHoldVariables({ refId: 'A', params: { project: '${p}' } })).toBe(true);
  expect(mayHoldVariables({ refId: 'A', sql: 'select [[p]]' })).toBe(true);
});
