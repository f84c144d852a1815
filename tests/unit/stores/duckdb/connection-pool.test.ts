import type { DuckDBConnection } from '@duckdb/node-api';
import { ConnectionPool } from '#server/stores/duckdb/connection-pool';

const connection = { run: () => Promise.resolve(), closeSync: () => undefined, interrupt: () => undefined };

test('a task of the unused pool is skipped while a query runs, and queries wait for its end', async () => {
  const pool = new ConnectionPool(() => Promise.resolve(connection as unknown as DuckDBConnection));
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const running = pool.readOnly(() => new Promise<void>((resolve) => ends.push(resolve)));
  await new Promise(setImmediate);
  await pool.whileUnused(() => Promise.resolve(void order.push('skipped')));
  ends.shift()!();
  await running;
  await new Promise(setImmediate);
  const task = pool.whileUnused(async () => {
    order.push('task');
    await new Promise<void>((resolve) => ends.push(resolve));
    order.push('end of task');
    throw new Error('the task fails');
  });
  const query = pool.readOnly(() => Promise.resolve(void order.push('query')));
  await new Promise(setImmediate);
  ends.shift()!();
  await expect(task).rejects.toThrow('the task fails');
  await query;
  expect(order).toEqual(['task', 'end of task', 'query']);
  await pool.close();
});
