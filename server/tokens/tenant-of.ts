/** Which tenant an access token belongs to: the one place that decides it. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/saved-query';
import { isTenant } from '#contract/tenant';
import type { TokenPolicy } from '#contract/token';

/** What `tenantOf` reads of a token. */
export type TenantPolicy = Pick<TokenPolicy, 'tenant' | 'fixed_parameters'>;

/**
 * The tenant that confines everything the token does; null: events of all tenants. A token has the tenant it was created with, and the
 * value to which it fixes a parameter that any saved query declares with `tenant: true`, whether or not the token sees that query.
 * @param definitions the saved queries that are served; one array for each set
 * @throws ServiceError `tenant_denied` when these differ, or when the fixed value cannot be a tenant
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

/** @throws ServiceError `tenant_denied` for what acts on the events of all tenants */
export function ensureNoTenant(tenant: string | null, what: string): void {
  if (tenant === null) return;
  throw new ServiceError('tenant_denied', `${what} for all tenants; use an access token without a tenant.`, {
    reason: 'all_tenants',
  });
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
