/** Condition that confines a scan to the events of one tenant. */
import { ServiceError } from '#contract/errors';
import type { CatalogField, CatalogSource } from '../../catalog/catalog';
import type { TenantFilter } from '../../ir/plan';
import { STRING } from '../../ir/types';

/** Differs from all parameter keys, which begin with "@" or "=". */
const KEY = 'tenant';

/**
 * @param tenant null: all tenants
 * @throws ServiceError `tenant_denied` for a source that does not declare where its events name their tenant
 */
export function tenantFilter(source: CatalogSource, tenant: string | null): TenantFilter | null {
  if (tenant === null) return null;
  const { tenant: place } = source;
  if (place === null)
    throw new ServiceError(
      'tenant_denied',
      'This query reads a source whose events name no tenant: it is not for access tokens of a tenant.',
      { reason: 'source_without_tenant' }
    );
  const value = {
    kind: 'bound',
    key: KEY,
    type: STRING,
    value: { type: 'STRING', value: tenant },
    failure: null,
  } as const;
  if ('column' in place) return { value, place: { column: place.column } };
  const field = fieldAt(source, place.path);
  // Events stored before the path was declared may have given it another type.
  if (field?.kind !== 'leaf' || field.type !== 'STRING') return { value, place: null };
  return {
    value,
    place: field.column === null ? { text: source.metadataText, path: place.path } : { column: field.column },
  };
}

function fieldAt({ metadata }: CatalogSource, path: readonly string[]): CatalogField | undefined {
  let current: CatalogField | undefined = metadata;
  for (const part of path) {
    if (current?.kind !== 'record') return undefined;
    current = current.fields.get(part);
  }
  return current;
}
