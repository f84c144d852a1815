/** The embedded store that a command reads: opening it would make an empty one in a folder that is named by mistake. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureRestored } from '../../common/data-folder/unfinished-restore';
import { BackupError } from '../backup/backup-error';

/** @throws BackupError when the folder has no store; ServiceError when its restore has not ended */
export function ensureStoreExists(dataDir: string): void {
  if (!existsSync(storeFile(dataDir))) {
    throw new BackupError(`${dataDir} has no store file (logs.duckdb). Name the data folder with --data-dir.`);
  }
  ensureRestored(dataDir);
}

export function storeFile(dataDir: string): string {
  return join(dataDir, 'logs.duckdb');
}
