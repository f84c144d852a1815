/**
 * Lock of a backup folder. The operating system keeps it for the process, so a killed backup leaves none behind: the
 * lock is the one that DuckDB takes on its file. A process id in a file means nothing in another container.
 */
import { join } from 'node:path';
import { removeCutOff } from '../../../stores/duckdb/file/cut-off-file';
import { BackupError, withDiskName } from '../backup-error';

export const LOCK_FILE = 'backup.lock';

/** @returns a function that releases the lock. @throws BackupError when another process has it */
export async function lockFolder(folder: string, name: string = LOCK_FILE): Promise<() => void> {
  const file = join(folder, name);
  try {
    return await openLock(file);
  } catch (error) {
    if (/Could not set lock/.test(String(error))) {
      throw new BackupError(`Another backup or restore uses ${folder}. Wait for its end.`);
    }
    if (removeCutOff(file) && NOT_A_DATABASE.test(String(error))) return lockFolder(folder, name);
    throw notOpened(folder, file, error);
  }
}

async function openLock(file: string): Promise<() => void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(file, { threads: '1' });
  return () => instance.closeSync();
}

const NOT_A_DATABASE = /not a valid DuckDB database/;

function notOpened(folder: string, file: string, error: unknown): unknown {
  const known = withDiskName(folder, error);
  if (known !== error) return known;
  const advice = NOT_A_DATABASE.test(String(error))
    ? 'Remove it if no backup is running.'
    : `The user of this command must be able to write to ${folder}.`;
  return new BackupError(`${file} cannot be opened. ${advice}`, { cause: error });
}
