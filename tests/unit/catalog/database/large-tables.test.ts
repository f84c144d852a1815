/** Statements on tables of any size end within the time that a statement has. */
import type { Database } from '#server/catalog/database/database';
import { initializeCatalog } from '#server/catalog/database/schema';
import { createStoredAudit } from '#server/catalog/database/stored-audit';

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

it('a migration has minutes for each statement', async () => {
  const times: (number | undefined)[] = [];
  const database: Pick<Database, 'transact'> = {
    transact: (_work, statementMs) => {
      times.push(statementMs);
      return Promise.reject(new Error('no database'));
    },
  };
  await expect(initializeCatalog(database as Database, 'key')).rejects.toThrow('no database');
  expect(times).toEqual([600_000]);
});
