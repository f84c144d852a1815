/** Revisions of a saved query or a source, also of one that was deleted: compare, restore. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { keysOf } from '#contract/records';
import { readRevisions } from '../../api/revisions';
import type { Page, Revision } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { usePages } from '../../app/use-pages';
import { useSearch } from '../../app/use-search';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { formatAuthor, formatMoment } from '../../parts/format-change';
import { Waiting } from '../../parts/waiting';
import { ValueText } from '../../results/values/value-text';
import { formatAction } from './format-revision';
import type { HistoryOf } from './history-of';
import { RevisionView, SIDES } from './revision-view';

interface HistoryPageProps {
  readonly name: string;
  readonly of: HistoryOf;
  /** Below the revisions of one that is not deleted. */
  readonly below?: (newest: Revision, again: () => void) => ReactNode;
}

export function HistoryPage({ name, of, below }: HistoryPageProps): ReactNode {
  const { api } = useSession();
  useTitle(`History of ${name}`);
  const { kept, noun, list, mayRead, pageLink, historyLink } = of;
  const {
    value: first,
    problem,
    again,
  } = useLoaded(name, (signal) => readRevisions(api, { kept, name, cursor: null }, signal));
  const newest = first?.result[0];
  const shown = Number(new URLSearchParams(useSearch()).get('revision') ?? 0);
  const isDeleted = newest?.action === 'delete';
  return (
    <>
      <h1>
        <Link href={list.link}>{list.label}</Link> <span aria-hidden>/</span>{' '}
        {isDeleted ? name : <Link href={pageLink(name)}>{name}</Link>} <span aria-hidden>/</span> History
      </h1>
      <IgnoredPartsNote names={{ revision: shown > 0 ? null : 'it has to be a number', with: keysOf(SIDES) }} />
      {!mayRead && (
        <p>
          This token may not read {list.label.toLowerCase()} (scope {of.readScope}).
        </p>
      )}
      {mayRead && problem && <Failure problem={problem} onRetry={again} />}
      {mayRead && first === null && problem === null && <Waiting what="Loading the history" />}
      {first !== null && newest !== undefined && (
        <>
          {isDeleted && (
            <p className="notice warn">
              {formatAuthor(newest.by)} deleted this {noun} at {formatMoment(newest.time)}. {of.afterDeletion}
            </p>
          )}
          {newest.name !== name && !isDeleted && (
            <p className="notice">
              Its name is <Link href={historyLink(newest.name)}>{newest.name}</Link> now.
            </p>
          )}
          <Revisions
            key={newest.revision}
            of={of}
            name={name}
            newest={newest}
            shown={shown}
            first={first}
            onChanged={again}
          />
          {!isDeleted && below?.(newest, again)}
        </>
      )}
    </>
  );
}

interface RevisionsProps {
  readonly of: HistoryOf;
  readonly name: string;
  readonly newest: Revision;
  /** Number of the revision that is shown beside the list; 0 or NaN: none. */
  readonly shown: number;
  readonly first: Page<Revision>;
  readonly onChanged: () => void;
}

function Revisions({ of, name, newest, shown, first, onChanged }: RevisionsProps): ReactNode {
  const { api } = useSession();
  const { kept, mayChange, editLink } = of;
  const { all, hasMore, isLoading, problem, more } = usePages(first, (cursor) =>
    readRevisions(api, { kept, name, cursor })
  );
  return (
    <div className={shown > 0 ? 'history with-view' : 'history'}>
      <div className="revisions">
        <ol reversed aria-label="Revisions">
          {all.map((each) => (
            <li key={each.revision} value={each.revision} className={each.revision === shown ? 'shown' : ''}>
              <RevisionLine of={of} name={name} revision={each} isNewest={each.revision === newest.revision} />
            </li>
          ))}
        </ol>
        {problem && <Failure problem={problem} />}
        {hasMore && (
          <button type="button" disabled={isLoading} onClick={() => void more()}>
            {isLoading ? 'Loading …' : 'Older revisions'}
          </button>
        )}
        {mayChange && newest.action !== 'delete' && (
          <p>
            <Link href={editLink(newest.name)}>Edit the newest</Link>
          </p>
        )}
      </div>
      {shown > 0 && (
        <RevisionView key={shown} of={of} name={name} revision={shown} newest={newest} onRestored={onChanged} />
      )}
    </div>
  );
}

interface RevisionLineProps {
  readonly of: HistoryOf;
  readonly name: string;
  readonly revision: Revision;
  readonly isNewest: boolean;
}

function RevisionLine({ of: { historyLink }, name, revision, isNewest }: RevisionLineProps): ReactNode {
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
