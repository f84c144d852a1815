/** Output columns and sandbox tables of a saved query, for editors. */
import { type CallHandler, definitionOf } from '../engine';

export const describe: CallHandler<'describe'> = (engine, { request }) => ({
  value: engine.compiler.describe(definitionOf(engine, request.endpointId), engine.store.catalog()),
});
