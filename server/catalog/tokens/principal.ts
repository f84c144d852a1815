/** The authenticated caller. */
import { ServiceError } from '#contract/errors';
import { type Scope, SCOPES, type TokenPolicy, UNLIMITED_POLICY } from '#contract/tokens/token';

export interface Principal {
  /** Id of the token, used in logs instead of the secret. */
  readonly tokenId: string;
  readonly policy: TokenPolicy;
  /** Time at which the presented secret expires, in milliseconds since 1970. */
  readonly untilMs: number;
}

const BOOTSTRAP_POLICY: TokenPolicy = { ...UNLIMITED_POLICY, name: 'bootstrap', scopes: [...SCOPES] };

export const BOOTSTRAP_PRINCIPAL: Principal = { tokenId: 'bootstrap', policy: BOOTSTRAP_POLICY, untilMs: Infinity };

/** @param scope the scope, or several of which any one is enough. @throws ServiceError `scope_missing` */
export function ensureScope(principal: Principal, scope: Scope | readonly Scope[]): void {
  const scopes = typeof scope === 'string' ? [scope] : scope;
  if (scopes.some((each) => hasScope(principal, each))) return;
  const conflicting = scopes.find((each) => principal.policy.scopes.includes(each));
  if (conflicting !== undefined)
    throw new ServiceError('scope_missing', `This access token may not use its scope "${conflicting}": ${CONFLICT}.`, {
      scope: conflicting,
      reason: 'scope_conflict',
      hint: 'create a token for saved queries without these limits, or remove the scope from this one',
    });
  const names = scopes.map((each) => `"${each}"`).join(' or ');
  throw new ServiceError('scope_missing', `This access token lacks the scope ${names}.`, { scope: scopes[0]! });
}

export function hasScope({ policy }: Principal, scope: Scope): boolean {
  return policy.scopes.includes(scope) && !(UNCONFINED.includes(scope) && isConfined(policy));
}

/** What they change reads or keeps all events. */
const UNCONFINED: readonly Scope[] = ['endpoints:write', 'sources:write'];

const CONFLICT =
  'saved queries and sources are of all events, so the scopes "endpoints:write" and "sources:write" cannot be ' +
  'combined with fixed parameters, a tenant, forced redaction or a list of saved queries';

/** Whether the token sees only a part of the events, of their text or of the saved queries. */
export function isConfined(policy: TokenPolicy): boolean {
  const { endpoints, fixed_parameters, tenant, force_redaction } = policy;
  return endpoints !== '*' || Object.keys(fixed_parameters).length > 0 || tenant !== null || force_redaction;
}

/** Whether a stored token has scopes that its limits contradict. */
export function hasScopeConflict(policy: TokenPolicy): boolean {
  return policy.scopes.some((scope) => UNCONFINED.includes(scope)) && isConfined(policy);
}

/** For new and changed tokens. @throws ServiceError `scope_conflict` */
export function ensureNoScopeConflict(policy: TokenPolicy): void {
  if (!hasScopeConflict(policy)) return;
  throw new ServiceError('scope_conflict', `The limits of this token contradict its scopes: ${CONFLICT}.`, {
    hint: 'remove these scopes or the limits',
  });
}

export function seesEndpoint(principal: Principal, endpoint: { readonly id: string; readonly name: string }): boolean {
  const { endpoints } = principal.policy;
  if (endpoints === '*') return true;
  return endpoints.some((entry) => entry === endpoint.name || entry.toLowerCase() === endpoint.id.toLowerCase());
}
