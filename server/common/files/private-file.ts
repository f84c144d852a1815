/** Files readable by their owner only and never visible half written. */
import { randomBytes } from 'node:crypto';
import { closeSync, fchownSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../caught-error';
import { folderOwner } from './folder-owner';

const OWNER_ONLY = 0o600;

/** Replaces the file atomically. Resolves when it is on disk. */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  const temporary = temporaryName(file);
  try {
    const owner = folderOwner(file);
    const handle = await open(temporary, 'wx', OWNER_ONLY);
    try {
      if (owner !== null) await handle.chown(owner.uid, owner.gid);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // A rename is durable only after its folder is synced.
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

/** @returns false when the file exists; it stays unchanged */
export function createPrivateFile(file: string, text: string): boolean {
  const temporary = temporaryName(file);
  writeSynced(temporary, text);
  try {
    linkSync(temporary, file);
    syncFolder(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function temporaryName(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}.tmp`;
}

function writeSynced(file: string, text: string): void {
  const owner = folderOwner(file);
  const handle = openSync(file, 'wx', OWNER_ONLY);
  try {
    if (owner !== null) fchownSync(handle, owner.uid, owner.gid);
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
