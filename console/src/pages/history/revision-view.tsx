/** One revision: its text, how it differs from another, and its restoration. */
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isKeyOf, keysOf } from '#contract/records';
import { readRevision, restoreRevision } from '../../api/changes';
import type { Problem } from '../../api/problem';
import type { Revision } from '../../api/shapes';
import { historyLink, queryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { toProblem, useLoaded } from '../../app/use-loaded';
import { useSearch } from '../../app/use-search';
import { TextDiff } from '../../diff/text-diff';
import { Failure } from '../../parts/failure';
import { formatAuthor, formatMoment } from '../../parts/format-change';
import { Waiting } from '../../parts/waiting';
import { ValueText } from '../../results/values/value-text';
import { formatAction } from './format-revision';

interface RevisionViewProps {
  readonly name: string;
  readonly revision: number;
  readonly newest: Revision;
  readonly onRestored: () => void;
}

/** What a revision is compared with. */
export const SIDES = {
  newest: 'the newest revision',
  before: 'the revision before',
  none: 'nothing: the whole text',
} as const;
type Side = keyof typeof SIDES;

export function RevisionView({ name, revision, newest, onRestored }: RevisionViewProps): ReactNode {
  const { api, may } = useSession();
  const [, goTo] = useLocation();
  const side = readSide(useSearch(), revision === newest.revision);
  const other = side === 'before' ? revision - 1 : side === 'newest' ? newest.revision : 0;
  const { value, problem, again } = useLoaded(`${name} ${revision} ${other}`, async (signal) => {
    const [shown, compared] = await Promise.all([
      readRevision(api, name, revision, signal),
      other > 0 && other !== revision ? readRevision(api, name, other, signal) : null,
    ]);
    return { shown, compared };
  });
  return (
    <section className="revision" aria-label={`Revision ${revision}`}>
      <h2>Revision {revision}</h2>
      {problem && <Failure problem={problem} onRetry={again} />}
      {value === null && problem === null && <Waiting what={`Loading revision ${revision}`} />}
      {value !== null && (
        <>
          <p>
            {formatAction(value.shown.action)} by {formatAuthor(value.shown.by)},{' '}
            <time title={value.shown.time}>{formatMoment(value.shown.time)}</time>
            {value.shown.message !== null && (
              <>
                : “<ValueText text={value.shown.message} />”
              </>
            )}
          </p>
          <div className="tools">
            <label>
              Compare with{' '}
              <select
                value={side}
                onChange={({ target }) =>
                  goTo(historyLink(name, { revision: String(revision), with: target.value }), { replace: true })
                }
              >
                {keysOf(SIDES)
                  .filter(
                    (each) => (each !== 'before' || revision > 1) && (each !== 'newest' || revision !== newest.revision)
                  )
                  .map((each) => (
                    <option key={each} value={each}>
                      {SIDES[each]}
                    </option>
                  ))}
              </select>
            </label>
          </div>
          <Text {...value} isOlder={side === 'newest'} />
          {may('endpoints:write') &&
            value.shown.yaml !== null &&
            (revision !== newest.revision || newest.action === 'delete') && (
              <Restore name={name} revision={revision} newest={newest} onRestored={onRestored} />
            )}
        </>
      )}
    </section>
  );
}

function readSide(search: string, isNewest: boolean): Side {
  const given = new URLSearchParams(search).get('with');
  if (given !== null && isKeyOf(SIDES, given) && !(given === 'newest' && isNewest)) return given;
  return isNewest ? 'before' : 'newest';
}

interface TextProps {
  readonly shown: { readonly revision: number; readonly yaml: string | null };
  readonly compared: { readonly revision: number; readonly yaml: string | null } | null;
  /** Whether the shown revision is the older one of the two. */
  readonly isOlder: boolean;
}

function Text({ shown, compared, isOlder }: TextProps): ReactNode {
  const text = shown.yaml ?? '';
  if (compared === null)
    return text === '' ? (
      <p className="soft">This revision deleted the saved query: it has no text.</p>
    ) : (
      <pre className="text" tabIndex={0}>
        <ValueText text={text} />
      </pre>
    );
  const other = compared.yaml ?? '';
  const [before, after] = isOlder ? [text, other] : [other, text];
  const [from, to] = isOlder ? [shown.revision, compared.revision] : [compared.revision, shown.revision];
  return (
    <>
      <p className="soft">
        From revision {from} to revision {to}: removed lines have a minus, added ones a plus.
      </p>
      <TextDiff before={before} after={after} label={`Changes from revision ${from} to ${to}`} />
    </>
  );
}

function Restore({ name, revision, newest, onRestored }: RevisionViewProps): ReactNode {
  const { api } = useSession();
  const [note, setNote] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [, goTo] = useLocation();

  const restore = async (): Promise<void> => {
    setRunning(true);
    setProblem(null);
    try {
      const restored = await restoreRevision(api, { name: newest.id, revision, newest: newest.revision, note });
      if (restored.name === name) {
        onRestored();
        goTo(historyLink(name), { replace: true });
      } else goTo(queryLink(restored.name));
    } catch (error) {
      setProblem(toProblem(error));
      setRunning(false);
    }
  };

  return (
    <>
      <div className="tools">
        <label>
          Note <input value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
        </label>
        <button type="button" className="main" disabled={isRunning} onClick={() => void restore()}>
          Restore revision {revision}
        </button>
        <span className="soft">It becomes revision {newest.revision + 1}; nothing is lost.</span>
      </div>
      {problem && <Failure problem={problem} />}
      {problem?.code === 'name_taken' && (
        <p>
          Another saved query has its name now: <Link href={queryLink(name)}>see it</Link>, or copy this text into a new
          one.
        </p>
      )}
    </>
  );
}
