/** Authenticates tokens: lookup by id, comparison of hashes in constant time. */
import { hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import type { RepeatableRequest, SecretSource } from './secrets/issue-secret';
import { BOOTSTRAP_PRINCIPAL, type Principal } from './principal';
import { hashSecret } from './secrets/server-key';
import { MIN_BOOTSTRAP_TOKEN } from '#contract/settings';
import type { StoredToken } from '#contract/tokens/token';
import type { TokenRepository, TokenSnapshot } from './token-repository';
import { parseToken } from './secrets/token-text';

export interface TokenStoreOptions {
  readonly repository: TokenRepository;
  /** Server key, under which secrets are hashed. */
  readonly key: KeyObject;
  readonly bootstrapToken: string | null;
  readonly now: () => Date;
}

export class TokenStore {
  private readonly bootstrapHash: Buffer | null;

  constructor(private readonly options: TokenStoreOptions) {
    this.bootstrapHash = options.bootstrapToken === null ? null : digest(options.bootstrapToken);
  }

  /**
   * @throws ServiceError `token_invalid`, identical for unknown, mistyped, expired and revoked tokens;
   * `backend_unavailable` for a token that was valid when the tokens were last readable; those of the repository
   */
  async authenticate(text: string): Promise<Principal> {
    if (this.isBootstrap(text)) return BOOTSTRAP_PRINCIPAL;
    const { repository } = this.options;
    const arrivedAtMs = performance.now();
    let snapshot = await repository.cached();
    const now = this.options.now();
    let found = this.findToken(snapshot.tokens, text, now);
    if (!found && snapshot.readAtMs < arrivedAtMs && parseToken(text)) {
      // Unknown tokens are looked up in a fresh snapshot, so that a new token works at once.
      snapshot = await repository.fresh();
      found = this.findToken(snapshot.tokens, text, now);
    }
    // The token may have been revoked since: the request is refused, but not as invalid, so that the client keeps its
    // token.
    if (!found && snapshot.lost && this.findToken(snapshot.lost, text, now)) throw tokensLost();
    if (!found) throw new ServiceError('token_invalid', 'The access token is not valid.');
    repository.noteUse(found.tokenId, now);
    return found;
  }

  /**
   * Whether an earlier result of `authenticate` is still valid; records the use if so. Also false when this needs
   * waiting; the caller then authenticates again.
   */
  isStillValid({ tokenId, policy, untilMs }: Principal): boolean {
    const { repository } = this.options;
    const now = this.options.now();
    // Compares identity: a changed token is a new object.
    if (repository.cachedSync()?.tokens.get(tokenId) !== policy || now.getTime() >= untilMs) return false;
    repository.noteUse(tokenId, now);
    return true;
  }

  /**
   * The caller with this text among the given tokens, at this time; null: the text is not valid. For a change of
   * tokens, which must not use rights that another change has taken away.
   */
  authenticateAmong(tokens: readonly StoredToken[], text: string): Principal | null {
    if (this.isBootstrap(text)) return BOOTSTRAP_PRINCIPAL;
    const id = parseToken(text)?.id;
    const candidates = new Map(tokens.flatMap((token) => (token.id === id ? [[token.id, token] as const] : [])));
    return this.findToken(candidates, text, this.options.now());
  }

  /** All tokens, revoked ones included. @throws ServiceError `backend_unavailable`, `catalog_unavailable` */
  async list(): Promise<ReadonlyMap<string, StoredToken>> {
    const { tokens, lost } = await this.options.repository.cached();
    if (lost) throw tokensLost();
    return tokens;
  }

  /** Last use by token id, as ISO 8601. */
  lastUses(): Promise<Readonly<Record<string, string>>> {
    return this.options.repository.lastUses();
  }

  /** Where the secrets of new tokens come from. */
  secretSource(request: RepeatableRequest | null): SecretSource {
    return { key: this.options.key, request };
  }

  /** Whether the text is the bootstrap token, which has no recognizable form. */
  isBootstrap(text: string): boolean {
    // Every part of a URL is compared, and most are too short to take the time of a hash.
    if (this.bootstrapHash === null || text.length < MIN_BOOTSTRAP_TOKEN) return false;
    return timingSafeEqual(digest(text), this.bootstrapHash);
  }

  isUsable(): Promise<boolean> {
    return this.options.repository.isReadable();
  }

  async hasAnyToken(): Promise<boolean> {
    return this.bootstrapHash !== null || (await this.options.repository.cached()).tokens.size > 0;
  }

  /** All tokens, revoked ones included, as they are now. @throws ServiceError of the repository */
  async current(): Promise<Iterable<StoredToken>> {
    return (await this.options.repository.fresh()).tokens.values();
  }

  /** Writes pending changes of the repository. */
  flush(): Promise<void> {
    return this.options.repository.flush();
  }

  /** Does the same amount of work for known and unknown ids. */
  private findToken(tokens: TokenSnapshot['tokens'], text: string, now: Date): Principal | null {
    const parts = parseToken(text);
    const token = parts ? tokens.get(parts.id) : undefined;
    const presented = hashSecret(parts?.secret ?? '', this.options.key);
    const isCurrent = equalsHash(presented, token?.hash);
    const isPrevious = equalsHash(presented, token?.previous?.hash);
    if (!token || token.revoked_at !== null) return null;
    const untilMs = Math.min(msOf(token.expires_at), isCurrent ? Infinity : msOf(token.previous?.valid_until ?? null));
    if (!(isCurrent || isPrevious) || now.getTime() >= untilMs) return null;
    return { tokenId: token.id, policy: token, untilMs };
  }
}

export function tokensLost(): ServiceError {
  return new ServiceError('backend_unavailable', 'The access tokens of the server cannot be read. Retry later.', {
    reason: 'tokens_unreadable',
    hint: 'the operator finds the cause in the log of the server; the token itself need not be replaced',
  });
}

function msOf(time: string | null): number {
  return time === null ? Infinity : Date.parse(time);
}

/** Hash for a constant-time comparison: gives inputs equal length and hides how much of a guess was right. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

const NO_HASH = Buffer.alloc(32).toString('hex');

function equalsHash(presented: Buffer, stored: string | undefined): boolean {
  return timingSafeEqual(presented, Buffer.from(stored ?? NO_HASH, 'hex')) && stored !== undefined;
}
