import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { runInBackground } from '#server/stores/duckdb/run-in-background';

describe.each([1, 2])('a statement in the background of a store with %i threads', (threads) => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;

  beforeEach(async () => {
    instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
    connection = await instance.connect();
    await connection.run('CREATE TABLE events (n BIGINT)');
  });
  afterEach(() => instance.closeSync());

  const insert = async (source: string): Promise<void> => {
    const statement = await connection.prepare(`INSERT INTO events SELECT ${source}`);
    await runInBackground(statement, threads);
  };
  const count = async (): Promise<unknown> => {
    const reader = await connection.runAndReadAll('SELECT count(*) FROM events');
    return reader.getRows()[0]![0];
  };

  it('has ended when the promise resolves', async () => {
    await insert('unnest(range(300000))');
    await expect(count()).resolves.toBe(300_000n);
  });

  it('rejects with the error of the statement, and the connection stays usable', async () => {
    await expect(insert(`unnest(['1', 'x'])::BIGINT`)).rejects.toThrow(/Could not convert string 'x'/);
    await insert('1');
    await expect(count()).resolves.toBe(1n);
  });

  it('ends while a long query keeps the threads of the store busy', async () => {
    const other = await instance.connect();
    const query = other.run('SELECT count(*) FROM range(100000) a, range(100000) b WHERE a.range % 7 = b.range % 11');
    const ended = query.catch(() => undefined);
    await insert('1');
    other.interrupt();
    await ended;
    await expect(count()).resolves.toBe(1n);
  });
});
