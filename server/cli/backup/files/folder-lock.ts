/**
 * Lock of a backup folder. The operating system keeps it for the process, so a killed backup leaves none behind: the lock
 * is the one that DuckDB takes on its file. A process id in a file means nothing in another container.
 */
import { join } from 'node:path';
import { BackupError } from '../backup-error';

export const LOCK_FILE = 'backup.lock';

/** @returns a function that releases the lock. @throws BackupError when another process has it */
export async function lockFolder(folder: string, name: string = LOCK_FILE): Promise<() => void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  try {
    const instance = await DuckDBInstance.create(join(folder, name), { threads: '1' });
    return () => instance.closeSync();
  } catch (error) {
    if (/Could not set lock/.test(String(error))) {
      throw new BackupError(`Another backup or restore uses ${folder}. Wait for its end.`);
    }
    throw new BackupError(`${join(folder, name)} cannot be opened. Remove it if no backup is running.`, {
      cause: error,
    });
  }
}
