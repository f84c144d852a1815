/**
 * The tokens as the server sees them: looked up by id, compared by hash in constant time, read again within half a second of a change
 * of the file, so that the command line works beside a running server.
 */
import { hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '#contract/errors';
import type { StoredToken } from '#contract/token';
import { BOOTSTRAP_POLICY, type Principal } from './principal';
import { hashSecret, loadServerKey } from './server-key';
import { parseTokenFile, TOKEN_FILE } from './token-file';
import { parseToken } from './token-text';
import { TokenUsage } from './token-usage';

export interface TokenStoreOptions {
  readonly dataDir: string;
  readonly bootstrapToken: string | null;
  readonly now: () => Date;
  /** A token file that cannot be read: no token of it is valid then. */
  readonly onUnreadable: (error: unknown) => void;
  /** How old the view of the file may be. @default 500 */
  readonly maxAgeMs?: number;
}

export class TokenStore {
  private readonly file: string;
  private readonly key: KeyObject;
  private readonly bootstrapHash: Buffer | null;
  private readonly usage: TokenUsage;
  private tokens: ReadonlyMap<string, StoredToken> = new Map();
  private version = '';
  private checkedAtMs = -Infinity;
  private checking: Promise<void> | null = null;
  private readable = true;

  constructor(private readonly options: TokenStoreOptions) {
    mkdirSync(options.dataDir, { recursive: true });
    this.file = join(options.dataDir, TOKEN_FILE);
    this.key = loadServerKey(options.dataDir);
    this.bootstrapHash = options.bootstrapToken === null ? null : digest(options.bootstrapToken);
    this.usage = new TokenUsage(options.dataDir);
  }

  /** @throws ServiceError `token_invalid`, one answer for unknown, mistyped, expired and revoked tokens. */
  async authenticate(text: string): Promise<Principal> {
    const arrivedAtMs = performance.now();
    await this.refresh();
    const now = this.options.now();
    const isBootstrap = this.isBootstrap(text);
    let token = this.findToken(text, now);
    if (!isBootstrap && !token && this.checkedAtMs < arrivedAtMs) {
      // A token that was made a moment ago works at once: what is unknown is looked for in the file as it is now.
      await this.check();
      token = this.findToken(text, now);
    }
    if (isBootstrap) return { tokenId: 'bootstrap', policy: BOOTSTRAP_POLICY };
    if (!token) throw new ServiceError('token_invalid', 'The access token is not valid.');
    this.usage.note(token.id, now);
    return { tokenId: token.id, policy: token };
  }

  /** Whether the text is the bootstrap token, which has no form to be recognised by. */
  isBootstrap(text: string): boolean {
    return this.bootstrapHash !== null && timingSafeEqual(digest(text), this.bootstrapHash);
  }

  async isUsable(): Promise<boolean> {
    await this.refresh();
    return this.readable;
  }

  async hasAnyToken(): Promise<boolean> {
    await this.refresh();
    return this.bootstrapHash !== null || this.tokens.size > 0;
  }

  /** Writes what is only in memory. */
  flush(): void {
    this.usage.flush();
  }

  /** Does the same work for known and unknown ids. */
  private findToken(text: string, now: Date): StoredToken | null {
    const parts = parseToken(text);
    const token = parts ? this.tokens.get(parts.id) : undefined;
    const presented = hashSecret(parts?.secret ?? '', this.key);
    const isCurrent = equalsHash(presented, token?.hash);
    const isPrevious = equalsHash(presented, token?.previous?.hash);
    if (!token || token.revoked_at !== null) return null;
    if (token.expires_at !== null && now >= new Date(token.expires_at)) return null;
    const inGrace = token.previous !== null && now < new Date(token.previous.valid_until);
    return isCurrent || (isPrevious && inGrace) ? token : null;
  }

  private refresh(): Promise<void> {
    const isRecent = performance.now() - this.checkedAtMs < (this.options.maxAgeMs ?? 500);
    return isRecent ? Promise.resolve() : this.check();
  }

  /** One check at a time, whoever asks. */
  private check(): Promise<void> {
    this.checking ??= this.readAgain().finally(() => {
      this.checking = null;
    });
    return this.checking;
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
      this.readable = true;
    } catch (error) {
      if (this.readable) this.options.onUnreadable(error);
      this.tokens = new Map();
      this.version = 'unreadable';
      this.readable = false;
    }
    this.checkedAtMs = startedAtMs;
  }

  /** Empty when there is no file. A replaced file has another inode, even within one tick of the clock. */
  private async fileVersion(): Promise<string> {
    try {
      const facts = await stat(this.file, { bigint: true });
      return `${facts.ino} ${facts.size} ${facts.mtimeNs}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}

/** Of a secret that is only in memory: it makes the lengths equal and tells nothing of how much of a guess was right. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

const NO_HASH = Buffer.alloc(32).toString('hex');

function equalsHash(presented: Buffer, stored: string | undefined): boolean {
  return timingSafeEqual(presented, Buffer.from(stored ?? NO_HASH, 'hex')) && stored !== undefined;
}
