/** Determines the tenant of an access token; no other code decides it. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import { isTenant } from '#contract/tokens/tenant';
import type { TokenPolicy } from '#contract/tokens/token';

/** The part of a token that `tenantOf` reads. */
export type TenantPolicy = Pick<TokenPolicy, 'tenant' | 'fixed_parameters'>;

/**
 * The tenant to which the token is confined; null: all tenants. It is the tenant set at creation, or the fixed value of
 * a parameter that any saved query declares with `tenant: true`, whether or not the token can access that query.
 * @param definitions the saved queries in service; a new array for each set
 * @throws ServiceError `tenant_denied` when these differ, or when the fixed value is no valid tenant
 */
export function tenantOf(
  { policy }: { readonly policy: TenantPolicy },
  definitions: { readonly all: readonly SavedQuery[] }
): string | null {
  const implied = Object.entries(policy.fixed_parameters).flatMap(([name, value]) =>
    tenantParameters(definitions.all).has(name) ? [value] : []
  );
  const [tenant = null, ...others] = new Set(policy.tenant === null ? implied : [policy.tenant, ...implied]);
  if (others.length > 0)
    throw new ServiceError(
      'tenant_denied',
      'This access token names two tenants: by its tenant and by a fixed parameter. Create another with one of them.',
      { reason: 'tenant_conflict' }
    );
  if (tenant === null || isTenant(tenant)) return tenant;
  throw new ServiceError(
    'tenant_denied',
    'This access token fixes a parameter that names a tenant to a text that cannot be one. Create another.',
    { reason: 'tenant_invalid' }
  );
}

/**
 * @param what action on the events of all tenants, as the start of the message
 * @throws ServiceError `tenant_denied` for a confined token
 */
export function ensureNoTenant(tenant: string | null, what: string): void {
  if (tenant === null) return;
  throw new ServiceError('tenant_denied', `${what} for all tenants; use an access token without a tenant.`, {
    reason: 'all_tenants',
  });
}

/** Whether a caller may see counts over the events of all tenants. */
export function seesAllEvents({ policy }: { readonly policy: TenantPolicy }, tenant: string | null): boolean {
  return tenant === null && Object.keys(policy.fixed_parameters).length === 0;
}

const namesOfSets = new WeakMap<readonly SavedQuery[], ReadonlySet<string>>();

function tenantParameters(definitions: readonly SavedQuery[]): ReadonlySet<string> {
  let names = namesOfSets.get(definitions);
  if (names === undefined) {
    const declared = definitions.flatMap(({ parameters }) => parameters.filter(({ tenant }) => tenant));
    names = new Set(declared.map(({ name }) => name));
    namesOfSets.set(definitions, names);
  }
  return names;
}
