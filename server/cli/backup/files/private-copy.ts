/** Copies files with their checksum, for their owner only. */
import { createHash } from 'node:crypto';
import { constants, statfsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Owner } from '../../../common/files/folder-owner';
import { makePrivateFolder } from '../../../common/files/private-folder';
import { BackupError } from '../backup-error';

export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 1024 * 1024;

/** @param follow false: a symbolic link is an error */
export async function digestFile(path: string, follow: boolean, signal?: AbortSignal): Promise<FileDigest> {
  const handle = await open(path, constants.O_RDONLY | (follow ? 0 : constants.O_NOFOLLOW));
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let bytes = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/**
 * Copies what the file contains at this time; it may grow during the copy. The copy must not exist. It is on disk after
 * it.
 *
 * @param owner of the copy; null: the user of this process
 */
export async function copyPrivate(from: string, to: string, owner: Owner | null = null): Promise<FileDigest> {
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'wx', 0o600);
    try {
      if (owner !== null) await target.chown(owner.uid, owner.gid);
      const digest = await copyBytes(source, target);
      await target.sync();
      return digest;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyBytes(source: FileHandle, target: FileHandle): Promise<FileDigest> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let bytes = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    await target.write(piece, 0, bytesRead);
    bytes += bytesRead;
  }
}

/** Makes a renamed or created file durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
}

export function makeParent(file: string): void {
  makePrivateFolder(dirname(file));
}

/** @throws BackupError when the disk has less free space */
export function ensureSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new BackupError(
    `The disk of ${folder} has ${inMegabytes(free)} free, but about ${inMegabytes(bytes)} are needed (${Math.ceil(bytes)} bytes).`
  );
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
