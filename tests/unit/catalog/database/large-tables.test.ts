/** Statements on tables of any size end within the time that a statement has. */
import type { Database } from '#server/catalog/database/database';
import { initializeCatalog } from '#server/catalog/database/schema';
import { createStoredAudit } from '#server/catalog/database/stored-audit';
import { readStoredSet, storeSet } from '#server/catalog/database/stored-definitions';
import { QUERY_TABLE } from '#server/catalog/database/stored-queries';
import { StoredRevisions } from '#server/catalog/database/stored-revisions';
import { readTables, replaceTables } from '#server/catalog/database/table-rows';
import type { DefinitionSet } from '#server/catalog/definitions/definition-set';

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

const SET: DefinitionSet = { sources: { file: 'sources.yaml', text: '' }, queries: [] };

it.each([
  ['a migration', 600_000, (database: Database) => initializeCatalog(database, 'key')],
  ['a backup', 60_000, (database: Database) => readTables(database, () => Promise.resolve())],
  ['a restore', 60_000, (database: Database) => replaceTables(database, [], false)],
  ['a push', 60_000, (database: Database) => storeSet(database, SET)],
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

it.each([
  ['pushed definitions', (database: Database) => readStoredSet(database, 1)],
  ['saved queries of the API', (database: Database) => new StoredRevisions(database, QUERY_TABLE).changesSince(null)],
])('the statement that reads the texts of %s has a minute', async (_what, read) => {
  const times: (number | undefined)[] = [];
  const database: Pick<Database, 'run'> = {
    run: (_sql, _values, statementMs) => {
      times.push(statementMs);
      return Promise.reject(new Error('no database'));
    },
  };
  await expect(read(database as Database)).rejects.toThrow('no database');
  expect(times).toEqual([60_000]);
});
