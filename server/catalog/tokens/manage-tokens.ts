/** Creates, rotates and revokes tokens. Only these functions return the full text of a token. */
import type { KeyObject } from 'node:crypto';
import type { StoredToken, TokenPolicy } from '#contract/token';
import { hashSecret, loadServerKey } from './server-key';
import { changeTokens } from './token-file';
import { createSecret, createTokenId, formatToken } from './token-text';

export interface IssuedToken {
  /** Shown once; it cannot be retrieved later. */
  readonly text: string;
  readonly token: StoredToken;
}

/** Entry of the audit log. Never contains a secret or a hash. */
export interface TokenChange {
  readonly action: 'create' | 'rotate' | 'revoke';
  readonly token_id: string;
  readonly name: string;
  readonly details?: object;
}

/** A change of the set of tokens, independent of its storage. Unchanged tokens keep their object identity. */
export type TokenEdit<T> = (tokens: readonly StoredToken[]) => {
  readonly tokens: readonly StoredToken[];
  readonly note: TokenChange;
  readonly outcome: T;
};

/** The id or name matches no token, or more than one. */
export class TokenChoiceError extends Error {
  override readonly name = 'TokenChoiceError';
}

export function createToken(
  dataDir: string,
  policy: TokenPolicy,
  now: Date,
  key = loadServerKey(dataDir)
): IssuedToken {
  return changeTokens(dataDir, now, creation(policy, key, now));
}

/** @throws TokenChoiceError */
export function rotateToken(
  dataDir: string,
  idOrName: string,
  graceSeconds: number,
  now: Date,
  key = loadServerKey(dataDir)
): IssuedToken {
  return changeTokens(dataDir, now, rotation(idOrName, graceSeconds, key, now));
}

/** @throws TokenChoiceError */
export function revokeToken(dataDir: string, idOrName: string, now: Date): StoredToken {
  return changeTokens(dataDir, now, revocation(idOrName, now));
}

export function creation(policy: TokenPolicy, key: KeyObject, now: Date): TokenEdit<IssuedToken> {
  const secret = createSecret();
  return (tokens) => {
    const token: StoredToken = {
      ...policy,
      id: freeId(tokens),
      hash: hashSecret(secret, key).toString('hex'),
      previous: null,
      created_at: now.toISOString(),
      revoked_at: null,
    };
    return {
      tokens: [...tokens, token],
      note: { action: 'create', token_id: token.id, name: token.name, details: policy },
      outcome: { text: formatToken({ id: token.id, secret }), token },
    };
  };
}

/** Replaces the secret immediately; the old one stays valid for the grace period. The edit throws TokenChoiceError. */
export function rotation(idOrName: string, graceSeconds: number, key: KeyObject, now: Date): TokenEdit<IssuedToken> {
  const secret = createSecret();
  return (tokens) => {
    const old = chooseToken(tokens, idOrName);
    const validUntil = new Date(now.getTime() + graceSeconds * 1000).toISOString();
    const token: StoredToken = {
      ...old,
      hash: hashSecret(secret, key).toString('hex'),
      previous: graceSeconds > 0 ? { hash: old.hash, valid_until: validUntil } : null,
    };
    return {
      tokens: replaceToken(tokens, token),
      note: { action: 'rotate', token_id: token.id, name: token.name, details: { grace_seconds: graceSeconds } },
      outcome: { text: formatToken({ id: token.id, secret }), token },
    };
  };
}

/** The edit throws TokenChoiceError. */
export function revocation(idOrName: string, now: Date): TokenEdit<StoredToken> {
  return (tokens) => {
    const revoked = { ...chooseToken(tokens, idOrName), previous: null, revoked_at: now.toISOString() };
    return {
      tokens: replaceToken(tokens, revoked),
      note: { action: 'revoke', token_id: revoked.id, name: revoked.name },
      outcome: revoked,
    };
  };
}

function chooseToken(tokens: readonly StoredToken[], idOrName: string): StoredToken {
  const live = tokens.filter((token) => token.revoked_at === null);
  const byId = live.find((token) => token.id === idOrName);
  if (byId) return byId;
  const byName = live.filter((token) => token.name === idOrName);
  if (byName.length === 1) return byName[0]!;
  if (byName.length > 1) {
    const ids = byName.map((token) => token.id).join(', ');
    throw new TokenChoiceError(`"${idOrName}" is the name of ${byName.length} tokens; give one of the ids ${ids}`);
  }
  const isRevoked = tokens.some((token) => token.id === idOrName || token.name === idOrName);
  throw new TokenChoiceError(
    isRevoked ? `token "${idOrName}" is revoked already` : `there is no token with the id or name "${idOrName}"`
  );
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
