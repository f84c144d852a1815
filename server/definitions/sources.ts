/** The sources that the store is open with. */
import type { Source } from '#contract/source';

export interface Sources {
  readonly all: readonly Source[];
  /** The store was opened with others. */
  replace(sources: readonly Source[]): void;
}

export function createSources(sources: readonly Source[]): Sources {
  let all = sources;
  return {
    get all() {
      return all;
    },
    replace: (others) => void (all = others),
  };
}
