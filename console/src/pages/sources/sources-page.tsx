/** Where logs come in: events, age and columns of each source. */
import { type ReactNode, useState } from 'react';
import type { ListedSource } from '../../api/shapes';
import { useApi } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { useTitle } from '../../app/use-title';
import { CopyButton } from '../../parts/copy-button';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import { sayAge, sayBytes, sayCount } from '../../results/say-value';

export function SourcesPage(): ReactNode {
  const api = useApi();
  useTitle('Sources');
  const {
    value: sources,
    problem,
    isLoading,
    again,
  } = useLoaded('sources', (signal) => api.result<readonly ListedSource[]>('/api/sources', { signal }));
  return (
    <>
      <h1>Sources</h1>
      {problem && <Failure problem={problem} onRetry={again} />}
      {sources === null && problem === null && <Waiting what="Loading the sources" />}
      {sources !== null && (
        <>
          <div className="tools">
            <button type="button" disabled={isLoading} onClick={again}>
              Read again
            </button>
            <span role="status">
              {sayCount(sum(sources), 'event')} in {sayCount(sources.length, 'source')}
            </span>
          </div>
          {sum(sources) === 0 && <NoEvents source={sources[0]?.name ?? 'edge_requests'} />}
          <div className="scroll" tabIndex={0} role="region" aria-label="Sources">
            <table className="list">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col" className="number">
                    Events
                  </th>
                  <th scope="col" className="number">
                    On disk
                  </th>
                  <th scope="col">Newest event</th>
                  <th scope="col">Days</th>
                  <th scope="col">Kept for</th>
                </tr>
              </thead>
              <tbody>
                {sources.map((source) => (
                  <SourceRow key={source.name} source={source} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </>
  );
}

/** What to do first. */
function NoEvents({ source }: { readonly source: string }): ReactNode {
  const lines = [
    `curl -sS -H "X-API-KEY: $LQE_TOKEN" -H 'Content-Type: application/json' \\`,
    `  '${window.location.origin}/api/logs?source=${source}&project=my-project' \\`,
    `  -d '{"event_message":"hello"}'`,
  ];
  return (
    <>
      <p>
        No events have arrived yet. <code>npm run quickstart</code> loads a week of sample logs; with a token that has
        the scope <code>ingest</code>, this sends an event:
      </p>
      <div className="example">
        <pre className="text" tabIndex={0}>
          {lines.join('\n')}
        </pre>
        <CopyButton text={lines.join('\n')} />
      </div>
    </>
  );
}

const sum = (sources: readonly ListedSource[]): number => sources.reduce((total, { events }) => total + events, 0);

function SourceRow({ source }: { readonly source: ListedSource }): ReactNode {
  const { name, aliases, description, events, bytes, newest_event, days, sealed_days, retention_days, tenant } = source;
  const [isOpen, setOpen] = useState(false);
  return (
    <tr>
      <td>
        <code>{name}</code> {aliases.length > 0 && <span className="soft">also {aliases.join(', ')}</span>}
        <div className="soft">{description}</div>
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{sayCount(source.columns.length, 'column')}</summary>
          {isOpen && (
            <ul className="columns">
              {source.columns.map((column) => (
                <li key={column.name}>
                  <code>{column.name}</code> <span className="soft">{column.type}</span>
                </li>
              ))}
            </ul>
          )}
        </details>
      </td>
      <td className="number">{events.toLocaleString()}</td>
      <td className="number">{sayBytes(bytes)}</td>
      <td title={newest_event ?? ''}>{newest_event === null ? 'none yet' : sayAge(Date.parse(newest_event))}</td>
      <td>
        {days ?? ''}
        {sealed_days !== null && sealed_days > 0 && <span className="soft"> ({sealed_days} sealed)</span>}
      </td>
      <td>
        {retention_days === null ? 'ever' : sayCount(retention_days, 'day')}
        {tenant !== null && <div className="soft">tenant: {tenant}</div>}
      </td>
    </tr>
  );
}
