/** When a folder has changed last. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} path of a file or folder @returns {number} milliseconds since 1970 of the last change */
export function newestIn(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs), mtimeMs);
}
