/** Repository of access tokens: a file of the data folder, or a database shared by servers. */
import type { StoredToken } from '#contract/tokens/token';

export interface TokenSnapshot {
  /** Tokens by id. */
  readonly tokens: ReadonlyMap<string, StoredToken>;
  /** The last tokens read, by id, while the repository cannot be read; else null. */
  readonly lost: ReadonlyMap<string, StoredToken> | null;
  /** Value of `performance.now()` when reading started. */
  readonly readAtMs: number;
}

export interface TokenRepository {
  /** The last snapshot. @throws ServiceError `catalog_unavailable` when it is too old */
  cached(): Promise<TokenSnapshot>;
  /** The result of `cached` when it needs no waiting, else null. */
  cachedSync(): TokenSnapshot | null;
  /** Reads the tokens again, after the call; returns the last snapshot when that takes too long. */
  fresh(): Promise<TokenSnapshot>;
  /** Whether the repository can be read. */
  isReadable(): Promise<boolean>;
  /** Last use by token id, as ISO 8601. */
  lastUses(): Promise<Readonly<Record<string, string>>>;
  noteUse(tokenId: string, at: Date): void;
  /** Writes the recorded uses. */
  flush(): Promise<void>;
}
