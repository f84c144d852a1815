/** The first start of a store on a disk without room for its files. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#server/stores/duckdb/file/database';

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'lqe-first-open-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

it.each(['logs.duckdb', 'sealed.duckdb'])('a full disk is named, and %s is made when there is room', async (name) => {
  const options = { dataDir, memoryLimitMb: 64, threads: 1 };
  symlinkSync('/dev/full', join(dataDir, name));
  await expect(openDatabase(options)).rejects.toMatchObject({ details: { reason: 'disk_full' } });
  (await openDatabase(options)).close();
});
