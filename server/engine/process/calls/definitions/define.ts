/** Replaces all definitions by those that compile, and reports the others. */
import type { ErrorBody } from '#contract/errors';
import { ServiceError } from '#contract/errors';
import type { CallHandler } from '../../engine';
import type { DefinitionFailure } from '../../../protocol/messages';
import { ensureCompiles } from './ensure-compiles';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { Engine } from '../../engine';

export const define: CallHandler<'define'> = (engine, { request }) => {
  const failures: DefinitionFailure[] = [];
  const compiled: SavedQuery[] = [];
  for (const definition of request.definitions) {
    const error = failureOf(engine, definition);
    if (error) failures.push({ endpointId: definition.id, error });
    else compiled.push(definition);
  }
  const sent = (request.sent ?? []).flatMap((id) => engine.definitions.get(id) ?? []);
  engine.definitions.replace(compiled, [...request.stored, ...sent], request.former);
  return { value: { failures } };
};

function failureOf(engine: Engine, definition: SavedQuery): ErrorBody | null {
  try {
    ensureCompiles(engine, definition);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.toBody();
    throw error;
  }
}
