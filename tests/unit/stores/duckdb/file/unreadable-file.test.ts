/** Store files that DuckDB refuses: the error says what to do. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#server/stores/duckdb/file/database';

const OPTIONS = { memoryLimitMb: 64, threads: 1 };
let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lqe-unreadable-'));
  file = join(dataDir, 'logs.duckdb');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const FOREIGN = 'another program wrote it: restore a backup';
const DAMAGED = 'it is damaged: restore a backup';

it.each<[string, () => unknown, string | undefined]>([
  ['of another program', () => writeFileSync(file, 'text '.repeat(4096)), FOREIGN],
  ['cut off after its first header', () => truncateSync(file, 5000), DAMAGED],
  ['that is a folder', () => (rmSync(file), mkdirSync(file)), undefined],
])('a file %s', async (_what, change, hint) => {
  (await openDatabase({ dataDir, ...OPTIONS })).close();
  change();
  await expect(openDatabase({ dataDir, ...OPTIONS })).rejects.toMatchObject({
    message: 'the data directory holds a store file (logs.duckdb) that cannot be opened',
    details: hint === undefined ? {} : { hint },
  });
});
