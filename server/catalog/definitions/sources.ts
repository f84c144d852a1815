/** The sources that the store was opened with. */
import type { Source } from '#contract/events/source';

export interface Sources {
  readonly all: readonly Source[];
  /** Called when the store was opened with other sources. */
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
