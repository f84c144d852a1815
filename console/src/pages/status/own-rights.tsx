/** What the token of this tab may do. */
import type { ReactNode } from 'react';
import type { OwnToken } from '../../api/shapes';
import { type Fact, FactsList } from '../../parts/facts-list';
import { formatTimeOr } from '../../parts/format-change';

export function OwnRights({ own }: { readonly own: OwnToken }): ReactNode {
  const rights: readonly Fact[] = [
    ['Name', own.name],
    ['Scopes', own.scopes.join(', ')],
    ['Saved queries', own.endpoints === '*' ? 'all' : own.endpoints.join(', ')],
    ['Filled in', own.fixed_parameters.join(', ')],
    ['Tenant', own.tenant ?? ''],
    ['Redaction', own.force_redaction ? 'every result' : ''],
    ['Rows at most', own.max_rows?.toLocaleString() ?? ''],
    ['Valid until', formatTimeOr(own.expires_at, 'no end')],
  ];
  return (
    <>
      <h2>This token</h2>
      <FactsList facts={rights} />
    </>
  );
}
