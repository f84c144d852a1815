import { LOGS_DETAIL } from '../../__mocks__/endpoints';
import { suggestLql } from './suggest-lql';
import { suggestSql } from './suggest-sql';

const CATALOG = {
  tables: LOGS_DETAIL.tables,
  functions: [
    { name: 'COUNTIF', usage: 'COUNTIF(condition)', summary: 'Rows for which it holds.', family: 'Aggregates' },
  ],
};

/** The labels at the place of `|`, not of a pipe `|>`. */
function sql(marked: string): readonly string[] {
  const mark = /\|(?!>)/;
  return suggestSql(marked.replace(mark, ''), marked.search(mark), CATALOG).map(({ label }) => label);
}

function lql(marked: string): readonly string[] {
  return suggestLql(marked.replace('|', ''), marked.indexOf('|'), CATALOG.tables).map(({ label }) => label);
}

test.each([
  ['select * from |', ['edge_logs', 'auth_logs']],
  ['select * from edge_logs cross join ed|', ['edge_logs', 'auth_logs']],
  ['select e.| from edge_logs as e', ['id', 'timestamp', 'event_message', 'metadata']],
  ['select e.| from edge_logs e where true', ['id', 'timestamp', 'event_message', 'metadata']],
  ['select edge_logs.| from edge_logs where true', ['id', 'timestamp', 'event_message', 'metadata']],
  ['select m.| from edge_logs cross join unnest(metadata) as m', ['request', 'response']],
  ['select m.| from auth_logs cross join unnest(metadata) as m', ['level']],
  [
    'select r.| from edge_logs as e cross join unnest(e.metadata) as m cross join unnest(m.request) r',
    ['method', 'path'],
  ],
  ['select metadata.request.| from edge_logs', ['method', 'path']],
  ['select nothing.| from edge_logs', []],
  ['from edge_logs as e |> cross join e.metadata as m |> where m.|', ['request', 'response']],
  ['from edge_logs |> join |', ['edge_logs', 'auth_logs']],
  ['select m.| from edge_logs as e, e.metadata as m', ['request', 'response']],
  ['select a.| from edge_logs, auth_logs a', ['id', 'timestamp', 'event_message', 'metadata']],
  ['select m.| from edge_logs, unnest(metadata) as m', ['request', 'response']],
  ['select m.| from `edge_logs` as e cross join unnest(`e`.metadata) as m', ['request', 'response']],
  ['select e.metadata[0].request[safe_offset(0)].| from edge_logs e', ['method', 'path']],
  ["select x.| from edge_logs where event_message = 'from auth_logs x'", []],
  ['select x.| from edge_logs -- from auth_logs x', []],
  [
    'select x.| from edge_logs where $__timeFilter(timestamp) and id in (select x.id from auth_logs x)',
    ['id', 'timestamp', 'event_message', 'metadata'],
  ],
  ["select e.| from edge_logs e where id = 'half", ['id', 'timestamp', 'event_message', 'metadata']],
  ['select * from /* which */ |', ['edge_logs', 'auth_logs']],
  ["select '''it's '' |", []],
  ["select 'it''s' from |", ['edge_logs', 'auth_logs']],
  ['select /* from |', []],
  ['select 1 # from |', []],
  ['select 1.|', []],
  ["select 'from |", []],
  ["select 'a' -- |", []],
])('in %s there follow %j', (marked, expected) => {
  expect(sql(marked)).toEqual(expected);
});

test('SQL begins with columns, functions, keywords and macros', () => {
  expect(sql('select | from edge_logs')).toEqual(
    expect.arrayContaining([
      'timestamp',
      'edge_logs',
      'COUNTIF',
      'group by',
      'cross join',
      'where',
      '$__timeFilter(timestamp)',
    ])
  );
  expect(sql("select 'a', co| from edge_logs")).toContain('COUNTIF');
  expect(sql('where $__t|')).toContain('$__timeGroup(timestamp)');
});

test('pipe operators follow |>', () => {
  expect(sql('from edge_logs |> |')).toEqual(expect.arrayContaining(['where', 'aggregate', 'extend']));
  expect(sql('from edge_logs |> ag|')).not.toContain('timestamp');
  expect(sql('from edge_logs |> where |')).toEqual(expect.arrayContaining(['timestamp', 'COUNTIF']));
});

test('a function brings its usage and its bracket', () => {
  const [, , , , , found] = suggestSql('select  from edge_logs', 7, CATALOG);
  expect(found).toMatchObject({ insertText: 'COUNTIF(', documentation: expect.stringContaining('COUNTIF(condition)') });
});

test.each([
  ['f:|', ['edge_logs', 'auth_logs']],
  ['f:edge_logs m.|', ['request', 'response']],
  ['f:edge_logs -m.re|', ['request', 'response']],
  ['f:auth_logs m.|', ['level']],
  ['m.request.|', ['method', 'path']],
  ['f:edge_logs s:m.request.|', ['method', 'path', '*']],
  ['f:edge_logs c:max(m.response.|', ['status_code']],
  ['f:edge_logs m.request.path:|', []],
  ['"some m.|', []],
  ['~"some m.|', []],
  ['"f:auth_logs" m.|', ['request', 'response']],
  ['"a \\" f:auth_logs" m.|', ['request', 'response']],
  ['f:"auth_logs" m.|', ['level']],
  ['m.level:in("a b", "c) d") f:auth_logs -m.|', ['level']],
  ['m.level:(a f:edge_logs b) f:auth_logs m.|', ['level']],
  ['f:auth_logs c:max(m.|', ['level']],
  ['m.level:in(half f:auth_logs m.|', ['level']],
  ['f:edge_logs s:m.request@|', []],
  ['f:unknown m.|', []],
])('in LQL %s there follow %j', (marked, expected) => {
  expect(lql(marked)).toEqual(expected);
});

test('LQL offers clauses, times, levels, aggregates and periods where they belong', () => {
  expect(lql('|')).toEqual(expect.arrayContaining(['f:', 'm.', '$__timeFilter', 'event_message']));
  expect(lql('t:|')).toContain('last@1h');
  expect(lql('f:auth_logs m.level:|')).toContain('error');
  expect(lql('c:|')).toContain('count(*)');
  expect(lql('c:group_by(|')).toEqual(expect.arrayContaining(['t::5m', 'metadata']));
});

test('LQL completes names with other characters in quotes, but not at the beginning of a filter', () => {
  const fields = [{ name: 'user-agent', type: 'STRING' }];
  const columns = [
    { name: 'odd name', type: 'STRING' },
    { name: 'metadata', type: 'ARRAY<STRUCT>', fields },
  ];
  const tables = [{ name: 'my-logs', columns }];
  const inserted = (text: string) => suggestLql(text, text.length, tables).map(({ insertText }) => insertText);
  expect(inserted('f:')).toEqual(['"my-logs"']);
  expect(inserted('m.')).toEqual(['"user-agent"']);
  expect(inserted('s:')).toEqual(['"odd name"', undefined, undefined]);
  expect(suggestLql('', 0, tables).map(({ label }) => label)).not.toContain('odd name');
});
