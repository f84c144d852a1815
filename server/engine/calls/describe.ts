/** Output columns and sandbox tables of a saved query, for editors. */
import { caughtUp } from '../caught-up';
import { type CallHandler, definitionOf } from '../engine';
import { redactionOf } from './redaction-of';

export const describe: CallHandler<'describe'> = async (engine, { request }) => {
  await caughtUp(engine.store);
  const definition = definitionOf(engine, request.endpointId);
  const redaction = redactionOf(definition, request.redact);
  return { value: engine.compiler.describe(definition, engine.store.catalog(), redaction, request.tenant) };
};
