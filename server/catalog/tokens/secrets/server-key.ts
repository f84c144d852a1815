/**
 * Server key, under which secrets are hashed. Without it a stolen token file cannot be used to test guessed secrets.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile } from '../../../common/files/private-file';
import { makePrivateFolder } from '../../../common/files/private-folder';
import { errorCode } from '../../../common/caught-error';

/** A file of the key that has something else. */
export class ServerKeyError extends Error {
  override readonly name = 'ServerKeyError';
}

/**
 * @param given 64 hexadecimal digits shared between servers; null: the key of this data folder, created on first use
 * @throws ServerKeyError; the failure of the file system
 */
export function loadServerKey(dataDir: string, given: string | null = null): KeyObject {
  if (given !== null) return createSecretKey(given, 'hex');
  const file = fileOf(dataDir);
  makePrivateFolder(dataDir);
  createPrivateFileOnce(file);
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new ServerKeyError(
      `${file} does not hold a server key (64 hexadecimal digits). Put the file of a backup in its place. Without its key` +
        ' all tokens have to be created again: then remove it.'
    );
  return createSecretKey(text, 'hex');
}

/**
 * The key of a catalog that was made before: a key that is created now would never be its key.
 * @throws Error when none is given and the data folder has none
 */
export function existingServerKey(dataDir: string, given: string | null): KeyObject {
  const missing = missingServerKey(dataDir, given);
  if (missing !== null)
    throw new Error(`There is no server key: ${missing} does not exist. Set LQE_SERVER_KEY to the key of the servers.`);
  return loadServerKey(dataDir, given);
}

/** @returns the file that `loadServerKey` would create; null when there is a key */
export function missingServerKey(dataDir: string, given: string | null): string | null {
  const file = fileOf(dataDir);
  return given === null && !existsSync(file) ? file : null;
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'server.key');
}

export function hashSecret(secret: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(secret, 'utf8').digest();
}

/**
 * Fingerprint by which servers that share tokens verify that their keys are equal; reveals nothing about the key. 64
 * hexadecimal digits.
 */
export function keyFingerprint(key: KeyObject): string {
  return createHmac('sha256', key).update('log-query-endpoints: which key is this?').digest('hex');
}

function createPrivateFileOnce(file: string): void {
  try {
    readFileSync(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    createPrivateFile(file, `${randomBytes(32).toString('hex')}\n`);
  }
}
