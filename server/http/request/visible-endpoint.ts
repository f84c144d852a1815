/** Finds saved queries for a token: those it cannot access are reported as unknown. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/saved-query';
import type { Definitions } from '../../catalog/definitions/definitions';
import { type Principal, seesEndpoint } from '../../catalog/tokens/principal';
import { ensureNoNul } from '../parsing/decode-text';

/** @throws ServiceError `endpoint_not_found`, identical for unknown and inaccessible queries */
export function visibleEndpoint(definitions: Definitions, principal: Principal, idOrName: string): SavedQuery {
  const definition = definitions.find(ensureNoNul(idOrName, 'The path'));
  if (definition && seesEndpoint(principal, definition)) return definition;
  throw new ServiceError('endpoint_not_found', 'There is no saved query with this id or name.');
}

export function visibleEndpoints(definitions: Definitions, principal: Principal): readonly SavedQuery[] {
  return definitions.all.filter((definition) => seesEndpoint(principal, definition));
}
