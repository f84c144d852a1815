/** Events, rate of arrival and columns of each source. */
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { ListedSource } from '../../../api/shapes';
import { newQueryOfSource } from '../../../app/links';
import { type Column, ListTable } from '../../../parts/list-table';
import { formatMoment } from '../../../parts/format-change';
import { formatAge, formatBytes, formatCount } from '../../../results/values/format-value';
import { ArrivalBars } from './arrival-bars';

interface SourceListProps {
  readonly sources: readonly ListedSource[];
  /** Null: the token may not send events. */
  readonly onSend: ((source: string) => void) | null;
  /** Whether the token may create saved queries. */
  readonly maySave: boolean;
}

export function SourceList({ sources, onSend, maySave }: SourceListProps): ReactNode {
  return (
    <>
      <p role="status" className="soft">
        {formatCount(
          sum(sources, ({ events }) => events),
          'event'
        )}{' '}
        in {formatCount(sources.length, 'source')}, {formatBytes(sum(sources, ({ bytes }) => bytes))} on disk
      </p>
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
      <code>{name}</code> {aliases.length > 0 && <span className="soft">also {aliases.join(', ')}</span>}
      <div className="soft">{description}</div>
      {tenant !== null && <div className="soft">tenant: {tenant}</div>}
      <Columns source={source} />
      <FieldsInUse source={source} />
    </>
  );
}

/** Shown from half on, which one tenant alone may use. */
function FieldsInUse({ source: { nested_fields } }: SourceProps): ReactNode {
  if (nested_fields === null) return null;
  const { fields, max_fields, columns, max_columns, tenants } = nested_fields;
  if (fields < max_fields / 2 && columns < max_columns / 2) return null;
  const [most] = tenants;
  return (
    <div className="warning" title="Of nested fields, which all tenants share; further ones get no name in queries">
      {fields.toLocaleString()} of {formatCount(max_fields, 'field')} and {columns.toLocaleString()} of{' '}
      {formatCount(max_columns, 'column')} in use{most === undefined ? '' : `, most by ${most.tenant}`}
    </div>
  );
}

function Arrivals({ source }: SourceProps): ReactNode {
  return (
    <div>
      <ArrivalBars arrivals={source.arrivals} />
      <Lost source={source} />
    </div>
  );
}

function Days({ source: { days, sealed_days, seal_fault } }: SourceProps): ReactNode {
  return (
    <div>
      {days ?? ''}
      {sealed_days !== null && sealed_days > 0 && <span className="soft"> ({sealed_days} sealed)</span>}
      {seal_fault !== null && <div className="warning">sealing failed: {seal_fault}</div>}
    </div>
  );
}

/** Events that are in no query. */
function Lost({ source: { arrivals, dead_letters } }: SourceProps): ReactNode {
  const { rejected, duplicates } = arrivals;
  return (
    <>
      {rejected > 0 && <div className="warning">{rejected.toLocaleString()} rejected</div>}
      {duplicates > 0 && <div className="soft">{duplicates.toLocaleString()} sent again</div>}
      {dead_letters !== null && dead_letters > 0 && (
        <div className="warning" title="Events that the store refused and that are kept aside">
          {formatCount(dead_letters, 'dead letter')}
        </div>
      )}
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
