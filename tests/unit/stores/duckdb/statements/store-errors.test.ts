import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { READ_LESS } from '#contract/errors';
import { queryTimeout } from '#server/engine/protocol/timeouts';
import { translateError as translateClickHouseError } from '#server/stores/clickhouse/connection/errors';
import { openFailure, translateError } from '#server/stores/duckdb/statements/store-errors';

const CORPUS = join(__dirname, '..', '..', '..', '..', 'corpus', 'stores', 'duckdb-errors.yaml');
const cases = parse(readFileSync(CORPUS, 'utf8')) as { text: string; error: [string, string?] }[];

it.each(cases)('only the first line of $text is read', ({ text, error: [code, reason] }) => {
  const { code: found, message, details } = translateError(new Error(text), false);
  expect([found, details.reason]).toEqual([code, reason]);
  expect(message).not.toMatch(/Error|Stack|LINE/);
});

it.each([
  ['DuckDB', translateError(new Error('Out of Memory Error: could not allocate block of size 256.0 KiB'), false)],
  ['ClickHouse', translateClickHouseError(new Error('Code: 241. DB::Exception: memory limit exceeded'))],
  ['a deadline', queryTimeout(10_000)],
])('a run that needs too much says how to need less: %s', (_, error) => {
  expect(error).toMatchObject({ details: { hint: READ_LESS } });
});

it.each([
  ['IO Error: Could not write file "/data/logs.duckdb": Input/output error', 'the store cannot be opened'],
  [
    'IO Error: Could not write file "/data/logs.duckdb": No space left on device',
    'The disk of the data folder is full.',
  ],
  [
    'IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2 in block at location 12288',
    'a file of the store is damaged (logs.duckdb or sealed.duckdb): restore a backup',
  ],
  ['Out of Memory Error: failed to pin block', 'the store needs more memory to be opened (LQE_ENGINE_MEMORY_MB)'],
])('a store that cannot be opened because of %s is no failure of a query', (text, message) => {
  expect(openFailure(new Error(text))).toMatchObject({ code: 'backend_unavailable', message });
});

it.each(['Unsupported join type for flattening correlated subquery', 'Non-inner join on correlated columns'])(
  'a join that DuckDB does not run in a correlated subquery is named: %s',
  (text) => {
    const { code, message, details } = translateError(new Error(`Not implemented Error: ${text}`), false);
    expect({ code, message, ...details }).toEqual({
      code: 'query_invalid',
      message: 'the embedded store does not run such an outer join in a subquery that reads the rows around it',
      reason: 'not_supported',
      hint: 'make the join in a WITH query, which reads no rows around it, and read that in the subquery',
    });
  }
);

test('an outer join by a subquery that DuckDB does not run is named, with what to write', () => {
  const text = 'Not implemented Error: Cannot perform non-inner join on subquery!';
  const { code, message, details } = translateError(new Error(text), false);
  expect({ code, message, ...details }).toEqual({
    code: 'query_invalid',
    message: 'the embedded store does not run an outer join whose condition has such a subquery',
    reason: 'not_supported',
    hint: 'compute it as a column of a joined table, as in FROM (SELECT *, x IN (SELECT ...) AS is_in FROM t)',
  });
});
