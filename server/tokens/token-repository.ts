/** Repository of access tokens: a file of the data folder, or a database that servers share. */
import type { StoredToken } from '#contract/token';

export interface TokenSnapshot {
  /** By id. */
  readonly tokens: ReadonlyMap<string, StoredToken>;
  /** Tokens by id as they were last read, when they cannot be read now; else null. */
  readonly lost: ReadonlyMap<string, StoredToken> | null;
  /** `performance.now()` when reading began. */
  readonly readAtMs: number;
}

export interface TokenRepository {
  /** The last snapshot. @throws ServiceError `catalog_unavailable` when it is too old */
  cached(): Promise<TokenSnapshot>;
  /** The result of `cached` when it needs no waiting, else null. */
  cachedSync(): TokenSnapshot | null;
  /** Reads the tokens again; the last snapshot when that takes too long. */
  fresh(): Promise<TokenSnapshot>;
  /** Whether the repository can be read. */
  isReadable(): Promise<boolean>;
  noteUse(tokenId: string, at: Date): void;
  /** Writes the noted uses. */
  flush(): Promise<void>;
}
