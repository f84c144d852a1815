/** Replaces all saved definitions by those that compile, and reports the others. */
import { type ErrorBody, ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/saved-query';
import type { CallHandler, Engine } from '../engine';
import type { DefinitionFailure } from '../messages';
import { redactionOf } from './redaction-of';

/** Number of former definition sets kept: reloads are minutes apart, calls end in seconds. */
const MAX_FORMER_SETS = 4;

export const define: CallHandler<'define'> = (engine, { request }) => {
  const failures: DefinitionFailure[] = [];
  const definitions = new Map<string, SavedQuery>();
  for (const definition of request.definitions) {
    const error = failureOf(engine, definition);
    if (error) failures.push({ endpointId: definition.id, error });
    else definitions.set(definition.id, definition);
  }
  const former = new Map(request.former.map((definition) => [definition.id, definition]));
  engine.former = [former, ...engine.former].slice(0, MAX_FORMER_SETS);
  engine.definitions = definitions;
  return { value: { failures } };
};

function failureOf(engine: Engine, definition: SavedQuery): ErrorBody | null {
  try {
    engine.compiler.validateDefinition(definition, engine.store.catalog(), redactionOf(definition, false), null);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.toBody();
    throw error;
  }
}
