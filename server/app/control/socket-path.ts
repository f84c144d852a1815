/** Path of the control socket, which the server and the commands derive from the data folder. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Operating systems limit the path of a socket to 104 bytes or more. */
const MAX_PATH_BYTES = 100;

/** In the data folder, or in a short private folder of this user when that path would be too long. */
export function controlSocketPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'control.sock');
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(shortFolder(), `${name}.sock`);
}

/**
 * Creates the short folder where it is used.
 * @throws Error when another user owns the folder, or others may enter it
 */
export function ensureSocketFolder(dataDir: string): void {
  const folder = shortFolder();
  if (!controlSocketPath(dataDir).startsWith(`${folder}/`)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const facts = lstatSync(folder);
  const isPrivate = facts.isDirectory() && facts.uid === process.geteuid?.() && (facts.mode & 0o077) === 0;
  if (!isPrivate) throw new Error(`${folder} is not a private folder of this user`);
}

/** Containers may run as a user without an entry in `/etc/passwd`, which `userInfo` refuses. */
function shortFolder(): string {
  return join(tmpdir(), `lqe-control-${process.geteuid?.()}`);
}
