/** One revision: its text, how it differs from another, and its restoration. */
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isKeyOf, keysOf } from '#contract/records';
import type { Problem } from '../../api/problem';
import { readRevision, restoreRevision } from '../../api/revisions';
import type { Revision, RevisionText } from '../../api/shapes';
import { readersIn } from '../../api/sources';
import { useSession } from '../../app/session';
import { toProblem, useLoaded } from '../../app/use-loaded';
import { useSearch } from '../../app/use-search';
import { TextDiff } from '../../diff/text-diff';
import { Failure } from '../../parts/failure';
import { formatAuthor, formatMoment } from '../../parts/format-change';
import { Waiting } from '../../parts/waiting';
import { ValueText } from '../../results/values/value-text';
import { Readers } from '../sources/one-source/readers';
import { formatAction } from './format-revision';
import type { HistoryOf } from './history-of';

interface RevisionViewProps {
  readonly of: HistoryOf;
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

export function RevisionView({ of, name, revision, newest, onRestored }: RevisionViewProps): ReactNode {
  const { api } = useSession();
  const { kept, mayChange, historyLink } = of;
  const [, goTo] = useLocation();
  const side = readSide(useSearch(), revision === newest.revision);
  const other = side === 'before' ? revision - 1 : side === 'newest' ? newest.revision : 0;
  const { value, problem, again } = useLoaded(`${name} ${revision} ${other}`, async (signal) => {
    const [shown, compared] = await Promise.all([
      readRevision(api, { kept, name, revision }, signal),
      other > 0 && other !== revision ? readRevision(api, { kept, name, revision: other }, signal) : null,
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
          <Text {...value} noun={of.noun} isOlder={side === 'newest'} />
          {mayChange && value.shown.yaml !== null && revision !== newest.revision && (
            <Restore of={of} name={name} shown={value.shown} newest={newest} onRestored={onRestored} />
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
  readonly noun: HistoryOf['noun'];
  readonly shown: { readonly revision: number; readonly yaml: string | null };
  readonly compared: { readonly revision: number; readonly yaml: string | null } | null;
  /** Whether the shown revision is the older one of the two. */
  readonly isOlder: boolean;
}

function Text({ noun, shown, compared, isOlder }: TextProps): ReactNode {
  const text = shown.yaml ?? '';
  if (compared === null)
    return text === '' ? (
      <p className="soft">This revision deleted the {noun}: it has no text.</p>
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

interface RestoreProps extends Omit<RevisionViewProps, 'revision'> {
  readonly shown: RevisionText;
}

function Restore({ of, name, shown, newest, onRestored }: RestoreProps): ReactNode {
  const { api } = useSession();
  const { kept, noun, historyLink, pageLink, warningOf } = of;
  const { revision } = shown;
  const [note, setNote] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [, goTo] = useLocation();

  const restore = async (): Promise<void> => {
    setRunning(true);
    setProblem(null);
    try {
      const restored = await restoreRevision(api, {
        kept,
        name: newest.id,
        revision,
        newest: newest.revision,
        note,
      });
      if (restored.name === name) {
        onRestored();
        goTo(historyLink(name), { replace: true });
      } else goTo(pageLink(restored.name));
    } catch (error) {
      setProblem(toProblem(error));
      setRunning(false);
    }
  };

  return (
    <>
      {warningOf?.(shown)}
      <div className="tools">
        <label>
          Note <input value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
        </label>
        <button type="button" className="main" disabled={isRunning} onClick={() => void restore()}>
          Restore revision {revision}
        </button>
        <span className="soft">It becomes revision {newest.revision + 1}; the other revisions stay.</span>
      </div>
      {problem && <Failure problem={problem} />}
      {problem && <Readers names={readersIn(problem)} />}
      {problem?.code === 'name_taken' && (
        <p>
          Another {noun} has its name now: <Link href={pageLink(name)}>see it</Link>, or copy this text into a new one.
        </p>
      )}
    </>
  );
}
