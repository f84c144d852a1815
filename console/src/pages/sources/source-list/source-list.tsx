/** Events, rate of arrival and columns of each source. */
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { ListedSource } from '../../../api/shapes';
import { auditLink, NEW_SOURCE, newQueryOfSource, sourceLink } from '../../../app/links';
import { type Column, ListTable } from '../../../parts/list-table';
import { formatMoment } from '../../../parts/format-change';
import { formatAge, formatBytes, formatCount } from '../../../results/values/format-value';
import { Arrivals, Days, FieldsInUse } from './source-parts';

interface SourceListProps {
  readonly sources: readonly ListedSource[];
  /** Null: the token may not send events. */
  readonly onSend: ((source: string) => void) | null;
  /** Whether the token may create saved queries. */
  readonly maySave: boolean;
  /** Whether it may create sources. */
  readonly mayCreate: boolean;
  /** Whether it may read the audit trail, which names deleted sources. */
  readonly mayAudit: boolean;
}

export function SourceList({ sources, onSend, maySave, mayCreate, mayAudit }: SourceListProps): ReactNode {
  return (
    <>
      <div className="tools">
        <p role="status" className="soft">
          {formatCount(
            sum(sources, ({ events }) => events),
            'event'
          )}{' '}
          in {formatCount(sources.length, 'source')}, {formatBytes(sum(sources, ({ bytes }) => bytes))} on disk
        </p>
        {mayCreate && (
          <Link className="button" href={NEW_SOURCE}>
            New source
          </Link>
        )}
        {mayAudit && <Link href={auditLink({ action: 'source.delete' })}>Deleted sources</Link>}
      </div>
      <ListTable
        label="Sources"
        columns={[...COLUMNS, ...(onSend !== null || maySave ? [actionColumn(onSend, maySave)] : [])]}
        rows={sources}
        keyOf={({ name }) => name}
      />
      <p className="soft">
        Arrivals are those of this server
        {sources[0] ? ` since ${formatMoment(sources[0].arrivals.since)}` : ''}.
      </p>
    </>
  );
}

function sum(sources: readonly ListedSource[], of: (source: ListedSource) => number): number {
  return sources.reduce((total, source) => total + of(source), 0);
}

const COLUMNS: ReadonlyArray<Column<ListedSource>> = [
  { head: 'Name', show: (source) => <Name source={source} /> },
  { head: 'Arrived in the last hour', show: (source) => <Arrivals source={source} /> },
  { head: 'Events', isNumber: true, show: ({ events }) => events.toLocaleString() },
  { head: 'On disk', isNumber: true, show: ({ bytes }) => formatBytes(bytes) },
  {
    head: 'Newest event',
    hint: ({ newest_event }) => newest_event ?? '',
    show: ({ newest_event }) => (newest_event === null ? 'none yet' : formatAge(Date.parse(newest_event))),
  },
  { head: 'Days', show: (source) => <Days source={source} /> },
  {
    head: 'Kept for',
    show: ({ retention_days }) => (retention_days === null ? 'no limit' : formatCount(retention_days, 'day')),
  },
];

function actionColumn(onSend: SourceListProps['onSend'], maySave: boolean): Column<ListedSource> {
  return {
    head: 'Actions',
    isOfActions: true,
    show: ({ name }) => (
      <div className="tools">
        {onSend !== null && (
          <button type="button" onClick={() => onSend(name)} aria-label={`Send events to ${name}`}>
            Send events
          </button>
        )}
        {maySave && (
          <Link href={newQueryOfSource(name)} aria-label={`New saved query of ${name}`}>
            New saved query
          </Link>
        )}
      </div>
    ),
  };
}

interface SourceProps {
  readonly source: ListedSource;
}

function Name({ source }: SourceProps): ReactNode {
  const { name, aliases, description, tenant } = source;
  return (
    <>
      <Link href={sourceLink(name)}>
        <code>{name}</code>
      </Link>{' '}
      {aliases.length > 0 && <span className="soft">also {aliases.join(', ')}</span>}
      <div className="soft">{description}</div>
      {tenant !== null && <div className="soft">tenant: {tenant}</div>}
      <Columns source={source} />
      <FieldsInUse source={source} />
    </>
  );
}

function Columns({ source: { columns } }: SourceProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{formatCount(columns.length, 'column')}</summary>
      {isOpen && (
        <ul className="columns">
          {columns.map((column) => (
            <li key={column.name}>
              <code>{column.name}</code> <span className="soft">{column.type}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
