import fc from 'fast-check';
import { resolveMacros } from '#backend/query/macros';
import { joinStatements } from '#backend/saving/join-statements';
import { MARKED_TIME, parametersForMarkers } from '#backend/saving/markers';
import { PluginError } from '#backend/service-client/failures/plugin-error';

const NAMES = {
  from: 'time_from',
  to: 'time_to',
  variables: new Map([['lqe_variable_project', 'project']]),
};
const time = { ...MARKED_TIME, intervalSeconds: 300 };
const parameterized = (text: string) => parametersForMarkers(resolveMacros(text, 'sql', time), NAMES);

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof PluginError) return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('time macros and variables become parameters', () => {
  test.each([
    [
      'where $__timeFilter(t.timestamp)',
      'where (t.timestamp >= CAST(@time_from AS TIMESTAMP) AND t.timestamp <= CAST(@time_to AS TIMESTAMP))',
    ],
    ['select $__from as a', 'select UNIX_MILLIS(CAST(@time_from AS TIMESTAMP)) as a'],
    ["where timestamp > '${__from:date:iso}'", 'where timestamp > @time_from'],
    ["where timestamp <= timestamp '${__to:date:iso}'", 'where timestamp <= CAST(@time_to AS TIMESTAMP)'],
    ['where n < ${__to:date:seconds}', 'where n < UNIX_SECONDS(CAST(@time_to AS TIMESTAMP))'],
    ["where p = 'lqe_variable_project'", 'where p = @project'],
    ["where p in ('a', 'lqe_variable_project') -- 'lqe", "where p in ('a', @project) -- 'lqe"],
    ["select 'plain', 5", "select 'plain', 5"],
  ])('%s', (text, expected) => {
    expect(parameterized(text)).toBe(expected);
  });

  test.each([
    ["where p like '%lqe_variable_project%'", /variable \$project is not a whole value/],
    ['where n = lqe_variable_project', /variable \$project is not a whole value/],
    ["where message = 'since ${__from:date:iso}'", /inside a longer literal/],
  ])('%s is refused with a reason', (text, reason) => {
    expect(refusal(() => parameterized(text))).toMatch(reason);
  });

  test('a text without markers stays as it is', () => {
    fc.assert(fc.property(fc.string(), (text) => parametersForMarkers(text, NAMES) === text));
  });
});

describe('the text follows the WITH of the saved query', () => {
  const definition = 'WITH a AS (SELECT 1 AS x), -- the second\n`b c` AS (SELECT (2) AS y)\nSELECT x FROM a LIMIT 1';

  test.each([
    ['select x from a', 'WITH a AS (SELECT 1 AS x), -- the second\n`b c` AS (SELECT (2) AS y)\nselect x from a\n'],
    [
      'with n as (select x from a), o as (select 1) select * from n;  -- end',
      'WITH a AS (SELECT 1 AS x), -- the second\n`b c` AS (SELECT (2) AS y),\n n as (select x from a), o as (select 1)\nselect * from n\n',
    ],
    [
      '(select 1 as x) union all (select 2)',
      'WITH a AS (SELECT 1 AS x), -- the second\n`b c` AS (SELECT (2) AS y)\n(select 1 as x) union all (select 2)\n',
    ],
  ])('%s', (text, expected) => {
    expect(joinStatements(definition, text)).toBe(expected);
  });

  test.each([
    ['with A as (select 1) select * from A', /names a table "A"/],
    ['with `B C` as (select 1) select 1', /names a table "B C"/],
    ['delete from a', /not one SELECT/],
    ['with n as select 1', /not one SELECT/],
    ['', /not one SELECT/],
  ])('%s is refused', (text, reason) => {
    expect(refusal(() => joinStatements(definition, text))).toMatch(reason);
  });

  test('a saved query without named tables is refused', () => {
    expect(refusal(() => joinStatements('select 1', 'select 2'))).toMatch(/no named tables/);
  });

  test('any text is joined or refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          return joinStatements(definition, text).startsWith('WITH a AS');
        } catch (error) {
          return error instanceof PluginError;
        }
      })
    );
  });
});
