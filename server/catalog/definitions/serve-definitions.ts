/** Replaces the served definitions, without a failed call in between. */
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { EngineClient } from '../../engine/client/engine-client';
import type { DefineRequest, DefinitionFailure } from '../../engine/protocol/messages';
import { definitionDigest } from './definition-digest';
import { DefinitionsError } from './definition-problem';
import { checkDefinitionSet, type DefinitionSet } from './definition-set';
import type { Definitions } from './definitions';
import { describeFailures, type OtherDefinition } from './load-definitions';
import type { Sources } from './sources';

export interface Serving {
  readonly engine: EngineClient;
  readonly definitions: Definitions;
  readonly sources: Sources;
  /** Drops the cached results of a saved query. */
  readonly forget: (endpointId: string) => void;
}

/**
 * The engine gets the new definitions before the first call is bound for one, and keeps the former ones for calls in
 * flight. Changed sources reopen the store, and calls wait for it.
 * @throws DefinitionsError when the set cannot be served, ServiceError when the engine cannot check it or the store is
 * not available; the former set stays
 */
export async function serveDefinitions(set: DefinitionSet, serving: Serving): Promise<void> {
  const { engine, definitions, sources } = serving;
  const stored = definitions.ofOrigin('api');
  const { sources: ofFiles, loaded } = checkDefinitionSet(set, {
    queries: stored.map(withPlace),
    sources: sources.ofApi,
  });
  const former = definitions.ofOrigin('file');
  const next = loaded.map(({ definition }) => definition);
  const haveSourcesChanged = !isDeepStrictEqual(ofFiles, sources.ofFiles);
  const failures = haveSourcesChanged
    ? await reopen(engine, set, { sources: [...ofFiles, ...sources.ofApi], definitions: next, stored, former })
    : await define(engine, { definitions: next, stored, former });
  if (failures.length > 0) throw new DefinitionsError(describeFailures(loaded, failures));
  definitions.replace(next);
  sources.replace({ ofFiles });
  for (const definition of former) if (haveSourcesChanged || !isServed(next, definition)) serving.forget(definition.id);
  if (haveSourcesChanged) for (const definition of stored) serving.forget(definition.id);
}

function withPlace(definition: SavedQuery): OtherDefinition {
  return { definition, place: `the saved query ${definition.id} of the API` };
}

/** Checks the definitions before any is replaced, one after another, so that calls are compiled in between. */
async function define(engine: EngineClient, request: DefineRequest): Promise<readonly DefinitionFailure[]> {
  const { definitions, former } = request;
  const failures: DefinitionFailure[] = [];
  for (const definition of definitions) {
    if (isServed(former, definition)) continue;
    try {
      await engine.call('validate', { kind: 'definition', definition, tenant: null, redact: false });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      failures.push({ endpointId: definition.id, error: error.toBody() });
    }
  }
  if (failures.length === 0) await engine.call('define', request);
  return failures;
}

async function reopen(
  engine: EngineClient,
  { sources: { file } }: DefinitionSet,
  { sources, ...request }: DefineRequest & { readonly sources: Sources['all'] }
): Promise<readonly DefinitionFailure[]> {
  try {
    return (await engine.reopen(sources, request)).failures;
  } catch (error) {
    if (!(error instanceof ServiceError) || isPassing(error)) throw error;
    // Not tried again before they change: each try would delay all calls.
    const reason = `the store cannot be opened with these sources: ${error.message}`;
    throw new DefinitionsError([{ file, line: 1, column: 1, reason }]);
  }
}

/** Whether the store may open with the same sources later: it is not the sources that it fails for. */
function isPassing({ code, details: { reason } }: ServiceError): boolean {
  return code === 'overloaded' || code === 'draining' || (code === 'backend_unavailable' && reason !== 'schema');
}

function isServed(served: readonly SavedQuery[], definition: SavedQuery): boolean {
  const digest = definitionDigest(definition);
  return served.some((other) => other.id === definition.id && definitionDigest(other) === digest);
}
