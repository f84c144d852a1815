/** Finds the history of a saved query for a token. */
import { ServiceError } from '#contract/errors';
import type { RevisionFacts } from '#contract/changes/revision';
import { seesEndpoint } from '../../catalog/tokens/principal';
import { ensureNoNul } from '../parsing/decode-text';
import type { KeyedCall } from '../router';

/**
 * Newest revision of a saved query of the API, deleted ones included.
 * @throws ServiceError `managed_elsewhere` for one of a file; `endpoint_not_found`, identical for unknown and
 * inaccessible ones
 */
export function managedHead({ ctx, principal }: KeyedCall, idOrName: string): RevisionFacts {
  const definition = ctx.definitions.find(ensureNoNul(idOrName, 'The path'));
  const isSeen = definition !== undefined && seesEndpoint(principal, definition);
  if (isSeen && ctx.definitions.originOf(definition) === 'file')
    throw new ServiceError('managed_elsewhere', `The saved query "${definition.name}" is managed in a file.`, {
      hint: 'its history is that of the file',
    });
  const head = ctx.savedQueries.find(definition?.id ?? idOrName);
  if (head && seesEndpoint(principal, head)) return head;
  throw new ServiceError('endpoint_not_found', 'There is no saved query with this id or name.');
}
