/** Folders that only their owner may enter. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../caught-error';

/**
 * Makes the folder, and those above it, where they are missing. Not by the option `recursive`: with it, `mkdir` of
 * Node.js (20) never returns for a folder below /proc, which has no room for new names.
 */
export function makePrivateFolder(path: string): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (!isFolder(parent)) makePrivateFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has made it.
    if (errorCode(error) !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
