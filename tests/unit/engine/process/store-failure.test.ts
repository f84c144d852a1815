import { describeStoreFailure } from '#server/engine/process/store-failure';

it.each([
  [
    'a file',
    new Error('IO Error: Corrupt database file: "a.duckdb" at 3'),
    'IO Error: Corrupt database file: "a.duckdb" at 3',
  ],
  [
    'a statement, without its values and further lines',
    new Error("INTERNAL Error: Cannot cast 'Secret ''value' to \"Other\" in `t`\nLINE 1: SELECT 'Secret'"),
    'INTERNAL Error: Cannot cast …… to … in …',
  ],
  ['a value without an end', new Error("Error: it's secret"), 'Error: it…'],
  [
    'ClickHouse, whose text quotes the statement',
    Object.assign(new Error('Unknown expression secret'), { code: '47', type: 'UNKNOWN_IDENTIFIER' }),
    'UNKNOWN_IDENTIFIER (47)',
  ],
  ['nothing', undefined, 'no cause is known'],
])('the log says what failed: %s', (_what, cause, expected) => {
  expect(describeStoreFailure(cause)).toBe(expected);
});
