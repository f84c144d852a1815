import { DuckDBInstance } from '@duckdb/node-api';
import { ConnectionPool } from '#server/stores/duckdb/read/connection-pool';
import { WriteActivity } from '#server/stores/duckdb/file/write-activity';

let instance: DuckDBInstance;
let runs: string[];
let writes: WriteActivity;
let pool: ConnectionPool;

beforeEach(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  runs = [];
  writes = new WriteActivity();
  pool = new ConnectionPool(async () => {
    const connection = await instance.connect();
    const run = connection.run.bind(connection);
    connection.run = (sql) => {
      runs.push(sql);
      return run(sql);
    };
    return connection;
  }, writes);
});
afterEach(async () => {
  await pool.close();
  instance.closeSync();
});

const count = (): Promise<number> =>
  pool.readOnly(async (connection) => {
    const rows = await connection.runAndReadAll('SELECT count(*) FROM numbers');
    return Number(rows.getRows()[0]![0]);
  });

async function insert(): Promise<void> {
  const connection = await instance.connect();
  await connection.run('CREATE TABLE IF NOT EXISTS numbers (number INTEGER); INSERT INTO numbers VALUES (1)');
  connection.closeSync();
}

/** A write that lasts until the returned function is called. */
function beginWrite(): () => void {
  let end: () => void = () => undefined;
  void writes.during(() => new Promise<void>((resolve) => (end = resolve)));
  return end;
}

test('each task sees what was written before it, however the transaction of the one before was ended', async () => {
  for (const isWriting of [false, true, true, false, false]) {
    const end = isWriting ? beginWrite() : (): void => undefined;
    await insert();
    const before = await count();
    await insert();
    expect(await count()).toBe(before + 1);
    end();
    await new Promise(setImmediate);
  }
});

test('a task cannot write, however the transaction of the one before was ended', async () => {
  await insert();
  for (const end of [(): void => undefined, beginWrite()]) {
    await count();
    const written = pool.readOnly((connection) => connection.run('INSERT INTO numbers VALUES (2)'));
    await expect(written).rejects.toThrow('read-only');
    end();
  }
});

test('a transaction that no write was beside is ended without a statement of its own', async () => {
  await insert();
  await count();
  expect(runs.filter((sql) => sql.startsWith('ROLLBACK'))).toEqual([]);
  await pool.readOnly(() => writes.during(() => Promise.resolve()));
  expect(runs.filter((sql) => sql.startsWith('ROLLBACK'))).toHaveLength(1);
  const end = beginWrite();
  await count();
  expect(runs.filter((sql) => sql.startsWith('ROLLBACK'))).toHaveLength(2);
  end();
});

test('a connection that is being opened when the pool closes is closed with it, and runs no task', async () => {
  const opened: { isClosed: boolean }[] = [];
  let goOn: () => void = () => undefined;
  const slow = new ConnectionPool(async () => {
    const connection = await instance.connect();
    const seen = { isClosed: false };
    opened.push(seen);
    const close = connection.closeSync.bind(connection);
    connection.closeSync = () => {
      seen.isClosed = true;
      close();
    };
    await new Promise<void>((resolve) => (goOn = resolve));
    return connection;
  }, writes);
  let hasRun = false;
  const task = slow.readOnly(() => Promise.resolve((hasRun = true)));
  const failure = expect(task).rejects.toMatchObject({ code: 'backend_unavailable' });
  while (opened.length === 0) await new Promise(setImmediate);
  const closed = slow.close();
  goOn();
  await failure;
  await closed;
  expect([hasRun, opened]).toEqual([false, [{ isClosed: true }]]);
});

test('a task of the unused pool is skipped while a connection is being opened for a query', async () => {
  const ends: (() => void)[] = [];
  const query = pool.readOnly(() => new Promise<void>((resolve) => ends.push(resolve)));
  let hasRun = false;
  await pool.whileUnused(() => Promise.resolve(void (hasRun = true)));
  while (ends.length === 0) await new Promise(setImmediate);
  ends[0]!();
  await query;
  expect(hasRun).toBe(false);
});

test('a task of the unused pool is skipped while a query runs, and queries wait for its end', async () => {
  await pool.readOnly(() => Promise.resolve());
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
});
