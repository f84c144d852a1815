/**
 * Token file: the tokens of one data folder as JSON. Writers hold its lock, so that concurrent changes are not lost.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StoredToken, tokenFileSchema } from '#contract/token';
import { withFileLock } from './file-lock';
import type { TokenEdit } from './manage-tokens';
import { appendPrivateFile, replacePrivateFile } from './private-file';

export const TOKEN_FILE = 'tokens.json';
const AUDIT_FILE = 'tokens.audit.log';

/** @returns no tokens when the file does not exist. @throws when the file is not a valid token file */
export function readTokens(dataDir: string): readonly StoredToken[] {
  const file = join(dataDir, TOKEN_FILE);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return parseTokenFile(text, file);
}

export function parseTokenFile(text: string, file: string): readonly StoredToken[] {
  try {
    return tokenFileSchema.parse(JSON.parse(text)).tokens;
  } catch (cause) {
    throw new Error(`${file} is not a token file of this version`, { cause });
  }
}

/**
 * Reads, changes and writes the tokens under the lock, with an entry in the audit log. Nothing is written when the edit
 * throws.
 */
export function changeTokens<T>(dataDir: string, now: Date, edit: TokenEdit<T>): T {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, TOKEN_FILE);
  return withFileLock(`${file}.lock`, () => {
    const { tokens, note, outcome } = edit(readTokens(dataDir));
    const line = { time: now.toISOString(), by: { pid: process.pid, uid: process.getuid?.() ?? null }, ...note };
    // The audit entry is written first: no change may happen without one.
    appendPrivateFile(join(dataDir, AUDIT_FILE), JSON.stringify(line));
    replacePrivateFile(file, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`);
    return outcome;
  });
}
