/** Saves a draft for the revision that it began with, and finds out when there is a newer one. */
import { useState } from 'react';
import { createQuery, replaceQuery, type SavedChange } from '../../../api/changes';
import { Problem } from '../../../api/problem';
import { readRevision } from '../../../api/revisions';
import type { RevisionText } from '../../../api/shapes';
import { useApi } from '../../../app/session';
import { toProblem } from '../../../app/use-loaded';
import { useRequestKey } from '../../../app/use-request-key';
import { readText } from '../../../definition/definition-text';
import type { Draft } from '../../../definition/drafts';
import { formatAuthor } from '../../../parts/format-change';

export interface SaveState {
  readonly isSaving: boolean;
  readonly problem: Problem | null;
  /** Number of the revision that was saved last; null: none yet. */
  readonly saved: number | null;
  /** The newer revision. */
  readonly conflict: (RevisionText & { readonly yaml: string }) | null;
}

const IDLE: SaveState = { isSaving: false, problem: null, saved: null, conflict: null };

interface Saving {
  readonly state: SaveState;
  readonly save: () => Promise<void>;
  readonly endConflict: () => void;
}

/** @param id of the saved query; null: it is created */
export function useSave(
  draft: Draft,
  id: string | null,
  onSaved: (saved: SavedChange, stored: string) => void
): Saving {
  const api = useApi();
  const [state, setState] = useState<SaveState>(IDLE);
  const { keyOf } = useRequestKey();

  const save = async (): Promise<void> => {
    if (state.isSaving) return;
    setState({ ...IDLE, isSaving: true });
    const { text, note, revision } = draft;
    try {
      const saved =
        id === null || revision === null
          ? await createQuery(api, text, note, keyOf({ text, note }))
          : await replaceQuery(api, { name: id, revision, yaml: text, note });
      setState({ ...IDLE, saved: saved.revision });
      onSaved(saved, text);
    } catch (error) {
      setState(await failed(error));
    }
  };

  const failed = async (error: unknown): Promise<SaveState> => {
    const problem = toProblem(error);
    const { revision } = problem.details;
    if (id === null || problem.code !== 'revision_conflict' || typeof revision !== 'number')
      return { ...IDLE, problem };
    try {
      const theirs = await readRevision(api, { kept: 'endpoints', name: id, revision });
      if (theirs.yaml !== null && readText(draft.text).fields === null) return { ...IDLE, problem: unreadable(theirs) };
      if (theirs.yaml !== null) return { ...IDLE, conflict: { ...theirs, yaml: theirs.yaml } };
      return { ...IDLE, problem: deleted(theirs.revision) };
    } catch (other) {
      return { ...IDLE, problem: toProblem(other) };
    }
  };

  return { state, save, endConflict: () => setState(IDLE) };
}

/** Without its fields, a text looks as if all of them were removed. */
function unreadable({ by, revision }: RevisionText): Problem {
  return new Problem(412, {
    code: 'revision_conflict',
    message: `${formatAuthor(by)} saved revision ${revision} while you were editing. Your text cannot be read, so it cannot be merged.`,
    details: { hint: 'correct the YAML, then save again' },
  });
}

function deleted(revision: number): Problem {
  return new Problem(404, {
    code: 'endpoint_not_found',
    message: `Revision ${revision} deleted this saved query. Your text is still here.`,
    details: { hint: 'restore it in its history, then save' },
  });
}
