/** What a saved query is: its text, its limits, the columns of its result and the tables of its sandbox. */
import type { ReactNode } from 'react';
import type { QueryMisfits } from '#contract/queries/description';
import type { DescribedQuery } from '../../api/shapes';
import { ColumnTree } from '../../parts/column-tree';
import { type Fact, FactsList } from '../../parts/facts-list';
import { formatTimeOr } from '../../parts/format-change';
import { formatBytes, formatCount } from '../../results/values/format-value';
import { ValueText } from '../../results/values/value-text';

export function Definition({ query }: { readonly query: DescribedQuery }): ReactNode {
  const facts: readonly Fact[] = [
    ['Id', query.id],
    ['Revision', String(query.revision)],
    ['Changed', formatTimeOr(query.updated_at ?? query.created_at, '')],
    ['Kept in', query.origin === 'file' ? 'a file of the folder endpoints' : 'the service'],
    ['Rows at most', query.max_rows.toLocaleString()],
    ['Result at most', formatBytes(query.max_bytes)],
    ['Time limit', `${query.timeout_ms / 1000} s`],
    ['Cached for', query.cache_seconds === null ? 'never' : formatCount(query.cache_seconds, 'second')],
    ['Redacted', query.redact_pii ? query.redact.join(', ') : 'when a call asks for it'],
    ['Sandbox', query.sandbox ? 'ad-hoc SQL and LQL may read its named tables' : 'off'],
  ];
  return (
    <>
      <FactsList facts={facts} />
      <h2>Query</h2>
      <pre className="text" tabIndex={0}>
        <ValueText text={query.query} />
      </pre>
      <h2>Columns of the result</h2>
      <ColumnTree columns={query.fields} />
      <MisfitsList misfits={query.misfits ?? []} />
      {query.tables.length > 0 && <h2>Tables of the sandbox</h2>}
      {query.tables.map(({ name, columns }) => (
        <details key={name}>
          <summary>
            <code>{name}</code> <span className="soft">{formatCount(columns.length, 'column')}</span>
          </summary>
          <ColumnTree columns={columns} />
        </details>
      ))}
    </>
  );
}

function MisfitsList({ misfits }: { readonly misfits: readonly QueryMisfits[] }): ReactNode {
  if (misfits.length === 0) return null;
  return (
    <>
      <h2>Values that do not fit</h2>
      <p>
        These fields read as NULL where an event has a value of another type. The value is in the JSON of the event.
      </p>
      <ul className="columns">
        {misfits.map(({ source, field, type, values }) => (
          <li key={`${source} ${field}`}>
            <code>{field}</code>{' '}
            <span className="soft">
              {type} of {source}, {formatCount(values, 'value')}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
