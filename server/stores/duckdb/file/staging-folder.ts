/** The only folder that statements may write files to, besides the spill files of DuckDB itself. */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { STAGING_FOLDER } from '#contract/control';

export function stagingFolder(dataDir: string): string {
  return join(resolve(dataDir), STAGING_FOLDER);
}

/** Must be called by the owner of the database file: files of another process could still be read. */
export function emptyStagingFolder(dataDir: string): void {
  const folder = stagingFolder(dataDir);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
}
