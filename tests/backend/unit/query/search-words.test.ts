import { searchWords } from '#backend/query/search-words';

test.each([
  ['error', ['error']],
  ['error timeout f:edge_logs', ['error', 'timeout']],
  ['"connection reset" -healthz', ['connection reset']],
  [String.raw`"say \"no\"" a.b(c)`, ['say "no"', String.raw`a\.b\(c\)`]],
  [String.raw`~"^(GET|POST) /rest" ~(?i)ERROR`, ['^(GET|POST) /rest', '(?i)ERROR']],
  ['m.level:error m.user:"Ada Lovelace" m.user:(Ada Lovelace) m.headers."user-agent":~curl', []],
  ['t:>=2026-03-17T10:00:00.000Z c:count(*) s:id', []],
  ['"12:30:45"', ['12:30:45']],
  ['-"not this" -~nor', []],
])('the LQL text %s marks the words %j', (text, words) => {
  const call = { endpoint: 'logs.all', params: {}, redact: false } as const;
  expect(searchWords({ ...call, adhoc: { language: 'lql', text } })).toEqual(words);
  expect(searchWords({ ...call, adhoc: { language: 'sql', text } })).toEqual([]);
});
