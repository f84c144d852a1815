/** Deletes a source, after a question that says what happens to its events. */
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { Problem } from '../../../api/problem';
import { deleteSource, readersIn } from '../../../api/sources';
import { SOURCES } from '../../../app/links';
import { useApi } from '../../../app/session';
import { toProblem } from '../../../app/use-loaded';
import { Dialog } from '../../../parts/dialog';
import { Failure } from '../../../parts/failure';
import { Readers } from './readers';

interface DeleteSourceProps {
  readonly name: string;
  readonly revision: number;
  /** Stored; null: not known. */
  readonly events: number | null;
}

export function DeleteSource(props: DeleteSourceProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="bad" onClick={() => setOpen(true)}>
        Delete
      </button>
      {isOpen && <Question {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function Question({
  name,
  revision,
  events,
  onClose,
}: DeleteSourceProps & { readonly onClose: () => void }): ReactNode {
  const api = useApi();
  const [, goTo] = useLocation();
  const [deletesEvents, setDeletesEvents] = useState(false);
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  // The page reads the source again meanwhile: the question is about the revision that it was asked for.
  const [asked] = useState(revision);

  const stored = events === null ? '' : ` (${events.toLocaleString()} at present)`;

  const remove = async (): Promise<void> => {
    setRunning(true);
    setProblem(null);
    try {
      await deleteSource(api, { name, revision: asked, deletesEvents, note });
      goTo(SOURCES);
    } catch (error) {
      setProblem(toProblem(error));
      setRunning(false);
    }
  };

  return (
    <Dialog title={`Delete the source ${name}?`} onClose={onClose}>
      <p>Events that are sent to it are refused from now on, and queries cannot read it.</p>
      {!deletesEvents && (
        <p>
          Its stored events stay in the store{stored}, and are read again when the source is restored in its history, or
          created under this name. Until then, they are not in backups.
        </p>
      )}
      <p>
        <label>
          <input type="checkbox" checked={deletesEvents} onChange={({ target }) => setDeletesEvents(target.checked)} />{' '}
          Delete its stored events, too. This cannot be undone.
        </label>
      </p>
      {deletesEvents && (
        <p>
          <label>
            Type the name of the source{' '}
            <input
              value={typed}
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => setTyped(target.value)}
            />
          </label>
        </p>
      )}
      <label>
        Note <input value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
      </label>
      {problem && <Failure problem={problem} />}
      {problem && <Readers names={readersIn(problem)} />}
      {problem?.code === 'revision_conflict' && (
        <p>Another person has changed the source: see its page, then delete it.</p>
      )}
      <p className="actions">
        <button
          type="button"
          className="bad"
          disabled={isRunning || (deletesEvents && typed !== name)}
          onClick={() => void remove()}
        >
          {isRunning ? 'Deleting …' : `Delete ${name}`}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
