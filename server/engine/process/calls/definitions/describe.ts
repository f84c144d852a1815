/** Output columns and sandbox tables of a saved query, and fields of its sources with values that they cannot hold. */
import type { QueryMisfits } from '#contract/queries/description';
import { caughtUp } from '../../caught-up';
import { type CallHandler, definitionOf } from '../../engine';
import type { Misfits } from '../../../protocol/messages';
import { redactionOf } from './redaction-of';

export const describe: CallHandler<'describe'> = async (engine, { request }) => {
  await caughtUp(engine.store);
  const definition = definitionOf(engine, request.endpointId);
  const redaction = redactionOf(definition, request.redact);
  const { compiler, store } = engine;
  const { sources, ...described } = compiler.describe(definition, store.catalog(), redaction, request.tenant);
  return { value: request.misfits ? { ...described, misfits: misfitsOf(sources, store.misfits()) } : described };
};

function misfitsOf(sources: readonly string[], counted: Misfits): readonly QueryMisfits[] {
  return sources.flatMap((source) => (counted[source]?.fields ?? []).map((field) => ({ source, ...field })));
}
