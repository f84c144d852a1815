/** All saved queries that the token sees, with a search. */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ENDPOINT_NAME_PATTERN } from '#contract/plugin/endpoint-name';
import type { ApiClient } from '../../api/client';
import { readAllPages } from '../../api/read-all-pages';
import type { ListedQuery } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { historyLink, NEW_QUERY, QUERIES, withState } from '../../app/links';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { useSearch } from '../../app/use-search';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { useFirstRows } from '../../parts/use-first-rows';
import { Waiting } from '../../parts/waiting';
import { formatCount } from '../../results/values/format-value';
import { EmptyStore } from '../first-run/empty-store';
import { OpenByName } from './open-by-name';
import { QueryTable } from './query-table';
import { useCallStats } from './use-call-stats';

export function SavedQueriesPage(): ReactNode {
  const { api, may, own } = useSession();
  useTitle('Saved queries');
  if (may('endpoints:read')) return <QueryList api={api} />;
  return <OpenByName known={own.endpoints === '*' ? [] : own.endpoints} />;
}

function QueryList({ api }: { readonly api: ApiClient }): ReactNode {
  const { may } = useSession();
  const [, goTo] = useLocation();
  const text = new URLSearchParams(useSearch()).get('q') ?? '';
  const setText = (q: string): void => goTo(withState(QUERIES, { q }), { replace: true });
  const {
    value: queries,
    problem,
    again,
  } = useLoaded('saved queries', (signal) => readAllPages<ListedQuery>(api, '/api/endpoints', signal));
  const stats = useCallStats();
  const found = (queries ?? []).filter((query) => matches(query, text));
  const { shown, more } = useFirstRows(found);

  return (
    <>
      <h1>Saved queries</h1>
      <IgnoredPartsNote names={{ q: null }} />
      <EmptyStore />
      {problem && <Failure problem={problem} onRetry={again} />}
      {queries === null && problem === null && <Waiting what="Loading the saved queries" />}
      {queries !== null && (
        <>
          <div className="tools">
            {queries.length > 0 && (
              <>
                <label>
                  Search <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
                </label>
                <span role="status">{formatCount(found.length, 'saved query', 'saved queries')}</span>
              </>
            )}
            {may('endpoints:write') && (
              <Link className="button" href={NEW_QUERY}>
                New saved query
              </Link>
            )}
          </div>
          {queries.length === 0 ? (
            <p className="empty">
              There are no saved queries. A YAML file in the folder <code>endpoints</code> is one, and{' '}
              <code>POST /api/endpoints</code> creates one.
            </p>
          ) : found.length === 0 ? (
            <p className="empty">
              No saved query has these words in its name or description.
              {ENDPOINT_NAME_PATTERN.test(text) && (
                <>
                  {' '}
                  If {text} was deleted, its <Link href={historyLink(text)}>history</Link> restores it.
                </>
              )}
            </p>
          ) : (
            <>
              <QueryTable queries={shown} stats={stats} />
              {more}
            </>
          )}
        </>
      )}
    </>
  );
}

function matches({ name, description }: ListedQuery, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const said = `${name} ${description}`.toLowerCase();
  return words.every((word) => said.includes(word));
}
