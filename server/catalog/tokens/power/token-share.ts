/**
 * Share of the stored tokens that a confined maker may fill, so that it leaves room to all others: every change writes
 * all tokens, and every server keeps them in memory. Revoked tokens count until they make room for others.
 */
import { ServiceError } from '#contract/errors';
import type { StoredToken, TokenPolicy } from '#contract/tokens/token';

/** Entries that are kept of all makers, revoked ones included. */
export const MAX_TOKENS = 10_000;
/** Of those, what only makers without a confinement fill. */
const RESERVED_TOKENS = 1000;
export const MAX_SHARE_TOKENS = 1000;
/** In characters of JSON. */
export const MAX_SHARE_SIZE = 4 * 1024 * 1024;

/** Whether a token counts to the share; null: the maker has no confinement and all tokens to itself. */
export type TokenShare = ((policy: TokenPolicy) => boolean) | null;

/**
 * The tokens without those that were revoked first, as far as there is no room for another.
 * @throws ServiceError `limit_reached`
 */
export function withRoom(
  tokens: readonly StoredToken[],
  added: StoredToken,
  share: TokenShare
): readonly StoredToken[] {
  const own = share === null ? tokens : tokens.filter(share);
  const revoked = own.filter(isRevoked).sort((a, b) => (a.revoked_at < b.revoked_at ? -1 : 1));
  const dropped = new Set<StoredToken>();
  let size = share === null ? 0 : sizeOf(added) + sizeOfAll(own);
  const isFull = (): boolean =>
    share === null
      ? tokens.length - dropped.size >= MAX_TOKENS
      : own.length - dropped.size >= MAX_SHARE_TOKENS ||
        tokens.length - dropped.size >= MAX_TOKENS - RESERVED_TOKENS ||
        size > MAX_SHARE_SIZE;
  while (isFull()) {
    const oldest = revoked[dropped.size];
    if (oldest === undefined) throw limitReached(share);
    dropped.add(oldest);
    size -= sizeOf(oldest);
  }
  return dropped.size === 0 ? tokens : tokens.filter((token) => !dropped.has(token));
}

/** For a change of one token. @throws ServiceError `limit_reached` */
export function ensureRoom(
  tokens: readonly StoredToken[],
  { before, after }: { readonly before: StoredToken; readonly after: StoredToken },
  share: TokenShare
): void {
  if (share === null) return;
  const growth = sizeOf(after) - sizeOf(before);
  if (growth > 0 && sizeOfAll(tokens.filter(share)) + growth > MAX_SHARE_SIZE) throw limitReached(share);
}

function limitReached(share: TokenShare): ServiceError {
  return share === null
    ? new ServiceError('limit_reached', `There are ${MAX_TOKENS} access tokens. Revoke one that is not needed.`, {
        max: MAX_TOKENS,
      })
    : new ServiceError(
        'limit_reached',
        'There is no room for more access tokens within the limits of this one. Revoke one that is not needed.',
        { max: MAX_SHARE_TOKENS, max_bytes: MAX_SHARE_SIZE }
      );
}

function isRevoked(token: StoredToken): token is StoredToken & { readonly revoked_at: string } {
  return token.revoked_at !== null;
}

function sizeOfAll(tokens: readonly StoredToken[]): number {
  return tokens.reduce((sum, token) => sum + sizeOf(token), 0);
}

/** A change replaces a token; the others are the same objects. */
const sizes = new WeakMap<StoredToken, number>();

function sizeOf(token: StoredToken): number {
  let size = sizes.get(token);
  if (size === undefined) {
    size = JSON.stringify(token).length;
    sizes.set(token, size);
  }
  return size;
}
