/** Description of a token for its owner: its policy and its state, never a hash. */
import type { DescribedToken, StoredToken } from '#contract/tokens/token';
import { policyOf } from './token-fields';

export function describeToken(token: StoredToken, lastUsedAt: string | undefined, now: Date): DescribedToken {
  const { name, ...limits } = policyOf(token);
  return {
    id: token.id,
    name,
    state: stateOf(token, now),
    ...limits,
    created_at: token.created_at,
    revoked_at: token.revoked_at,
    last_used_at: lastUsedAt ?? null,
  };
}

export function stateOf(token: StoredToken, now: Date): DescribedToken['state'] {
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at !== null && Date.parse(token.expires_at) <= now.getTime() ? 'expired' : 'active';
}
