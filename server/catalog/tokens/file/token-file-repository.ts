/**
 * Token repository in a file of the data folder. It notices changes of the file within half a second, so that the
 * command line works while a server is running.
 */
import { statSync } from 'node:fs';
import type { StoredToken } from '#contract/tokens/token';
import { makePrivateFolder } from '../../../common/files/private-folder';
import type { TokenEdit } from '../token-edits';
import { TokenFile } from './token-file';
import type { TokenRegister } from '../token-register';
import type { ChangeFacts } from '../../audit/change-facts';
import type { TokenRepository, TokenSnapshot } from '../token-repository';
import { TokenUsage } from './token-usage';

export interface TokenFileRepositoryOptions {
  readonly dataDir: string;
  /** Called when the token file cannot be read, or is missing together with its folder. Its tokens are invalid then. */
  readonly onUnreadable: (error: unknown) => void;
  /** Maximum age of the snapshot in milliseconds. @default 500 */
  readonly maxAgeMs?: number;
}

export class TokenFileRepository implements TokenRepository, TokenRegister {
  private readonly file: TokenFile;
  private readonly usage: TokenUsage;
  /** Device and inode of the folder when the server started. */
  private readonly folder: string;
  private tokens: ReadonlyMap<string, StoredToken> = new Map();
  private lost: ReadonlyMap<string, StoredToken> | null = null;
  /** The array that `tokens` was made of. */
  private stored: readonly StoredToken[] | null = null;
  private readAtMs = -Infinity;
  private reading: Promise<void> | null = null;
  /** The next read; null once it has started. */
  private nextRead: Promise<void> | null = null;
  private readable = true;

  constructor(private readonly options: TokenFileRepositoryOptions) {
    makePrivateFolder(options.dataDir);
    this.folder = identityOf(options.dataDir);
    this.file = new TokenFile(options.dataDir);
    this.usage = new TokenUsage(options.dataDir);
  }

  async cached(): Promise<TokenSnapshot> {
    return this.cachedSync() ?? this.fresh();
  }

  cachedSync(): TokenSnapshot | null {
    const isRecent = performance.now() - this.readAtMs < (this.options.maxAgeMs ?? 500);
    return isRecent ? this.snapshot() : null;
  }

  /** Concurrent calls share one read, which starts after all of them. */
  async fresh(): Promise<TokenSnapshot> {
    this.nextRead ??= this.readNext();
    await this.nextRead;
    return this.snapshot();
  }

  private async readNext(): Promise<void> {
    await this.reading;
    this.nextRead = null;
    this.reading = this.refresh();
    await this.reading;
  }

  async change<T>(facts: ChangeFacts, edit: TokenEdit<T>): Promise<T> {
    const outcome = await this.file.change(facts, edit);
    await this.fresh();
    return outcome;
  }

  async read(): Promise<readonly StoredToken[]> {
    return (await this.file.read()) ?? [];
  }

  async lastUses(): Promise<Readonly<Record<string, string>>> {
    return this.usage.read();
  }

  async isReadable(): Promise<boolean> {
    await this.cached();
    return this.readable;
  }

  noteUse(tokenId: string, at: Date): void {
    this.usage.note(tokenId, at);
  }

  flush(): Promise<void> {
    return this.usage.flush();
  }

  private snapshot(): TokenSnapshot {
    return { tokens: this.tokens, lost: this.lost, readAtMs: this.readAtMs };
  }

  private async refresh(): Promise<void> {
    const startedAtMs = performance.now();
    try {
      const stored = await this.file.read();
      if (stored === null) this.ensureFolder();
      if (stored !== this.stored || this.lost) this.tokens = new Map(stored?.map((token) => [token.id, token]));
      this.stored = stored;
      this.lost = null;
      this.readable = true;
    } catch (error) {
      if (this.readable) this.options.onUnreadable(error);
      this.lost ??= this.tokens;
      this.tokens = new Map();
      this.readable = false;
    }
    this.readAtMs = startedAtMs;
  }

  /** @throws when the file's folder has been deleted, moved or replaced */
  private ensureFolder(): void {
    if (identityOf(this.options.dataDir) === this.folder) return;
    throw new Error('the data folder was deleted, moved or replaced while the server ran');
  }
}

/** Device and inode of a folder; empty when it does not exist. */
function identityOf(folder: string): string {
  const facts = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? '' : `${facts.dev} ${facts.ino}`;
}
