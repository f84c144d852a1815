/** Checks a definition, or ad-hoc text against the sandbox of a defined query. Never runs anything. */
import { ServiceError } from '#contract/errors';
import { type CallHandler, definitionOf } from '../engine';
import { redactionOf } from './redaction-of';

export const validate: CallHandler<'validate'> = async (engine, { request }) => {
  await engine.store.catchUp();
  const catalog = engine.store.catalog();
  if (request.kind === 'definition') {
    const redaction = redactionOf(request.definition, request.redact);
    return { value: engine.compiler.validateDefinition(request.definition, catalog, redaction) };
  }
  const definition = definitionOf(engine, request.endpointId);
  if (!definition.sandbox) throw new ServiceError('sandbox_disabled', 'This saved query takes no ad-hoc queries.');
  const value = engine.compiler.validateAdhoc({
    definition,
    adhoc: request.adhoc,
    parameters: request.parameters,
    catalog,
    nowMicros: Date.now() * 1000,
    redaction: redactionOf(definition, request.redact),
  });
  return { value };
};
