/** Replaces all saved definitions by those that compile, and reports the others. */
import { type ErrorBody, ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/saved-query';
import type { CallHandler, Engine } from '../engine';
import type { DefinitionFailure } from '../messages';

export const define: CallHandler<'define'> = (engine, { request }) => {
  const failures: DefinitionFailure[] = [];
  const definitions = new Map<string, SavedQuery>();
  for (const definition of request.definitions) {
    const error = failureOf(engine, definition);
    if (error) failures.push({ endpointId: definition.id, error });
    else definitions.set(definition.id, definition);
  }
  engine.definitions = definitions;
  return { value: { failures } };
};

function failureOf(engine: Engine, definition: SavedQuery): ErrorBody | null {
  try {
    ensureRedactionIsOff(definition);
    engine.compiler.validateDefinition(definition, engine.store.catalog());
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.toBody();
    throw error;
  }
}

/** A definition that promises protection must not be served without it. */
export function ensureRedactionIsOff(definition: SavedQuery): void {
  if (definition.redact_pii)
    throw new ServiceError('definition_invalid', 'PII redaction is not available in this version.', {
      hint: 'Set redact_pii to false.',
    });
}
