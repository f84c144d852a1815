/** The slowest calls of the last hour. Their texts are kept nowhere; the log of the service has their request ids. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { queryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { type Column, ListTable } from '../../parts/list-table';
import { formatAge, formatCount, formatMillis } from '../../results/values/format-value';
import type { SlowCall } from './service-status';

export function SlowestCalls({ calls }: { readonly calls: readonly SlowCall[] }): ReactNode {
  const hasTokens = calls.some(({ token }) => token !== null);
  return (
    <>
      <h2>Slowest calls of the last hour</h2>
      {calls.length === 0 ? (
        <p className="soft">There were no calls.</p>
      ) : (
        <ListTable
          label="Slowest calls"
          columns={[...COLUMNS, ...(hasTokens ? [TOKEN] : []), REQUEST]}
          rows={calls}
          keyOf={({ request_id, ended_at }) => `${request_id} ${ended_at}`}
        />
      )}
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<SlowCall>> = [
  { head: 'Saved query', show: (call) => <CalledQuery call={call} /> },
  { head: 'Took', isNumber: true, show: ({ duration_ms }) => formatMillis(duration_ms) },
  { head: 'Outcome', show: formatOutcome },
  { head: 'When', hint: ({ ended_at }) => ended_at, show: ({ ended_at }) => formatAge(Date.parse(ended_at)) },
];
const TOKEN: Column<SlowCall> = { head: 'Token', show: ({ token }) => token?.name ?? '' };
const REQUEST: Column<SlowCall> = {
  head: 'Request id',
  show: ({ request_id }) => <code className="id">{request_id}</code>,
};

function CalledQuery({ call: { endpoint, kind } }: { readonly call: SlowCall }): ReactNode {
  const { may } = useSession();
  const mayOpen = may('query') || may('endpoints:read');
  return (
    <>
      {mayOpen ? <Link href={queryLink(endpoint.name)}>{endpoint.name}</Link> : endpoint.name}{' '}
      {kind === 'adhoc' && <span className="mark">ad-hoc</span>}
    </>
  );
}

function formatOutcome({ status, rows, cached }: SlowCall): string {
  if (status === null) return 'the caller left';
  if (rows === null) return status === 304 ? 'not changed' : `status ${status}`;
  return `${formatCount(rows, 'row')}${cached ? ', cached' : ''}`;
}
