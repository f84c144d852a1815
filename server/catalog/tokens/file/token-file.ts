/**
 * Token file: the tokens of one data folder as JSON. Writers hold its lock, so that concurrent changes are not lost.
 */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type StoredToken, tokenFileSchema } from '#contract/tokens/token';
import { AuditFiles } from '../../audit/audit-files';
import { withFileLock } from './file-lock';
import { dropOldMarks } from '../secrets/issue-secret';
import { replacePrivateFile } from '../../../common/files/private-file';
import type { TokenEdit } from '../token-edits';
import { auditEntryOf } from '../token-register';
import type { ChangeFacts } from '../../audit/change-facts';
import { issueReason } from '../../../common/issue-reason';
import { errorCode } from '../../../common/caught-error';

export const TOKEN_FILE = 'tokens.json';

/** The file exists and is not a token file of this version. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

export class TokenFile {
  private readonly file: string;
  private readonly audit: AuditFiles;
  private version = '';
  private tokens: readonly StoredToken[] | null = null;

  constructor(dataDir: string) {
    this.file = join(dataDir, TOKEN_FILE);
    this.audit = new AuditFiles(dataDir);
  }

  /**
   * The same array as before when the file has not changed.
   * @returns null when there is no file
   * @throws TokenFileError
   */
  async read(): Promise<readonly StoredToken[] | null> {
    const version = await this.fileVersion();
    if (version === this.version) return this.tokens;
    if (version === '') return this.remember('', null);
    const handle = await open(this.file, 'r');
    try {
      const seen = versionOf(await handle.stat({ bigint: true }));
      return this.remember(seen, parseTokenFile(await handle.readFile('utf8'), this.file));
    } finally {
      await handle.close();
    }
  }

  /**
   * Reads, edits and writes the tokens under the lock, with an entry in the audit trail. Nothing is written when the
   * edit throws. @throws LockTimeoutError, TokenFileError
   */
  change<T>(facts: ChangeFacts, edit: TokenEdit<T>): Promise<T> {
    return withFileLock(`${this.file}.lock`, async () => {
      const { tokens, note, outcome } = edit((await this.read()) ?? []);
      if (note === null) return outcome;
      const kept = tokens.map((token) => dropOldMarks(token, facts.now));
      // The audit entry is written first: no change may happen without one.
      await this.audit.append(auditEntryOf(note, facts));
      await replacePrivateFile(this.file, formatTokenFile(kept));
      this.remember(await this.fileVersion(), kept);
      return outcome;
    });
  }

  private remember(version: string, tokens: readonly StoredToken[] | null): readonly StoredToken[] | null {
    this.version = version;
    this.tokens = tokens;
    return tokens;
  }

  /** Empty when there is no file. */
  private async fileVersion(): Promise<string> {
    try {
      return versionOf(await stat(this.file, { bigint: true }));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return '';
      throw error;
    }
  }
}

interface FileFacts {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/** A replaced file has another inode, even within one clock tick. */
function versionOf({ ino, size, mtimeNs }: FileFacts): string {
  return `${ino} ${size} ${mtimeNs}`;
}

function parseTokenFile(text: string, file: string): readonly StoredToken[] {
  const parsed = tokenFileSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.tokens;
  const [issue] = parsed.error.issues;
  const why =
    issue === undefined || issue.path.length === 0 ? 'it is damaged' : `${issue.path.join('.')} ${issueReason(issue)}`;
  throw new TokenFileError(
    `${file} is not a token file of this version (${why}). Put the file of a backup in its place.`
  );
}

/** @returns undefined when it is no JSON: its errors quote the text */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function formatTokenFile(tokens: readonly StoredToken[]): string {
  return `{\n  "version": 1,\n  "tokens": [${tokens.map((token) => `\n    ${formatStored(token)}`).join(',')}\n  ]\n}\n`;
}

/** A change writes all tokens, and formats only those that changed. */
const formatted = new WeakMap<StoredToken, string>();

function formatStored(token: StoredToken): string {
  let text = formatted.get(token);
  if (text === undefined) {
    text = JSON.stringify(token);
    formatted.set(token, text);
  }
  return text;
}
