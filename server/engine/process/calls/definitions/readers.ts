/** Definitions that read a source. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { CallHandler, Engine } from '../../engine';

export const readers: CallHandler<'readers'> = async (engine, { request, signal }) => {
  const endpointIds: string[] = [];
  for (const definition of engine.definitions.all) {
    await nextTurn();
    signal.throwIfAborted();
    if (sourcesOf(engine, definition).includes(request.source)) endpointIds.push(definition.id);
  }
  return { value: { endpointIds } };
};

/** Empty for a definition that does not compile: a change of the source does not end it. */
function sourcesOf({ compiler, store }: Engine, definition: SavedQuery): readonly string[] {
  try {
    return compiler.describe(definition, store.catalog(), null, null).sources;
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}
