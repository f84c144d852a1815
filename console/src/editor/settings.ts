/** What the editor asks of its page. */
import type { DescribedTable } from '#contract/queries/description';
import type { FunctionsResource } from '#contract/plugin/resources';
import type { Language } from '../api/run-query';

/** Until the tables are loaded. One list for all renders: the editor follows each new list. */
export const NO_TABLES: readonly DescribedTable[] = [];

/** A problem of a text, with its range in UTF-16 code units. */
export interface TextProblem {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface EditorSettings {
  /** Name of the text field. @default 'Query text' */
  readonly label?: string;
  readonly language: () => Language | 'yaml';
  readonly tables: () => readonly DescribedTable[];
  readonly functions: FunctionsResource['functions'];
  /** Absent: the page shows problems by itself. */
  readonly validate?: (text: string, signal: AbortSignal) => Promise<readonly TextProblem[]>;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
}
