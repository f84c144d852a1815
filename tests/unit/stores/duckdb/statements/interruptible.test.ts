/** Statements end when their signal aborts, also where DuckDB has not begun them by then. */
import { setTimeout as delay } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { interruptible } from '#server/stores/duckdb/statements/interruptible';

/** Takes longer than a test may. */
const LONG = 'SELECT count(*) FROM range(30_000_000) t(a), range(20) u(b) WHERE hash(a + b) % 7 = 1';

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
});

afterAll(() => connection.closeSync());

const past = new Error('past its deadline');

test.each([
  ['before it runs', (abort: () => void) => abort(), () => undefined],
  ['before a thread has begun it', () => undefined, (abort: () => void) => abort()],
  ['while it runs', () => undefined, (abort: () => void) => void delay(50).then(abort)],
])('a statement ends when its signal aborts %s', async (_when, prepared, called) => {
  const call = new AbortController();
  const abort = (): void => call.abort(past);
  const run = interruptible(connection, call.signal, async () => {
    const statement = await connection.prepare(LONG);
    prepared(abort);
    const result = statement.run();
    called(abort);
    return result;
  });
  await expect(run).rejects.toThrow(/^INTERRUPT/);
  // The connection is as good as before.
  expect((await connection.runAndReadAll('SELECT 1')).getRows()).toEqual([[1]]);
});

test('work whose signal has aborted does not begin', async () => {
  const work = jest.fn();
  await expect(interruptible(connection, AbortSignal.abort(past), work)).rejects.toBe(past);
  expect(work).not.toHaveBeenCalled();
});
