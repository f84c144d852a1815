/** Calls of JSON functions on one column test its text once: DuckDB prepares a pattern as often as it is written. */
import { sqlOf } from './printed-sql';

const value = (key: string): string => `json_value(event_message, '$.${key}')`;
const SHARED = '"shared 1"';

/** How often DuckDB's SQL tests a text for JSON. */
function testsIn(query: string): number {
  const [sql = ''] = sqlOf(query, 'FLOAT64');
  return sql.split('json_valid(').length - 1;
}

test.each([
  `select ${['a', 'b', 'c', 'd'].map(value).join(', ')} from calls`,
  `select ${value('a')} as a, ${value('b')} as b, count(*) as n from calls group by a, b having b <> 'x' order by a`,
  `select max(${value('a')}) as a, count(distinct json_query(event_message, '$.b')) as b from calls`,
  `select ${value('a')} as a, if(n > 1, ${value('b')}, ${value('c')}) as b, ${value('d')} as d from (select event_message, 1 as n from calls)`,
])('several calls share the test: %s', (query) => expect(testsIn(query)).toBe(1));

test.each([
  [`select ${value('a')} as a, ${value('a')} as b from calls`, 2],
  [`select if(timestamp > current_timestamp(), ${value('a')}, ${value('b')}) as a, ${value('c')} as c from calls`, 3],
  [`select id = 'x' and ${value('a')} = 'y' and ${value('b')} = 'z' as a from calls`, 2],
  [
    `select x.id, ${value('a')} as a, ${value('b')} as b from (select id from calls) as x join calls as y on x.id = y.id`,
    2,
  ],
  [`select event_message, ${value('a')} as a, ${value('b')} as b from calls group by event_message`, 2],
])('calls keep their tests where sharing could compute more, or nothing is shared: %s', (query, tests) => {
  expect(testsIn(query)).toBe(tests);
  expect(sqlOf(query, 'FLOAT64')[0]).not.toContain(SHARED);
});

test('conditions and limits of time are applied to the rows below', () => {
  const where = `${value('a')} = 'x' and timestamp > timestamp '2026-01-01'`;
  const [sql = ''] = sqlOf(`select ${value('a')} as a, ${value('b')} as b from calls where ${where}`, 'FLOAT64');
  const [select = '', condition = ''] = sql.split(' WHERE ');
  expect(select).toContain(SHARED);
  expect(condition).not.toContain(SHARED);
  expect(testsIn(`select ${value('a')} as a, ${value('b')} as b from calls where ${where}`)).toBe(2);
});

test('ClickHouse, which computes equal expressions once, gets no further column', () => {
  expect(sqlOf(`select ${value('a')} as a, ${value('b')} as b from calls`, 'FLOAT64')[1]).not.toContain(SHARED);
});
