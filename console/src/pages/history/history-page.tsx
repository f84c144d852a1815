/** Revisions of a saved query, also of one that was deleted: compare, restore, delete. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { keysOf } from '#contract/records';
import { readRevisions } from '../../api/changes';
import type { Page, Revision } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { editLink, historyLink, QUERIES, queryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { usePages } from '../../app/use-pages';
import { useSearch } from '../../app/use-search';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { formatAuthor, formatMoment } from '../../parts/format-change';
import { Waiting } from '../../parts/waiting';
import { ValueText } from '../../results/values/value-text';
import { DeleteQuery } from './delete-query';
import { RevisionView, SIDES } from './revision-view';
import { formatAction } from './format-revision';

export function HistoryPage({ name }: { readonly name: string }): ReactNode {
  const { api, may } = useSession();
  useTitle(`History of ${name}`);
  const { value: first, problem, again } = useLoaded(name, (signal) => readRevisions(api, name, null, signal));
  const newest = first?.result[0];
  const shown = Number(new URLSearchParams(useSearch()).get('revision') ?? 0);
  const isDeleted = newest?.action === 'delete';
  return (
    <>
      <h1>
        <Link href={QUERIES}>Saved queries</Link> <span aria-hidden>/</span>{' '}
        {isDeleted ? name : <Link href={queryLink(name)}>{name}</Link>} <span aria-hidden>/</span> History
      </h1>
      <IgnoredPartsNote names={{ revision: shown > 0 ? null : 'it has to be a number', with: keysOf(SIDES) }} />
      {!may('endpoints:read') && <p>This token may not read saved queries (scope endpoints:read).</p>}
      {may('endpoints:read') && problem && <Failure problem={problem} onRetry={again} />}
      {may('endpoints:read') && first === null && problem === null && <Waiting what="Loading the history" />}
      {first !== null && newest !== undefined && (
        <>
          {isDeleted && (
            <p className="notice warn">
              {formatAuthor(newest.by)} deleted this saved query at {formatMoment(newest.time)}. Calls get 404; restore
              a revision to bring it back.
            </p>
          )}
          {newest.name !== name && !isDeleted && (
            <p className="notice">
              Its name is <Link href={historyLink(newest.name)}>{newest.name}</Link> now.
            </p>
          )}
          <Revisions key={newest.revision} name={name} newest={newest} shown={shown} first={first} onChanged={again} />
          {may('endpoints:write') && !isDeleted && <DeleteQuery newest={newest} onDeleted={again} />}
        </>
      )}
    </>
  );
}

interface RevisionsProps {
  readonly name: string;
  readonly newest: Revision;
  /** Number of the revision that is shown beside the list; 0 or NaN: none. */
  readonly shown: number;
  readonly first: Page<Revision>;
  readonly onChanged: () => void;
}

function Revisions({ name, newest, shown, first, onChanged }: RevisionsProps): ReactNode {
  const { api, may } = useSession();
  const { all, hasMore, isLoading, problem, more } = usePages(first, (cursor) => readRevisions(api, name, cursor));
  return (
    <div className={shown > 0 ? 'history with-view' : 'history'}>
      <div className="revisions">
        <ol reversed aria-label="Revisions">
          {all.map((each) => (
            <li key={each.revision} value={each.revision} className={each.revision === shown ? 'shown' : ''}>
              <RevisionLine name={name} revision={each} isNewest={each.revision === newest.revision} />
            </li>
          ))}
        </ol>
        {problem && <Failure problem={problem} />}
        {hasMore && (
          <button type="button" disabled={isLoading} onClick={() => void more()}>
            {isLoading ? 'Loading …' : 'Older revisions'}
          </button>
        )}
        {may('endpoints:write') && newest.action !== 'delete' && (
          <p>
            <Link href={editLink(newest.name)}>Edit the newest</Link>
          </p>
        )}
      </div>
      {shown > 0 && <RevisionView key={shown} name={name} revision={shown} newest={newest} onRestored={onChanged} />}
    </div>
  );
}

interface RevisionLineProps {
  readonly name: string;
  readonly revision: Revision;
  readonly isNewest: boolean;
}

function RevisionLine({ name, revision, isNewest }: RevisionLineProps): ReactNode {
  const { action, by, time, message, changed } = revision;
  return (
    <>
      <Link href={historyLink(name, { revision: String(revision.revision) })}>
        Revision {revision.revision}
        {isNewest ? ', the newest' : ''}
      </Link>{' '}
      <span className="soft">
        {formatAction(action)} by {formatAuthor(by)}, <time title={time}>{formatMoment(time)}</time>
      </span>
      {message !== null && (
        <div className="message">
          <ValueText text={message} />
        </div>
      )}
      {changed.length > 0 && <div className="soft">changed: {changed.join(', ')}</div>}
    </>
  );
}
