/** Owner of files that root makes: a server that runs as another user must read what a command of root writes for it. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Give only files that this process has just made to the owner, by their handle: a name may become a link.
 *
 * @returns the owner of the folder of the file; null unless this process is of root, and the folder is not
 */
export function folderOwner(file: string): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(dirname(file));
  return uid === 0 ? null : { uid, gid };
}
