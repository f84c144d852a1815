import { useState } from 'react';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { EditorDataSource } from '../editor-data-source';
import { useAnswer } from '../use-answer';

export interface Existing {
  /** The saved query that gets a new revision; undefined: the name is new, unknown yet, or that of a file. */
  readonly existing: EndpointSummary | undefined;
  /** Whether the name is that of a saved query in a file. */
  readonly isFile: boolean;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** The saved query that has the name, from a list that is requested for this form. */
export function useExisting(datasource: EditorDataSource, name: string): Existing {
  const [round, setRound] = useState(0);
  const list = useAnswer(() => {
    datasource.catalog.forget();
    return datasource.catalog.endpoints();
  }, `${datasource.uid} ${round}`);
  const same = list.value?.find((each) => each.name === name);
  const isFile = same !== undefined && same.origin !== 'api';
  return {
    existing: isFile ? undefined : same,
    isFile,
    isLoading: list.isLoading,
    reload: () => setRound(round + 1),
  };
}
