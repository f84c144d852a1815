/** Deletes a saved query, after its name was typed. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { deleteQuery } from '../../api/changes';
import type { Problem } from '../../api/problem';
import type { Revision } from '../../api/shapes';
import { useApi } from '../../app/session';
import { toProblem } from '../../app/use-loaded';
import { Failure } from '../../parts/failure';

interface DeleteQueryProps {
  readonly newest: Revision;
  readonly onDeleted: () => void;
}

export function DeleteQuery({ newest: { name, id, revision }, onDeleted }: DeleteQueryProps): ReactNode {
  const api = useApi();
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (typed !== name) return;
    setRunning(true);
    setProblem(null);
    try {
      await deleteQuery(api, id, revision, note);
      onDeleted();
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setRunning(false);
    }
  };

  return (
    <details className="danger">
      <summary>Delete this saved query</summary>
      <form className="tools" onSubmit={(event) => void submit(event)}>
        <p>Its callers get 404 from the next call on. Its revisions stay, and any of them can be restored here.</p>
        <label>
          Type <code>{name}</code> to delete it{' '}
          <input
            value={typed}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <label>
          Note <input value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
        </label>
        <button type="submit" className="bad" disabled={isRunning || typed !== name}>
          Delete {name}
        </button>
      </form>
      {problem && <Failure problem={problem} />}
    </details>
  );
}
