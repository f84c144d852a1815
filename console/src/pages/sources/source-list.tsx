/** Events, rate of arrival and columns of each source. */
import { type ReactNode, useState } from 'react';
import type { ListedSource } from '../../api/shapes';
import { sayMoment } from '../../parts/say-change';
import { sayAge, sayBytes, sayCount } from '../../results/say-value';
import { ArrivalBars } from './arrival-bars';

interface SourceListProps {
  readonly sources: readonly ListedSource[];
  /** Null: the token may not send events. */
  readonly onSend: ((source: string) => void) | null;
}

export function SourceList({ sources, onSend }: SourceListProps): ReactNode {
  return (
    <>
      <p role="status" className="soft">
        {sayCount(
          sum(sources, ({ events }) => events),
          'event'
        )}{' '}
        in {sayCount(sources.length, 'source')}, {sayBytes(sum(sources, ({ bytes }) => bytes))} on disk
      </p>
      <div className="scroll" tabIndex={0} role="region" aria-label="Sources">
        <table className="list">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Arrived in the last hour</th>
              <th scope="col" className="number">
                Events
              </th>
              <th scope="col" className="number">
                On disk
              </th>
              <th scope="col">Newest event</th>
              <th scope="col">Days</th>
              <th scope="col">Kept for</th>
              {onSend && (
                <td>
                  <span className="unseen">Actions</span>
                </td>
              )}
            </tr>
          </thead>
          <tbody>
            {sources.map((source) => (
              <SourceRow key={source.name} source={source} onSend={onSend} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="soft">
        Arrivals are those of this server
        {sources[0] ? ` since ${sayMoment(sources[0].arrivals.since)}` : ''}.
      </p>
    </>
  );
}

function sum(sources: readonly ListedSource[], of: (source: ListedSource) => number): number {
  return sources.reduce((total, source) => total + of(source), 0);
}

function SourceRow({
  source,
  onSend,
}: {
  readonly source: ListedSource;
  readonly onSend: SourceListProps['onSend'];
}): ReactNode {
  const { name, aliases, description, events, bytes, newest_event, days, sealed_days, retention_days, tenant } = source;
  return (
    <tr>
      <td>
        <code>{name}</code> {aliases.length > 0 && <span className="soft">also {aliases.join(', ')}</span>}
        <div className="soft">{description}</div>
        <Columns source={source} />
      </td>
      <td>
        <ArrivalBars arrivals={source.arrivals} />
        <Lost source={source} />
      </td>
      <td className="number">{events.toLocaleString()}</td>
      <td className="number">{sayBytes(bytes)}</td>
      <td title={newest_event ?? ''}>{newest_event === null ? 'none yet' : sayAge(Date.parse(newest_event))}</td>
      <td>
        {days ?? ''}
        {sealed_days !== null && sealed_days > 0 && <span className="soft"> ({sealed_days} sealed)</span>}
        {source.seal_fault !== null && <div className="warning">sealing failed: {source.seal_fault}</div>}
      </td>
      <td>
        {retention_days === null ? 'no limit' : sayCount(retention_days, 'day')}
        {tenant !== null && <div className="soft">tenant: {tenant}</div>}
      </td>
      {onSend && (
        <td>
          <button type="button" onClick={() => onSend(name)} aria-label={`Send events to ${name}`}>
            Send events
          </button>
        </td>
      )}
    </tr>
  );
}

/** Events that are in no query. */
function Lost({ source: { arrivals, dead_letters } }: { readonly source: ListedSource }): ReactNode {
  const { rejected, duplicates } = arrivals;
  return (
    <>
      {rejected > 0 && <div className="warning">{rejected.toLocaleString()} rejected</div>}
      {duplicates > 0 && <div className="soft">{duplicates.toLocaleString()} sent again</div>}
      {dead_letters !== null && dead_letters > 0 && (
        <div className="warning" title="Events that the store refused and that are kept aside">
          {sayCount(dead_letters, 'dead letter')}
        </div>
      )}
    </>
  );
}

function Columns({ source: { columns } }: { readonly source: ListedSource }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{sayCount(columns.length, 'column')}</summary>
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
