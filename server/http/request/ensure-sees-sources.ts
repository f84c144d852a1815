/**
 * Sources are not parts of saved queries: a token that sees only some of these, or of the events, does not see them.
 */
import { ServiceError } from '#contract/errors';
import { hasScope, type Principal } from '../../catalog/tokens/principal';
import { ensureNoTenant } from '../../catalog/tokens/tenant-of';
import type { KeyedCall } from '../router';

/**
 * @param what shows sources, as the start of the message
 * @throws ServiceError `tenant_denied`, `scope_missing`
 */
export function ensureSeesSources({ principal, tenant }: Pick<KeyedCall, 'principal' | 'tenant'>, what: string): void {
  ensureNoTenant(tenant, what);
  if (isUnrestricted(principal)) return;
  throw new ServiceError(
    'scope_missing',
    `${what} for tokens with "endpoints:write" or "sources:write", and for those with "endpoints:read" and no other limit.`,
    { scope: 'endpoints:write' }
  );
}

const SCOPES = ['endpoints:read', 'endpoints:write', 'sources:write'] as const;

/** For routes whose own scope is another one. */
export function seesSources({ principal, tenant }: Pick<KeyedCall, 'principal' | 'tenant'>): boolean {
  const hasReadScope = SCOPES.some((scope) => hasScope(principal, scope));
  return hasReadScope && tenant === null && isUnrestricted(principal);
}

function isUnrestricted(principal: Principal): boolean {
  const { endpoints, fixed_parameters, force_redaction } = principal.policy;
  const isRestricted = endpoints !== '*' || force_redaction || Object.keys(fixed_parameters).length > 0;
  return hasScope(principal, 'endpoints:write') || hasScope(principal, 'sources:write') || !isRestricted;
}
