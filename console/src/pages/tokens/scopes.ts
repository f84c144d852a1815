/** What tokens may do, in words. */
import { keysOf } from '#contract/records';
import type { DescribedToken, Scope } from '#contract/tokens/token';

/** By scope, so that none is forgotten. */
const SAID: Readonly<Record<Scope, string>> = {
  query: 'call saved queries and read their results',
  adhoc: 'run ad-hoc queries in their sandboxes',
  'endpoints:read': 'list saved queries and read their definitions',
  'endpoints:write': 'create, change and delete saved queries, which may read all events',
  'sources:write': 'create, change and delete sources, which say what is stored and for how long',
  ingest: 'send log events',
  'metrics:read': 'read the metrics of the service',
  'cache:bypass': 'run a query again although its result is cached',
  'tokens:admin': 'create, change and revoke access tokens, and read the audit trail',
};
export const SCOPES = keysOf(SAID);
export const formatScope = (scope: Scope): string => SAID[scope];

/** One sentence about what a token is for. */
export function formatRights(scopes: readonly Scope[]): string {
  const known = SCOPES.filter((scope) => scopes.includes(scope)).map(formatScope);
  return known.length === 0 ? 'It may do nothing.' : `It may ${known.join('; ')}.`;
}

/** The limits of a token, one phrase each. */
export function formatLimits(token: DescribedToken): readonly string[] {
  const { endpoints, tenant, fixed_parameters, force_redaction, max_rows, rate } = token;
  const fixed = Object.entries(fixed_parameters).map(([name, value]) => `${name} = ${value}`);
  return [
    ...(endpoints === '*' ? [] : [`only ${endpoints.join(', ')}`]),
    ...(tenant === null ? [] : [`tenant ${tenant}`]),
    ...fixed,
    ...(force_redaction ? ['every result redacted'] : []),
    ...(max_rows === null ? [] : [`${max_rows.toLocaleString()} rows at most`]),
    ...(rate === null ? [] : [`${rate.toLocaleString()} requests a minute`]),
  ];
}
