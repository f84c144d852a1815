import type { OwnToken } from './shapes';

/** Whether a token sees a part of the service only. The service then refuses what is about the whole of it. */
export function isConfined({ endpoints, fixed_parameters, tenant, force_redaction }: OwnToken): boolean {
  return endpoints !== '*' || fixed_parameters.length > 0 || tenant !== null || force_redaction;
}

/** Whether the service lists its sources for a token. */
export function mayListSources(own: OwnToken): boolean {
  const { scopes, tenant } = own;
  const isWriter = scopes.includes('endpoints:write') || scopes.includes('sources:write');
  return tenant === null && (isWriter || (scopes.includes('endpoints:read') && !isConfined(own)));
}
