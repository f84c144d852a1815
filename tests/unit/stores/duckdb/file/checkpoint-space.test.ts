import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kindThatFits } from '#server/stores/duckdb/file/checkpoint-space';

const MIB = 1024 * 1024;
let folder: string;
let logPath: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-room-'));
  logPath = join(folder, 'logs.duckdb.wal');
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  [0, 31, null, null],
  [0, 32, 'plain', 'plain'],
  [0, 256, 'plain', 'merging'],
  [100, 131, null, null],
  [100, 132, 'plain', 'plain'],
  [100, 355, 'plain', 'plain'],
  [100, 356, 'plain', 'merging'],
] as const)(
  'with a log of %i MiB and %i MiB free, a checkpoint is %s, with merges %s',
  async (log, free, plain, merging) => {
    if (log > 0) {
      writeFileSync(logPath, '');
      truncateSync(logPath, log * MIB);
    }
    const options = { logPath, freeBytes: () => Promise.resolve(free * MIB) };
    expect([await kindThatFits('plain', options), await kindThatFits('merging', options)]).toEqual([plain, merging]);
  }
);
