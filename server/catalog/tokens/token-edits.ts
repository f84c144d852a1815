/**
 * Changes of the set of tokens as pure functions, independent of its storage. Only `creation` and `rotation` return the
 * full text of a token.
 */
import type { AuditAction } from '#contract/changes/audit';
import { ServiceError } from '#contract/errors';
import { type StoredToken, storedTokenSchema, type TokenPolicy } from '#contract/tokens/token';
import { changeDetails, policyDetails } from './audit-details';
import { issueSecret, type SecretSource } from './secrets/issue-secret';
import { type TokenShare, withRoom } from './power/token-share';
import { createTokenId, formatToken } from './secrets/token-text';

export interface IssuedToken {
  /** Shown once; it cannot be retrieved later. */
  readonly text: string;
  readonly token: StoredToken;
}

/** What the audit trail keeps of an edit. Never contains a secret or a hash. */
export interface TokenNote {
  readonly action: Extract<AuditAction, `token.${string}`>;
  readonly object: { readonly id: string; readonly name: string };
  readonly details: Readonly<Record<string, unknown>> | null;
}

export interface EditedTokens<T> {
  /** Unchanged tokens keep their object identity. */
  readonly tokens: readonly StoredToken[];
  /** Null: nothing changes, and nothing is written. */
  readonly note: TokenNote | null;
  readonly outcome: T;
}

export type TokenEdit<T> = (tokens: readonly StoredToken[]) => EditedTokens<T>;

/** Repeatable rotations of one token in 24 hours. */
const MAX_MARKS = 100;

/** @param share that of the maker. The edit throws ServiceError `limit_reached`. */
export function creation(
  policy: TokenPolicy,
  source: SecretSource,
  now: Date,
  share: TokenShare = null
): TokenEdit<IssuedToken> {
  return (tokens) => {
    const { secret, hash, marks } = issueSecret(source);
    const token = checked({
      ...policy,
      id: freeId(tokens),
      hash,
      previous: null,
      created_at: now.toISOString(),
      revoked_at: null,
      ...(marks.length > 0 ? { requests: [...marks] } : {}),
    });
    return {
      tokens: [...withRoom(tokens, token, share), token],
      note: { action: 'token.create', object: objectOf(token), details: policyDetails(policy) },
      outcome: { text: formatToken({ id: token.id, secret }), token },
    };
  };
}

/**
 * Replaces the secret immediately; the old one stays valid for the grace period.
 * The edit throws ServiceError `limit_reached`.
 */
export function rotation(
  old: StoredToken,
  graceSeconds: number,
  source: SecretSource,
  now: Date
): TokenEdit<IssuedToken> {
  return (tokens) => {
    const { secret, hash, marks } = issueSecret(source);
    const validUntil = new Date(now.getTime() + graceSeconds * 1000).toISOString();
    const requests = [...(old.requests ?? []), ...marks];
    if (requests.length > MAX_MARKS)
      throw new ServiceError(
        'limit_reached',
        `This token was rotated ${MAX_MARKS} times in 24 hours with an Idempotency-Key. Rotate it without one.`
      );
    const token = checked({
      ...old,
      hash,
      previous: graceSeconds > 0 ? { hash: old.hash, valid_until: validUntil } : null,
      ...(requests.length > 0 ? { requests } : {}),
    });
    return {
      tokens: replaceToken(tokens, token),
      note: { action: 'token.rotate', object: objectOf(token), details: { grace_seconds: graceSeconds } },
      outcome: { text: formatToken({ id: token.id, secret }), token },
    };
  };
}

/** Replaces the policy; the secret stays. */
export function policyChange(old: StoredToken, policy: TokenPolicy): TokenEdit<StoredToken> {
  return (tokens) => {
    const details = changeDetails(old, policy);
    if (details === null) return { tokens, note: null, outcome: old };
    const token = checked({ ...old, ...policy });
    return {
      tokens: replaceToken(tokens, token),
      note: { action: 'token.change', object: objectOf(token), details },
      outcome: token,
    };
  };
}

export function revocation(old: StoredToken, now: Date): TokenEdit<StoredToken> {
  return (tokens) => {
    const token = { ...old, previous: null, revoked_at: now.toISOString() };
    return {
      tokens: replaceToken(tokens, token),
      note: { action: 'token.revoke', object: objectOf(token), details: null },
      outcome: token,
    };
  };
}

/** A stored token that does not match the schema would make all tokens unreadable. */
function checked(token: StoredToken): StoredToken {
  return storedTokenSchema.parse(token);
}

function objectOf({ id, name }: StoredToken): TokenNote['object'] {
  return { id, name };
}

function replaceToken(tokens: readonly StoredToken[], changed: StoredToken): StoredToken[] {
  return tokens.map((token) => (token.id === changed.id ? changed : token));
}

function freeId(tokens: readonly StoredToken[]): string {
  const taken = new Set(tokens.map((token) => token.id));
  let id = createTokenId();
  while (taken.has(id)) id = createTokenId();
  return id;
}
