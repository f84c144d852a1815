/** The tokens of a data folder: read again within half a second of a change of the file, so that the command line works beside a running server. */
import { mkdirSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredToken } from '#contract/token';
import { parseTokenFile, TOKEN_FILE } from './token-file';
import type { TokenRepository, TokenSnapshot } from './token-repository';
import { TokenUsage } from './token-usage';

export interface TokenFileRepositoryOptions {
  readonly dataDir: string;
  /** A token file that cannot be read, or that is missing with its folder: no token of it is valid then. */
  readonly onUnreadable: (error: unknown) => void;
  /** How old the view of the file may be. @default 500 */
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
  private lookedAtMs = -Infinity;
  private looking: Promise<void> | null = null;
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
    const isRecent = performance.now() - this.lookedAtMs < (this.options.maxAgeMs ?? 500);
    return isRecent ? this.seen() : null;
  }

  /** One look at a time, whoever asks. */
  async fresh(): Promise<TokenSnapshot> {
    this.looking ??= this.readAgain().finally(() => {
      this.looking = null;
    });
    await this.looking;
    return this.seen();
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

  private seen(): TokenSnapshot {
    return { tokens: this.tokens, lost: this.lost, readAtMs: this.lookedAtMs };
  }

  private async readAgain(): Promise<void> {
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
    this.lookedAtMs = startedAtMs;
  }

  /**
   * Empty when there is no file. A replaced file has another inode, even within one tick of the clock.
   * @throws when the folder that the file was in is missing, too
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

/** Device and inode of a folder; empty when there is none. */
function identityOf(folder: string): string {
  const facts = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? '' : `${facts.dev} ${facts.ino}`;
}
