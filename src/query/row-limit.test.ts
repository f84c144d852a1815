import { LOGS } from '../__mocks__/endpoints';
import { explainLimit, rowLimit, spanText } from './row-limit';

test.each([
  [{}, {}, 1000, 'endpoint'],
  [{ maxRows: 50 }, {}, 50, 'query'],
  [{ maxRows: 5000 }, {}, 1000, 'endpoint'],
  [{ format: 'logs' }, { logs: { defaultLimit: 200 } }, 200, 'data source'],
  [{ format: 'table' }, { logs: { defaultLimit: 200 } }, 1000, 'endpoint'],
  [{ format: 'logs', maxRows: 300 }, { logs: { defaultLimit: 200 } }, 300, 'query'],
] as const)('%j with %j: %d rows by the %s', (query, options, rows, by) => {
  const limit = rowLimit({ refId: 'A', ...query }, LOGS, options);
  expect(limit).toEqual({ rows, by });
  expect(explainLimit(limit, LOGS)).toMatch(by === 'query' ? /this query/ : new RegExp(by));
});

test.each([
  [900, '15 min'],
  [90, '90 s'],
  [7200, '2 h'],
  [86_400, '1 d'],
])('%d seconds are %s', (seconds, text) => {
  expect(spanText(seconds)).toBe(text);
});
