/** Where a running server finds the tokens: a file of its data folder, or a database that servers share. */
import type { StoredToken } from '#contract/token';

export interface TokensSeen {
  /** By id. */
  readonly tokens: ReadonlyMap<string, StoredToken>;
  /** Tokens by id as they were last read, when they cannot be read now; else null. */
  readonly lost: ReadonlyMap<string, StoredToken> | null;
  /** Of `performance.now()`: when the look began that saw them. */
  readonly lookedAtMs: number;
}

export interface TokenShelf {
  /** The tokens as they were a moment ago. @throws ServiceError `catalog_unavailable` when that was too long ago */
  recent(): Promise<TokensSeen>;
  /** What `recent` would give, when it can be had without waiting. */
  atHand(): TokensSeen | null;
  /** The tokens as they are now; those seen last when that cannot be known soon. */
  now(): Promise<TokensSeen>;
  /** Whether tokens can be told from one another. */
  isUsable(): Promise<boolean>;
  noteUse(tokenId: string, at: Date): void;
  /** Writes down the uses that were noted. */
  flush(): Promise<void>;
}
