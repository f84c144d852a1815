/**
 * Owner of files that root makes: a server that runs as another user must read what a command of root writes for it.
 */
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

/**
 * Gives the rights of root up for those of the owner of the folder: for files that are made there by their names, as
 * DuckDB does. Does nothing where `folderOwner` is null.
 */
export function becomeFolderOwner(file: string): void {
  const owner = folderOwner(file);
  if (owner === null) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}

/** Does the work with the rights of the owner, as `becomeFolderOwner`, and goes on with those of root. */
export async function asFolderOwner<T>(file: string, work: () => Promise<T>): Promise<T> {
  const owner = folderOwner(file);
  if (owner === null) return work();
  const groupBefore = process.getegid?.() ?? 0;
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(groupBefore);
  }
}
