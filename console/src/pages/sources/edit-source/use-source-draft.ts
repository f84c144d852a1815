/** What is typed for a source: kept in the tab until it is saved, and asked about before the page is left. */
import { useState } from 'react';
import { useUnsaved } from '../../../app/leave-guard';
import { dropDraft, keepDraft, readDraft } from '../../../definition/drafts';
import type { FormState } from './source-form';
import type { SourceDefinition } from './source-fields';

export interface SourceDraft extends FormState {
  /** What the change began with; null: a new source. */
  readonly base: { readonly definition: SourceDefinition; readonly revision: number } | null;
}

interface DraftState {
  readonly draft: SourceDraft;
  /** Kept by the tab from before. */
  readonly isRestored: boolean;
  readonly change: (part: Partial<SourceDraft>) => void;
  /** Nothing is left to save: before the page is left. */
  readonly end: () => void;
}

/**
 * @param key where it is kept
 * @param what would be lost, for the dialog
 * @param isChanged whether a draft differs from what it began with
 */
export function useSourceDraft(
  key: string,
  start: SourceDraft,
  what: string,
  isChanged: (draft: SourceDraft) => boolean
): DraftState {
  const [kept] = useState(() => readSourceDraft(key));
  const [draft, setDraft] = useState(kept ?? start);
  const release = useUnsaved(isChanged(draft) ? `${what} They stay in this tab as a draft until you sign out.` : null);
  return {
    draft,
    isRestored: kept !== null && isChanged(draft),
    change: (part) => {
      const next = { ...draft, ...part };
      setDraft(next);
      if (isChanged(next)) keepSourceDraft(key, next);
      else dropDraft(key);
    },
    end: () => {
      dropDraft(key);
      release();
    },
  };
}

function readSourceDraft(key: string): SourceDraft | null {
  const stored = readDraft(key);
  if (stored === null) return null;
  const { text, base, revision, note } = stored;
  return {
    fields: JSON.parse(text) as SourceDraft['fields'],
    note,
    base: revision === null ? null : { definition: JSON.parse(base) as SourceDefinition, revision },
  };
}

function keepSourceDraft(key: string, { fields, note, base }: SourceDraft): void {
  keepDraft(key, {
    text: JSON.stringify(fields),
    base: JSON.stringify(base?.definition ?? null),
    revision: base?.revision ?? null,
    note,
    parameters: {},
  });
}
