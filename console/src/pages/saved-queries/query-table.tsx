/** Saved queries with their parameters, limits and calls. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CallStats, ListedQuery } from '../../api/shapes';
import { queryLink } from '../../app/links';
import { type Column, ListTable } from '../../parts/list-table';
import { formatAge, formatCount, formatMillis } from '../../results/values/format-value';
import { ValueText } from '../../results/values/value-text';
import type { StatsById } from './use-call-stats';

interface QueryTableProps {
  readonly queries: readonly ListedQuery[];
  readonly stats: StatsById;
}

export function QueryTable({ queries, stats }: QueryTableProps): ReactNode {
  const columns = [
    { head: 'Name', show: (query) => <Name query={query} /> },
    { head: 'Parameters', show: ({ parameters }) => (parameters.length === 0 ? null : <Names of={parameters} />) },
    { head: 'Result', show: (query) => <ResultLimits query={query} stats={stats?.get(query.id)} /> },
    ...(stats === null ? [] : columnsOfCalls(stats)),
    { head: 'Changed', hint: (query) => changeOf(query) ?? '', show: (query) => <Change query={query} /> },
    { head: 'Kept in', show: ({ origin }) => (origin === 'file' ? 'a file' : 'the service') },
  ] satisfies ReadonlyArray<Column<ListedQuery>>;
  return <ListTable label="Saved queries" columns={columns} rows={queries} keyOf={({ id }) => id} />;
}

function columnsOfCalls(stats: ReadonlyMap<string, CallStats>): ReadonlyArray<Column<ListedQuery>> {
  return [
    {
      head: 'Calls, last hour',
      isNumber: true,
      hint: ({ id }) => formatLastCall(stats.get(id)),
      show: ({ id }) => <Calls stats={stats.get(id)} />,
    },
    {
      head: 'p95',
      isNumber: true,
      hint: ({ id }) => formatDurations(stats.get(id)),
      show: ({ id }) => {
        const millis = stats.get(id)?.p95_ms ?? null;
        return millis === null ? '' : formatMillis(millis);
      },
    },
  ];
}

function Name({ query: { name, description } }: { readonly query: ListedQuery }): ReactNode {
  return (
    <>
      <Link href={queryLink(name)}>{name}</Link>
      <div className="soft">
        <ValueText text={description} />
      </div>
    </>
  );
}

function Names({ of }: { readonly of: ListedQuery['parameters'] }): ReactNode {
  return (
    <div>
      {of.map(({ name, required }) => (
        <div key={name}>
          <code>{name}</code>
          {required ? '' : ' (optional)'}
        </div>
      ))}
    </div>
  );
}

interface StatsProps {
  readonly stats: CallStats | undefined;
}

function ResultLimits({ query, stats }: { readonly query: ListedQuery } & StatsProps): ReactNode {
  const { max_rows, sandbox, redact_pii } = query;
  return (
    <div>
      up to {formatCount(max_rows, 'row')}
      <CacheState query={query} stats={stats} />
      <div>
        {sandbox && <span className="mark">sandbox</span>} {redact_pii && <span className="mark">redacted</span>}
      </div>
    </div>
  );
}

function CacheState({ query, stats }: { readonly query: ListedQuery } & StatsProps): ReactNode {
  const { cache_seconds, warm_seconds } = query;
  const cached = stats?.cached_results ?? 0;
  const warm = stats?.warm_results ?? 0;
  if (cache_seconds === null) return null;
  return (
    <>
      <div>
        cached for {formatPeriod(cache_seconds)}
        {cached > 0 && <span className="soft"> ({cached.toLocaleString()} now)</span>}
      </div>
      {warm_seconds !== null && warm_seconds > 0 && (
        <div>
          warmed every {formatPeriod(warm_seconds)}
          {warm > 0 && <span className="soft"> ({warm.toLocaleString()} now)</span>}
        </div>
      )}
    </>
  );
}

function Calls({ stats }: StatsProps): ReactNode {
  if (stats === undefined || stats.calls + stats.adhoc_calls === 0) return <span className="soft">0</span>;
  const { calls, adhoc_calls, failed, cached } = stats;
  return (
    <div>
      {calls.toLocaleString()}
      {adhoc_calls > 0 && <div className="soft">and {adhoc_calls.toLocaleString()} ad-hoc</div>}
      {cached > 0 && <div className="soft">{cached.toLocaleString()} cached</div>}
      {failed > 0 && <div className="warning">{failed.toLocaleString()} failed</div>}
    </div>
  );
}

function formatLastCall(stats: CallStats | undefined): string {
  const last = stats?.last_call_at ?? null;
  return last === null ? '' : `last ${formatAge(Date.parse(last))}`;
}

function formatDurations(stats: CallStats | undefined): string {
  if (stats === undefined || stats.calls === 0) return '';
  const { p50_ms, max_ms } = stats;
  return `half of the calls within ${formatMillis(p50_ms ?? 0)}, the longest ${formatMillis(max_ms ?? 0)}`;
}

const changeOf = ({ updated_at, created_at }: ListedQuery): string | null => updated_at ?? created_at ?? null;

function Change({ query }: { readonly query: ListedQuery }): ReactNode {
  const changed = changeOf(query);
  return (
    <div>
      {changed === null ? '' : formatAge(Date.parse(changed))}
      <div className="soft">revision {query.revision}</div>
    </div>
  );
}

function formatPeriod(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
