import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESTORE_STATE } from '#server/common/data-folder/unfinished-restore';
import { envToConfig, readEnv } from '#server/config';
import { copyEvents } from '#server/cli/copy/copy-events';
import { CopyState } from '#server/cli/copy/copy-state';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'lqe-copy-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['without a store', [], 'has no store file'],
  ['whose restore has not ended', ['logs.duckdb', RESTORE_STATE], 'has not ended'],
])('a data folder %s is not copied, and nothing is made in it', async (_state, files, problem) => {
  for (const file of files) writeFileSync(join(folder, file), '');
  const copy = copyEvents({
    from: { dataDir: folder, memoryLimitMb: 64, threads: 1 },
    to: { ...envToConfig(readEnv({})).clickhouse, sources: [], onProblem: () => undefined },
    sources: [],
    state: new CopyState(folder, 'none'),
    batchSize: 10,
    signal: AbortSignal.abort(),
    onTotal: () => undefined,
    onProgress: () => undefined,
  });
  await expect(copy).rejects.toThrow(problem);
  expect(readdirSync(folder).sort()).toEqual([...files].sort());
});
