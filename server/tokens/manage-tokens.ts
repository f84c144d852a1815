/** The life of a token: created, rotated, revoked. The full text leaves only once, from here. */
import type { StoredToken, TokenPolicy } from '#contract/token';
import { hashSecret, loadServerKey } from './server-key';
import { changeTokens } from './token-file';
import { createSecret, createTokenId, formatToken } from './token-text';

export interface IssuedToken {
  /** Shown once; it cannot be read again. */
  readonly text: string;
  readonly token: StoredToken;
}

/** The id or name fits no token, or more than one. */
export class TokenChoiceError extends Error {
  override readonly name = 'TokenChoiceError';
}

export function createToken(dataDir: string, policy: TokenPolicy, now: Date): IssuedToken {
  const secret = createSecret();
  let issued: IssuedToken | undefined;
  changeTokens(dataDir, now, (tokens) => {
    const token: StoredToken = {
      ...policy,
      id: freeId(tokens),
      hash: hashSecret(secret, loadServerKey(dataDir)).toString('hex'),
      previous: null,
      created_at: now.toISOString(),
      revoked_at: null,
    };
    issued = { text: formatToken({ id: token.id, secret }), token };
    return {
      tokens: [...tokens, token],
      note: { action: 'create', token_id: token.id, name: token.name, details: policy },
    };
  });
  return issued!;
}

/** A new secret at once; the old one stays valid for the grace period. @throws TokenChoiceError */
export function rotateToken(dataDir: string, idOrName: string, graceSeconds: number, now: Date): IssuedToken {
  const secret = createSecret();
  let issued: IssuedToken | undefined;
  changeTokens(dataDir, now, (tokens) => {
    const old = chooseToken(tokens, idOrName);
    const validUntil = new Date(now.getTime() + graceSeconds * 1000).toISOString();
    const token: StoredToken = {
      ...old,
      hash: hashSecret(secret, loadServerKey(dataDir)).toString('hex'),
      previous: graceSeconds > 0 ? { hash: old.hash, valid_until: validUntil } : null,
    };
    issued = { text: formatToken({ id: token.id, secret }), token };
    return {
      tokens: replaceToken(tokens, token),
      note: { action: 'rotate', token_id: token.id, name: token.name, details: { grace_seconds: graceSeconds } },
    };
  });
  return issued!;
}

/** @throws TokenChoiceError */
export function revokeToken(dataDir: string, idOrName: string, now: Date): StoredToken {
  let revoked: StoredToken | undefined;
  changeTokens(dataDir, now, (tokens) => {
    revoked = { ...chooseToken(tokens, idOrName), previous: null, revoked_at: now.toISOString() };
    return {
      tokens: replaceToken(tokens, revoked),
      note: { action: 'revoke', token_id: revoked.id, name: revoked.name },
    };
  });
  return revoked!;
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
  const gone = tokens.some((token) => token.id === idOrName || token.name === idOrName);
  throw new TokenChoiceError(
    gone ? `token "${idOrName}" is revoked already` : `there is no token with the id or name "${idOrName}"`
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
