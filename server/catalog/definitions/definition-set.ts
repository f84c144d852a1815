/** The texts of all definitions, from files or from the catalog: the sources and the saved queries. */
import { basename } from 'node:path';
import type { Source } from '#contract/events/source';
import { type DefinitionProblem, DefinitionsError } from './definition-problem';
import {
  type DefinitionText,
  type LoadedDefinition,
  type OtherDefinition,
  parseDefinitions,
  readDefinitionTexts,
} from './load-definitions';
import { parseSources, readSourcesText } from './load-sources';
import type { ApiSource } from './sources';

export interface DefinitionSet {
  readonly sources: { readonly file: string; readonly text: string };
  readonly queries: readonly DefinitionText[];
}

/** What the API has made, which is served together with a set. */
export interface ApiDefinitions {
  readonly queries: readonly OtherDefinition[];
  readonly sources: readonly ApiSource[];
}

const NOTHING: ApiDefinitions = { queries: [], sources: [] };

export interface CheckedSet {
  readonly sources: readonly Source[];
  readonly loaded: readonly LoadedDefinition[];
}

/** @throws DefinitionsError when the folder or the file of the sources cannot be read */
export function readDefinitionSet(endpointsDir: string, sourcesFile: string): DefinitionSet {
  return {
    sources: { file: sourcesFile, text: readSourcesText(sourcesFile) },
    queries: readDefinitionTexts(endpointsDir, [sourcesFile]),
  };
}

/**
 * Checks everything except the query texts, which the engine checks.
 *
 * @throws DefinitionsError with every problem of every text
 */
export function checkDefinitionSet({ sources, queries }: DefinitionSet, others: ApiDefinitions = NOTHING): CheckedSet {
  const problems: DefinitionProblem[] = [];
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof DefinitionsError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const parsed = attempt(() => parseSources(sources.file, sources.text, others.sources));
  const loaded = attempt(() => parseDefinitions(queries, others.queries));
  if (!parsed || !loaded) throw new DefinitionsError(problems);
  return { sources: parsed, loaded };
}

/** The texts by base name, as the catalog stores them, which has no folders. */
export function namedTexts(set: DefinitionSet): ReadonlyMap<string, string> {
  return new Map(
    set.queries.flatMap(({ file, text }) => (typeof text === 'string' ? [[basename(file), text] as const] : []))
  );
}
