import type { FieldFilter } from '#contract/plugin/query';
import { parseQuery, readyQuery } from '#backend/query/read-query';
import { createTimeContext } from '#backend/query/time-context';

const time = createTimeContext(0, 3_600_000, 60_000, 500);

test.each<[FieldFilter['operator'], string, string]>([
  ['=', 'a "b"', 'm.code:"a \\"b\\""'],
  ['!=', '200', '-m.code:"200"'],
  ['=~', '^2', 'm.code:~"^2"'],
  ['>', '200', 'm.code:>"200"'],
  ['>=', '200', 'm.code:>="200"'],
  ['<=', '200', 'm.code:<="200"'],
  // A regular expression would be refused for a column of numbers.
  ['=|', '["200","a \\"b\\""]', 'm.code:in("200","a \\"b\\"")'],
  ['!=|', '["/u/${__dollar}{id}","${__bracket}x"]', '-m.code:in("/u/${id}","[x")'],
  ['=|', 'no list', 'm.code:in("no list")'],
])('the filter %s with %s is a clause of LQL', (operator, value, clause) => {
  const filters = [{ field: 'm.code', operator, value }];
  const query = { endpoint: { name: 'logs' }, mode: 'lql', lql: 'f:logs', filters };
  const { call } = readyQuery(parseQuery(Buffer.from(JSON.stringify(query))), {}, time, false);
  expect(call.adhoc?.text).toBe(`f:logs ${clause}`);
});

test.each<[FieldFilter['operator'], string]>([
  ['=', '-from:!="a"'],
  ['!=', 'from:!="a"'],
  ['=|', '-from:!=in("a")'],
  ['>', 'from:>"a"'],
])('the filter %s on a column with the name of a clause is no such clause', (operator, clause) => {
  const filters = [{ field: 'from', operator, value: 'a' }];
  const query = { endpoint: { name: 'logs' }, mode: 'lql', lql: 'f:logs', filters };
  const { call } = readyQuery(parseQuery(Buffer.from(JSON.stringify(query))), {}, time, false);
  expect(call.adhoc?.text).toBe(`f:logs ${clause}`);
});
