/** The authenticated caller. */
import { ServiceError } from '#contract/errors';
import { type Scope, SCOPES, type TokenPolicy } from '#contract/token';

export interface Principal {
  /** Id of the token, used in logs instead of the secret. */
  readonly tokenId: string;
  readonly policy: TokenPolicy;
  /** Time at which the presented secret expires, in milliseconds since 1970. */
  readonly untilMs: number;
}

export const BOOTSTRAP_POLICY: TokenPolicy = {
  name: 'bootstrap',
  scopes: [...SCOPES],
  endpoints: '*',
  fixed_parameters: {},
  tenant: null,
  force_redaction: false,
  max_rows: null,
  rate: null,
  expires_at: null,
};

/** @param scope the scope, or several of which any one is enough. @throws ServiceError `scope_missing` */
export function ensureScope(principal: Principal, scope: Scope | readonly Scope[]): void {
  const scopes = typeof scope === 'string' ? [scope] : scope;
  if (scopes.some((each) => hasScope(principal, each))) return;
  const names = scopes.map((each) => `"${each}"`).join(' or ');
  throw new ServiceError('scope_missing', `This access token lacks the scope ${names}.`, { scope: scopes[0]! });
}

export function hasScope(principal: Principal, scope: Scope): boolean {
  return principal.policy.scopes.includes(scope);
}

export function seesEndpoint(principal: Principal, endpoint: { readonly id: string; readonly name: string }): boolean {
  const { endpoints } = principal.policy;
  if (endpoints === '*') return true;
  return endpoints.some((entry) => entry === endpoint.name || entry.toLowerCase() === endpoint.id.toLowerCase());
}
