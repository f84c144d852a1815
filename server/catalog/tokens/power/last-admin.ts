/** A token that manages tokens stays: otherwise all callers could be locked out over HTTP. */
import { ServiceError } from '#contract/errors';
import type { StoredToken } from '#contract/tokens/token';
import { stateOf } from '../describe-token';
import { type PowerRules, powerOf, timeOf } from './token-power';

/**
 * For a change by the token itself. The bootstrap token does not count: it may be absent at the next start.
 * @param tokens all tokens before the change
 * @throws ServiceError `last_admin`
 */
export function ensureAdminRemains(
  tokens: readonly StoredToken[],
  { before, after, now }: { readonly before: StoredToken; readonly after: StoredToken; readonly now: Date },
  rules: PowerRules
): void {
  if (isAdmin(after, now) && timeOf(after.expires_at) >= timeOf(before.expires_at) && manages(after, before, rules))
    return;
  const others = tokens.filter((token) => token.id !== before.id && isAdmin(token, now));
  if (others.some((other) => manages(other, before, rules))) return;
  throw new ServiceError(
    'last_admin',
    'This is the last access token that may manage tokens. It can neither be revoked nor lose its scope, get an ' +
      'earlier expiry or be confined by a request of its own.',
    { hint: 'create another with the scope tokens:admin first, or use "lqe token" on the machine of the server' }
  );
}

function isAdmin(token: StoredToken, now: Date): boolean {
  return token.scopes.includes('tokens:admin') && stateOf(token, now) === 'active';
}

/** Whether the token may see the other one. */
function manages(token: StoredToken, other: StoredToken, rules: PowerRules): boolean {
  try {
    return powerOf(token, rules).covers(other);
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
