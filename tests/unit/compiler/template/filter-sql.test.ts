/** Conditions of field filters in the WHERE of the outermost SELECT. tests/backend/plugin runs such texts. */
import { filterSql } from '#compiler/browser';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';

const FILTERS = [{ field: 'id', operator: '=', value: 'a' }] as const;
const CONDITION = (table: string) => `cast(${table}.id as string) = 'a'`;

test.each([
  ['select id from logs', `select id from logs\nwhere ${CONDITION('logs')}`],
  ['select id from logs as l limit 5', `select id from logs as l\nwhere ${CONDITION('l')}\nlimit 5`],
  ['select id from `group`', `select id from \`group\`\nwhere ${CONDITION('`group`')}`],
  [
    'select `a)`, `where` from logs where `limit` = 1 order by 1',
    `select \`a)\`, \`where\` from logs where (\`limit\` = 1\n) and ${CONDITION('logs')}\norder by 1`,
  ],
  ['select m.limit from logs', `select m.limit from logs\nwhere ${CONDITION('logs')}`],
  ["select 'it''s from x' from logs", `select 'it''s from x' from logs\nwhere ${CONDITION('logs')}`],
  ["select '''a'b from x''' from logs", `select '''a'b from x''' from logs\nwhere ${CONDITION('logs')}`],
  ["select r'\\' from x' from logs", `select r'\\' from x' from logs\nwhere ${CONDITION('logs')}`],
  ['select * except (id) from logs', `select * except (id) from logs\nwhere ${CONDITION('logs')}`],
  [
    'select 1 from logs where id is not distinct from name -- end',
    `select 1 from logs where (id is not distinct from name\n) and ${CONDITION('logs')}\n -- end`,
  ],
  [
    'from logs as l |> where id > 1 |> extend a, b |> limit 5',
    `from logs as l\n|> where ${CONDITION('l')}\n|> where id > 1 |> extend a, b |> limit 5`,
  ],
  ['with w as (select 1) from w', `with w as (select 1) from w\n|> where ${CONDITION('w')}`],
  ['select id from logs |> where id > 1', `select id from logs\nwhere ${CONDITION('logs')}\n|> where id > 1`],
  ['from logs |> select id |> union all (from logs |> select id)', undefined],
  ['select 1 from unnest([1]) as a', undefined],
  ['select 1 from (select 1 from logs) join logs using (id)', undefined],
])('%s is filtered', (sql, expected) => {
  const filtered = filterSql(sql, FILTERS);
  expect(filtered).toBe(expected);
  if (filtered !== undefined) expect(() => parseStatement(filtered)).not.toThrow();
});

test.each([
  ['=|', '["200","it\'s"]', "cast(logs.code as string) in ('200', 'it\\'s')"],
  ['!=|', '["200"]', "not coalesce(cast(logs.code as string) in ('200'), false)"],
  ['>=', '5', "safe_cast(cast(logs.code as string) as float64) >= safe_cast('5' as float64)"],
  ['=|', 'no list', "cast(logs.code as string) in ('no list')"],
] as const)('the filter %s compares with each value of %s', (operator, value, expected) => {
  const filtered = filterSql('select 1 from logs', [{ field: 'code', operator, value }]);
  expect(filtered).toBe(`select 1 from logs\nwhere ${expected}`);
  expect(() => parseStatement(filtered!)).not.toThrow();
});

test('macros and variables are left as they are', () => {
  const sql =
    "select $__timeGroup(ts, 5m) as t from $table where $__timeFilter(ts) and a in (${a:csv}) and b = '[[b]]' group by t";
  expect(filterSql(sql, FILTERS)).toBe(
    `select $__timeGroup(ts, 5m) as t from $table where ($__timeFilter(ts) and a in (\${a:csv}) and b = '[[b]]'\n) and ${CONDITION('`$table`')}\ngroup by t`
  );
});

test('a text that is too long to run is left as it is, and refused for its length', () => {
  const sql = `select id from logs where id in (${"'a',".repeat(20_000)}'a')`;
  expect(filterSql(sql, FILTERS)).toBe(sql);
  expect(() => parseStatement(sql)).toThrow('65,536 bytes');
});
