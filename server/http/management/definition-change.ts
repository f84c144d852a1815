/** Author and note of a change of a saved query or a source. */
import type { DefinitionChange } from '../../catalog/revisions/next-revision';
import { ensureNoTenant } from '../../catalog/tokens/tenant-of';
import type { KeyedCall } from '../router';
import { changeFacts, readRequestMark } from './change';

/**
 * @param what is changed, as the start of a message
 * @param requested content of the request; null when it may not be repeated by `Idempotency-Key`
 * @throws ServiceError `tenant_denied`: definitions say what is read and kept of all tenants
 */
export function definitionChange(
  call: KeyedCall,
  what: string,
  message: string | undefined,
  requested: unknown = null
): DefinitionChange {
  ensureNoTenant(call.tenant, what);
  const facts = changeFacts(call, message);
  const mark = requested === null ? null : readRequestMark(call, requested, facts.now);
  return { ...facts, owner: call.principal.tokenId, mark };
}
