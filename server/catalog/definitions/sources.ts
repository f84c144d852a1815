/** The sources that the store is open with: those of the file, or of the pushed set, and those of the API. */
import type { Source } from '#contract/events/source';

/** Revisions of a source of the API go by its id. */
export type ApiSource = Source & { readonly id: string };

export interface Sources {
  /** Those of the file first. A new array after each change. */
  readonly all: readonly Source[];
  readonly ofFiles: readonly Source[];
  /** By name: servers that share results compare all of their sources. */
  readonly ofApi: readonly ApiSource[];
  /** Called when the store is open with other sources. */
  replace(next: { readonly ofFiles?: readonly Source[]; readonly ofApi?: readonly ApiSource[] }): void;
}

export function createSources(ofFiles: readonly Source[], ofApi: readonly ApiSource[] = []): Sources {
  let current = { ofFiles, ofApi: byName(ofApi) };
  let all: readonly Source[] = [...ofFiles, ...current.ofApi];
  return {
    get all() {
      return all;
    },
    get ofFiles() {
      return current.ofFiles;
    },
    get ofApi() {
      return current.ofApi;
    },
    replace: (next) => {
      current = { ofFiles: next.ofFiles ?? current.ofFiles, ofApi: byName(next.ofApi ?? current.ofApi) };
      all = [...current.ofFiles, ...current.ofApi];
    },
  };
}

/** Whether a request names the source: by its name, an alias or its id. */
export function isNamed({ name, aliases, id }: Source, given: string): boolean {
  return name === given || aliases.includes(given) || id?.toLowerCase() === given.toLowerCase();
}

function byName(sources: readonly ApiSource[]): readonly ApiSource[] {
  return [...sources].sort((a, b) => (a.name < b.name ? -1 : 1));
}
