/** Output columns and sandbox tables of a saved query, for editors. */
import { type CallHandler, definitionOf } from '../engine';

export const describe: CallHandler<'describe'> = async (engine, { request }) => {
  await engine.store.catchUp();
  return { value: engine.compiler.describe(definitionOf(engine, request.endpointId), engine.store.catalog()) };
};
