/** What a person has typed and not saved, in the storage of the tab: it survives a reload, and ends with the tab. */
import { tabStorage } from '../app/tab-storage';

export interface Draft {
  /** YAML of the definition. */
  readonly text: string;
  /** YAML that the change began with. */
  readonly base: string;
  /** Revision of the base; null: a new saved query. */
  readonly revision: number | null;
  readonly note: string;
  /** For the preview. */
  readonly parameters: Readonly<Record<string, string>>;
}

const PREFIX = 'lqe-draft:';

/** @param id of the saved query that is changed */
export const editDraftKey = (id: string): string => `edit:${id}`;

export function readDraft(key: string): Draft | null {
  const stored = tabStorage.read(PREFIX + key);
  if (stored === null) return null;
  try {
    const draft = JSON.parse(stored) as Partial<Draft>;
    const { text, base, revision = null, note = '', parameters = {} } = draft;
    return text === undefined || base === undefined ? null : { text, base, revision, note, parameters };
  } catch {
    return null;
  }
}

/** @returns whether there was room for it */
export function keepDraft(key: string, draft: Draft): boolean {
  return tabStorage.write(PREFIX + key, JSON.stringify(draft));
}

export function dropDraft(key: string): void {
  tabStorage.remove(PREFIX + key);
}

export function dropAllDrafts(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(PREFIX)) tabStorage.remove(key);
}
