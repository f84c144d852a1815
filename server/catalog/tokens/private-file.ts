/** Files readable by their owner only and never visible half written. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;

/** Replaces the file atomically. */
export function replacePrivateFile(file: string, text: string): void {
  const temporary = writeTemporary(file, text);
  renameSync(temporary, file);
  syncFolder(file);
}

/** @returns false when the file exists; it stays unchanged */
export function createPrivateFile(file: string, text: string): boolean {
  const temporary = writeTemporary(file, text);
  try {
    linkSync(temporary, file);
    syncFolder(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Appends one line. Short appends of several processes do not interleave. */
export function appendPrivateFile(file: string, line: string): void {
  const handle = openSync(file, 'a', OWNER_ONLY);
  try {
    writeSync(handle, `${line}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function writeTemporary(file: string, text: string): string {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = openSync(temporary, 'wx', OWNER_ONLY);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return temporary;
}

/** A rename is durable only after its folder is synced. */
function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
