/** What differs between the history of a saved query and that of a source. */
import type { ReactNode } from 'react';
import type { Kept } from '../../api/revisions';
import type { RevisionText } from '../../api/shapes';

export interface HistoryOf {
  readonly kept: Kept;
  readonly noun: 'saved query' | 'source';
  /** The page with all of them. */
  readonly list: { readonly label: string; readonly link: string };
  readonly mayRead: boolean;
  readonly mayChange: boolean;
  /** Scope that reading needs. */
  readonly readScope: string;
  readonly pageLink: (name: string) => string;
  readonly editLink: (name: string) => string;
  readonly historyLink: (name: string, state?: Readonly<Record<string, string>>) => string;
  /** What callers of a deleted one get, and that a revision can be restored. */
  readonly afterDeletion: string;
  /** What the restoration of a revision does beside a new revision; null: nothing. */
  readonly warningOf: ((revision: RevisionText) => ReactNode) | null;
}
