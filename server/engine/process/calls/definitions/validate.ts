/** Checks a definition, or ad-hoc text against the sandbox of a defined query. Runs no query. */
import { setTimeout as delay } from 'node:timers/promises';
import { ensureSandbox } from '#contract/failures';
import type { ValidateResult } from '#contract/queries/description';
import { type CallHandler, definitionOf, type Engine } from '../../engine';
import type { ValidateRequest } from '../../../protocol/messages';
import type { LogStore } from '../../../../stores/store';
import { redactionOf } from './redaction-of';

/** Maximum wait for the field names of the newest events; an editor does not wait longer. */
const CATCH_UP_MS = 500;

export const validate: CallHandler<'validate'> = async (engine, { request, signal }) => {
  await caughtUp(engine.store);
  await engine.texts.next(signal);
  return { value: engine.texts.measure(() => check(engine, request)) };
};

function check(engine: Engine, request: ValidateRequest): ValidateResult {
  const catalog = engine.store.catalog();
  if (request.kind === 'definition') {
    const redaction = redactionOf(request.definition, request.redact);
    return engine.compiler.validateDefinition(request.definition, catalog, redaction, request.tenant);
  }
  const definition = definitionOf(engine, request.endpointId);
  ensureSandbox(definition);
  return engine.compiler.validateAdhoc({
    definition,
    adhoc: request.adhoc,
    parameters: request.parameters,
    catalog,
    nowMicros: Date.now() * 1000,
    redaction: redactionOf(definition, request.redact),
    tenant: request.tenant,
  });
}

async function caughtUp(store: Pick<LogStore, 'catchUp'>): Promise<void> {
  const ended = new AbortController();
  const waited = delay(CATCH_UP_MS, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([store.catchUp(), waited]).finally(() => ended.abort());
}
