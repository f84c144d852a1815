/** All saved queries that the token sees, with a search. */
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { ApiClient } from '../../api/client';
import type { ListedQuery, Page } from '../../api/shapes';
import { queryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import { sayCount } from '../../results/say-value';
import { OpenByName } from './open-by-name';

export function SavedQueriesPage(): ReactNode {
  const { api, may, own } = useSession();
  useTitle('Saved queries');
  if (may('endpoints:read')) return <QueryList api={api} />;
  return <OpenByName known={own.endpoints === '*' ? [] : own.endpoints} />;
}

function QueryList({ api }: { readonly api: ApiClient }): ReactNode {
  const [text, setText] = useState('');
  const { value: queries, problem, again } = useLoaded('saved queries', (signal) => loadAll(api, signal));
  const found = (queries ?? []).filter((query) => matches(query, text));

  return (
    <>
      <h1>Saved queries</h1>
      {problem && <Failure problem={problem} onRetry={again} />}
      {queries === null && problem === null && <Waiting what="Loading the saved queries" />}
      {queries?.length === 0 && (
        <p className="empty">
          There are no saved queries. A YAML file in the folder <code>endpoints</code> is one, and{' '}
          <code>POST /api/endpoints</code> creates one.
        </p>
      )}
      {queries !== null && queries.length > 0 && (
        <>
          <div className="tools">
            <label>
              Search <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
            </label>
            <span role="status">{sayCount(found.length, 'saved query', 'saved queries')}</span>
          </div>
          <div className="scroll" tabIndex={0} role="region" aria-label="Saved queries">
            <table className="list">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Parameters</th>
                  <th scope="col">Result</th>
                  <th scope="col">Kept in</th>
                </tr>
              </thead>
              <tbody>
                {found.map((query) => (
                  <QueryRow key={query.id} query={query} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </>
  );
}

function QueryRow({ query }: { readonly query: ListedQuery }): ReactNode {
  const { name, description, parameters, max_rows, cache_seconds, warm_seconds, sandbox, redact_pii, origin } = query;
  return (
    <tr>
      <td>
        <Link href={queryLink(name)}>{name}</Link>
        <div className="soft">{description}</div>
      </td>
      <td>
        {parameters.map((parameter) => (
          <div key={parameter.name}>
            <code>{parameter.name}</code>
            {parameter.required ? '' : ' (optional)'}
          </div>
        ))}
      </td>
      <td>
        up to {sayCount(max_rows, 'row')}
        {cache_seconds !== null && <div>cached for {saySpan(cache_seconds)}</div>}
        {warm_seconds !== null && warm_seconds > 0 && <div>warmed each {saySpan(warm_seconds)}</div>}
        <div>
          {sandbox && <span className="mark">sandbox</span>} {redact_pii && <span className="mark">redacted</span>}
        </div>
      </td>
      <td>{origin === 'file' ? 'a file' : 'the service'}</td>
    </tr>
  );
}

function saySpan(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function matches({ name, description }: ListedQuery, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const said = `${name} ${description}`.toLowerCase();
  return words.every((word) => said.includes(word));
}

async function loadAll(api: ApiClient, signal: AbortSignal): Promise<readonly ListedQuery[]> {
  const all: ListedQuery[] = [];
  let cursor: string | null = null;
  do {
    const search: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await api.json(`/api/endpoints?limit=100${search}`, { signal })) as Page<ListedQuery>;
    all.push(...page.result);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return all;
}
