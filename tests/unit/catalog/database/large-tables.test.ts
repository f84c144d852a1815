/** Statements on tables of any size end within the time that a statement has. */
import type { Database } from '#server/catalog/database/database';
import { initializeCatalog } from '#server/catalog/database/schema';
import { createStoredAudit } from '#server/catalog/database/stored-audit';
import { readTables, replaceTables } from '#server/catalog/database/table-rows';

it('old entries of the audit trail are deleted in steps, until none is left', async () => {
  let left = 12_345;
  const deleted: number[] = [];
  const run = (sql: string): Promise<readonly never[]> => {
    const rows = Math.min(left, Number(/LIMIT (\d+)/.exec(sql)?.[1] ?? Infinity));
    left -= rows;
    deleted.push(rows);
    return Promise.resolve(Array<never>(rows));
  };
  await createStoredAudit({ run }).expire(new Date());
  expect(left).toBe(0);
  expect(Math.max(...deleted)).toBeLessThanOrEqual(5000);
});

it.each([
  ['a migration', 600_000, (database: Database) => initializeCatalog(database, 'key')],
  ['a backup', 60_000, (database: Database) => readTables(database, () => Promise.resolve())],
  ['a restore', 60_000, (database: Database) => replaceTables(database, [], false)],
])('%s has %i ms for each statement', async (_what, expected, work) => {
  const times: (number | undefined)[] = [];
  const database: Pick<Database, 'transact'> = {
    transact: (_work, statementMs) => {
      times.push(statementMs);
      return Promise.reject(new Error('no database'));
    },
  };
  await expect(work(database as Database)).rejects.toThrow('no database');
  expect(times).toEqual([expected]);
});
