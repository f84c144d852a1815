/** Another set of definitions in the place of the one that is served, without a call that fails meanwhile. */
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/saved-query';
import type { Source } from '#contract/source';
import type { EngineClient } from '../engine/client';
import type { DefinitionFailure } from '../engine/messages';
import { definitionDigest } from './definition-digest';
import { DefinitionsError } from './definition-problem';
import { checkDefinitionSet, type DefinitionSet } from './definition-set';
import type { Definitions } from './definitions';
import { describeFailures } from './load-definitions';

export interface Serving {
  readonly engine: EngineClient;
  readonly definitions: Definitions;
  /** Those the store was opened with. */
  readonly sources: readonly Source[];
  /** Forgets the results of a saved query that are in memory. */
  readonly forget: (endpointId: string) => void;
}

/**
 * The engine knows the new definitions before the first call is bound for one, and keeps the former ones for the calls on their way.
 * @throws DefinitionsError when one of them cannot be served, ServiceError when the engine cannot tell; the former set stays then
 */
export async function serveDefinitions(set: DefinitionSet, serving: Serving): Promise<void> {
  const { engine, definitions } = serving;
  const { sources, loaded } = checkDefinitionSet(set);
  if (!isDeepStrictEqual(sources, serving.sources)) throw changedSources(set.sources.file);
  const former = definitions.all;
  const changed = loaded.filter(({ definition }) => !isServed(former, definition));
  const failures = await findFailures(
    engine,
    changed.map(({ definition }) => definition)
  );
  if (failures.length > 0) throw new DefinitionsError(describeFailures(loaded, failures));
  const next = loaded.map(({ definition }) => definition);
  await engine.call('define', { definitions: next });
  definitions.replace(next);
  for (const definition of former) if (!isServed(next, definition)) serving.forget(definition.id);
}

function isServed(served: readonly SavedQuery[], definition: SavedQuery): boolean {
  const digest = definitionDigest(definition);
  return served.some((other) => other.id === definition.id && definitionDigest(other) === digest);
}

/** One after another: callers' queries are compiled in between. */
async function findFailures(
  engine: EngineClient,
  definitions: readonly SavedQuery[]
): Promise<readonly DefinitionFailure[]> {
  const failures: DefinitionFailure[] = [];
  for (const definition of definitions) {
    try {
      await engine.call('validate', { kind: 'definition', definition, redact: false });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      failures.push({ endpointId: definition.id, error: error.toBody() });
    }
  }
  return failures;
}

function changedSources(file: string): DefinitionsError {
  const reason = 'the sources are not those the store was opened with; restart the server to take them over';
  return new DefinitionsError([{ file, line: 1, column: 1, reason }]);
}
