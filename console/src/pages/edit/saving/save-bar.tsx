/** What the check found, the note of the change, and the button that saves: at the foot of the window. */
import type { ReactNode } from 'react';
import { problemsIn } from '../../../api/changes';
import type { Problem } from '../../../api/problem';
import type { Draft } from '../../../definition/drafts';
import { Failure } from '../../../parts/failure';
import { ProblemList } from './problem-list';
import type { Check } from './use-check';
import type { SaveState } from './use-save';

interface SaveBarProps {
  readonly draft: Draft;
  readonly check: Check;
  readonly state: SaveState;
  readonly isNew: boolean;
  readonly isUnnamed: boolean;
  readonly isChanged: boolean;
  readonly onNote: (note: string) => void;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

export function SaveBar(props: SaveBarProps): ReactNode {
  const { draft, check, state, isNew, isUnnamed, isChanged, onNote, onSave, onDiscard } = props;
  const { isSaving, problem, saved } = state;
  return (
    <section className="save-bar" aria-label="Save">
      {problem && <Refusal problem={problem} />}
      <CheckResult check={check} />
      {isUnnamed && problem === null && <p className="soft">It needs a name before it can be saved.</p>}
      <div className="tools">
        <label className="note">
          Note{' '}
          <input
            value={draft.note}
            maxLength={500}
            placeholder="why, for the history"
            onChange={({ target }) => onNote(target.value)}
          />
        </label>
        <button
          type="button"
          className="main"
          disabled={isSaving || !(isChanged || isNew)}
          onClick={onSave}
          title="Ctrl+S"
        >
          {isSaving ? 'Saving …' : isNew ? 'Create' : 'Save'}
        </button>
        {isChanged && (
          <button type="button" disabled={isSaving} onClick={onDiscard}>
            Discard changes
          </button>
        )}
        <span role="status">{isChanged || saved === null ? '' : `Saved as revision ${saved}.`}</span>
      </div>
    </section>
  );
}

function Refusal({ problem }: { readonly problem: Problem }): ReactNode {
  const problems = problemsIn(problem);
  return (
    <>
      <Failure problem={problem} />
      {problems !== null && Array.isArray(problem.details['problems']) && <ProblemList problems={problems} />}
      {(problem.status === 403 || problem.status === 0) && (
        <p>Your text stays in this tab. Save it when that is mended.</p>
      )}
    </>
  );
}

function CheckResult({ check: { outcome, failure, isRunning } }: { readonly check: Check }): ReactNode {
  const problems = outcome?.problems ?? [];
  return (
    <div className="check" role="status" aria-busy={isRunning}>
      {failure !== null && <p className="warning">Not checked: {failure.message}</p>}
      {problems.length > 0 && <ProblemList problems={problems} />}
      {outcome?.result && (
        <p>
          <span className="mark good">valid</span>{' '}
          <span className="soft">{outcome.result.fields.map(({ name, type }) => `${name} ${type}`).join(', ')}</span>
        </p>
      )}
      {outcome === null && failure === null && isRunning && <p className="soft">Checking …</p>}
    </div>
  );
}
