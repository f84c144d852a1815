/**
 * Token repository in a file of the data folder. It notices changes of the file within half a second, so that the
 * command line works while a server is running.
 */
import { mkdirSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredToken } from '#contract/token';
import { parseTokenFile, TOKEN_FILE } from './token-file';
import type { TokenRepository, TokenSnapshot } from './token-repository';
import { TokenUsage } from './token-usage';

export interface TokenFileRepositoryOptions {
  readonly dataDir: string;
  /** Called when the token file cannot be read, or is missing together with its folder. Its tokens are invalid then. */
  readonly onUnreadable: (error: unknown) => void;
  /** Maximum age of the snapshot in milliseconds. @default 500 */
  readonly maxAgeMs?: number;
}

export class TokenFileRepository implements TokenRepository {
  private readonly file: string;
  private readonly usage: TokenUsage;
  /** Device and inode of the folder when the server started. */
  private readonly folder: string;
  private tokens: ReadonlyMap<string, StoredToken> = new Map();
  private lost: ReadonlyMap<string, StoredToken> | null = null;
  private version = '';
  private readAtMs = -Infinity;
  private reading: Promise<void> | null = null;
  private readable = true;

  constructor(private readonly options: TokenFileRepositoryOptions) {
    mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
    this.folder = identityOf(options.dataDir);
    this.file = join(options.dataDir, TOKEN_FILE);
    this.usage = new TokenUsage(options.dataDir);
  }

  async cached(): Promise<TokenSnapshot> {
    return this.cachedSync() ?? this.fresh();
  }

  cachedSync(): TokenSnapshot | null {
    const isRecent = performance.now() - this.readAtMs < (this.options.maxAgeMs ?? 500);
    return isRecent ? this.snapshot() : null;
  }

  /** Concurrent calls share one read. */
  async fresh(): Promise<TokenSnapshot> {
    this.reading ??= this.refresh().finally(() => {
      this.reading = null;
    });
    await this.reading;
    return this.snapshot();
  }

  async isReadable(): Promise<boolean> {
    await this.cached();
    return this.readable;
  }

  noteUse(tokenId: string, at: Date): void {
    this.usage.note(tokenId, at);
  }

  async flush(): Promise<void> {
    this.usage.flush();
  }

  private snapshot(): TokenSnapshot {
    return { tokens: this.tokens, lost: this.lost, readAtMs: this.readAtMs };
  }

  private async refresh(): Promise<void> {
    const startedAtMs = performance.now();
    try {
      const version = await this.fileVersion();
      if (version !== this.version) {
        const stored = version === '' ? [] : parseTokenFile(await readFile(this.file, 'utf8'), this.file);
        this.tokens = new Map(stored.map((token) => [token.id, token]));
        this.version = version;
      }
      this.lost = null;
      this.readable = true;
    } catch (error) {
      if (this.readable) this.options.onUnreadable(error);
      this.lost ??= this.tokens;
      this.tokens = new Map();
      this.version = 'unreadable';
      this.readable = false;
    }
    this.readAtMs = startedAtMs;
  }

  /**
   * Version of the file; empty when there is none. A replaced file has another inode, even within one clock tick.
   * @throws when the file's folder has been deleted, moved or replaced
   */
  private async fileVersion(): Promise<string> {
    try {
      const facts = await stat(this.file, { bigint: true });
      return `${facts.ino} ${facts.size} ${facts.mtimeNs}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (identityOf(this.options.dataDir) === this.folder) return '';
      throw new Error('the data folder was deleted, moved or replaced while the server ran', { cause: error });
    }
  }
}

/** Device and inode of a folder; empty when it does not exist. */
function identityOf(folder: string): string {
  const facts = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? '' : `${facts.dev} ${facts.ino}`;
}
