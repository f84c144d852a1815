/** Texts written by users: those that the builder can show, and the reasons for the others. */
import { printLql } from '../../../src/builder/lql/print-lql';
import { printSql } from '../../../src/builder/sql/print-sql';
import { readLql } from '../../../src/builder/lql/read-lql';
import { readSql } from '../../../src/builder/sql/read-sql';
import { exampleQueries } from '../../../src/query/examples';
import { ODD_TABLES } from '../../support/arbitrary/builder-model';

const JOIN = 'cross join unnest(metadata) as m';

test.each([
  ['select * from edge_logs', 'select *\nfrom edge_logs'],
  ['SELECT e.id, m.level AS l FROM edge_logs AS e, e.metadata', undefined],
  [
    `SELECT e.id, m.level AS l FROM \`edge_logs\` e CROSS JOIN UNNEST(e.metadata) m WHERE m.level <> "a" LIMIT 5;`,
    `select id, m.level as l\nfrom edge_logs\n  ${JOIN}\nwhere m.level != 'a'\nlimit 5`,
  ],
  [
    `select ID, count(*) from edge_logs group by 1 order by id asc`,
    'select id, count(*) as count\nfrom edge_logs\ngroup by id\norder by id',
  ],
  [
    `select $__timeGroup(timestamp, '5m') as t, count(*) as n from edge_logs where $__timeFilter(timestamp) group by t`,
    'select $__timeGroup(timestamp, 5m) as t, count(*) as n\nfrom edge_logs\nwhere $__timeFilter(timestamp)\ngroup by t',
  ],
  [
    `select rq.path, count(*) as n from edge_logs ${JOIN} cross join unnest(m.request) as rq group by rq.path`,
    `select m_request.path, count(*) as n\nfrom edge_logs\n  ${JOIN}\n  cross join unnest(m.request) as m_request\ngroup by path`,
  ],
  [`select r'\\d' from edge_logs`, undefined],
  [
    `select id from edge_logs where event_message = '''it's''' and id = "\\101"`,
    `select id\nfrom edge_logs\nwhere event_message = 'it\\'s'\n  and id = 'A'`,
  ],
  [`select id from edge_logs where event_message = r'\\d'`, `select id\nfrom edge_logs\nwhere event_message = '\\\\d'`],
])('the builder shows the SQL %s', (text, printed) => {
  const read = readSql(text, ODD_TABLES);
  if (printed === undefined) expect(read).toHaveProperty('why');
  else expect('model' in read ? printSql(read.model) : read.why).toBe(printed);
});

test.each([
  ['', /empty/],
  ['  ', /empty/],
  ["select 'a", /quote/],
  ['select id -- why\nfrom edge_logs', /comments/],
  ['with a as (select 1) select * from a', /WITH/],
  ['delete from edge_logs', /SELECT/],
  ['from edge_logs |> where id = 1', /pipe operators/],
  ['select id from edge_logs |> limit 5', /pipe operators/],
  ['select 1', /FROM/],
  ['select distinct id from edge_logs', /DISTINCT/],
  ['select id from nowhere', /nowhere/],
  ['select id from (select id from edge_logs)', /inside the query/],
  ['select id from edge_logs join auth_logs using (id)', /another table/],
  [`select * from edge_logs ${JOIN}`, /opened records/],
  [`select id from edge_logs ${JOIN}`, /does not use/],
  [`select level from edge_logs ${JOIN}`, /level/],
  [`select edge_logs.id, x.id from edge_logs ${JOIN}`, /x\.id/],
  [`select m.level from edge_logs ${JOIN} left join unnest(m.request) as r where r.path = 'a'`, /LEFT JOIN/],
  ["select id from edge_logs where id = 'a' or id = 'b'", /OR/],
  ["select id from edge_logs where (id = 'a')", /parentheses/],
  ["select id from edge_logs where not id = 'a'", /NOT/],
  ["select id from edge_logs where lower(id) = 'a'", /LOWER/],
  ["select id from edge_logs where id = '$name'", /inside quotes/],
  ["select id from edge_logs where id != ''", /empty text/],
  ["select id from edge_logs where id in ('a', '')", /empty text/],
  ["select id from edge_logs where strpos(id, '') > 0", /empty text/],
  ['select id from edge_logs where id = @project', /@project/],
  ['select id from edge_logs where id = event_message', /not a value/],
  ['select id from edge_logs where timestamp > $__from', /\$__from/],
  ['select upper(id) as u from edge_logs', /UPPER/],
  ['select id || id as u from edge_logs', /“\|\|”/],
  ['select count(*) as n, id from edge_logs group by id', /order/],
  ['select count(*) as n from edge_logs group by id', /groups by/],
  ['select id, project, count(*) as n from edge_logs group by id', /groups by/],
  ['select id, count(*) as n from edge_logs group by id having n > 1', /HAVING/],
  ['select id, count(*) as n from edge_logs group by id order by project', /sorts by/],
  ['select id from edge_logs order by timestamp desc nulls last', /NULL/],
  ['select id from edge_logs limit 5 offset 5', /OFFSET/],
  ['select id from edge_logs union all select id from edge_logs', /union/],
  ['select $__timeGroup(timestamp, x) as t from edge_logs', /period/],
  ['select percentile_cont(requests, 0.8) as p from `select`', /percentiles/],
])('the builder leaves the SQL %s as code', (text, why) => {
  const read = readSql(text, ODD_TABLES);
  expect(read).toHaveProperty('why', expect.stringMatching(why));
});

test.each([
  ['f:edge_logs', 'f:edge_logs'],
  ['from:EDGE_LOGS error "two words" -healthz', 'f:edge_logs error "two words" -healthz'],
  [
    'f:edge_logs metadata.level:!=info m.response.status_code:>=500',
    'f:edge_logs -m.level:"info" m.response.status_code:>=500',
  ],
  ['f:edge_logs chart:count(*) c:group_by(t::hour)', 'f:edge_logs c:count(*) c:group_by(t::1h)'],
  ['f:edge_logs c:count(*)', 'f:edge_logs c:count(*) c:group_by(t::1m)'],
  ['f:edge_logs s:* m.tags:@>prod', 'f:edge_logs m.tags:@>"prod"'],
  ['f:edge_logs m.level:in(error,"a b") -m.level:NULL', 'f:edge_logs m.level:in("error","a b") -m.level:NULL'],
  ['f:edge_logs m.level:!=in(error,"a b") -m.level:!=NULL', 'f:edge_logs -m.level:in("error","a b") m.level:NULL'],
  ['f:edge_logs -from:!=x select:!=NULL -c:!=in(1,2)', 'f:edge_logs -from:!="x" select:!=NULL -c:!=in(1,2)'],
  ['f:edge_logs ~^GET event_message:done', 'f:edge_logs ~"^GET" event_message:"done"'],
  ['f:edge_logs m.level:$level', 'f:edge_logs m.level:$level'],
  ['f:edge_logs m.path:~"${__dollar}x[[:digit:]]$"', 'f:edge_logs m.path:~"${__dollar}x[[:digit:]]$"'],
  ['f:edge_logs s:m.request.headers."user-agent"@agent', 'f:edge_logs s:m.request.headers."user-agent"@agent'],
])('the builder shows the LQL %s', (text, printed) => {
  const read = readLql(text, ODD_TABLES);
  expect('model' in read ? printLql(read.model) : read.why).toBe(printed);
});

test.each([
  ['', /empty/],
  ['error', /f:/],
  ['f:edge_logs m.path:"/u/${id}"', /inside quotes/],
  ['f:edge_logs m.path:"/u/[[id]]"', /inside quotes/],
  ['f:nowhere', /nowhere/],
  ['f:edge_logs f:edge_logs', /two tables/],
  ['f:edge_logs t:last@1h', /time filter/],
  ['f:edge_logs m.response.status_code:400..499', /range/],
  ['f:edge_logs m.user:(Ada Lovelace)', /parentheses/],
  ['f:edge_logs m.tags:@>~a', /@>~/],
  ['f:edge_logs m.level:a$b', /inside a value/],
  ['f:edge_logs c:group_by(t::1w)', /1w/],
  ['f:edge_logs c:group_by(t::week)', /week/],
  ['f:edge_logs -m.level:""', /empty text/],
  ['f:edge_logs m.level:in(a,"")', /empty text/],
  ['f:edge_logs ""', /empty text/],
  ['f:edge_logs c:nope(id)', /nope/],
  ['f:edge_logs c:countd(*)', /different times/],
  ['f:edge_logs s:id c:count(*)', /beside a chart/],
  ['f:edge_logs "open', /open/],
  ['f:edge_logs -m.response.status_code:>=500', /negate/],
  ['f:edge_logs ${__from}', /\$\{__from\}/],
])('the builder leaves the LQL %s as code', (text, why) => {
  expect(readLql(text, ODD_TABLES)).toHaveProperty('why', expect.stringMatching(why));
});

test('the builder shows every example of the editor', () => {
  for (const mode of ['sql', 'lql'] as const)
    for (const { query } of exampleQueries(mode, ODD_TABLES))
      expect(mode === 'sql' ? readSql(query.sql!, ODD_TABLES) : readLql(query.lql!, ODD_TABLES)).toHaveProperty(
        'model'
      );
});
