/** Checks the modes of the data folder and of the store files in it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o007;
const STORE_FILES = ['logs.duckdb', 'logs.duckdb.wal'];

/**
 * @returns the folder and the store files that other users may read. Empty when the folder itself denies them access,
 * regardless of the modes of its files.
 */
export function readableByOthers(dataDir: string): readonly string[] {
  if (!isOpenToOthers(dataDir)) return [];
  return [dataDir, ...STORE_FILES.map((name) => join(dataDir, name)).filter((path) => isOpenToOthers(path))];
}

function isOpenToOthers(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS) !== 0;
}
