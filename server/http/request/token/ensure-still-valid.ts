/**
 * Checks the access token of a request again once its body has arrived, its turn has come, or its rows are there: each
 * may take minutes, and the token may have been revoked, limited, or have expired, since the headers arrived.
 */
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#contract/errors';
import type { TokenPolicy } from '#contract/tokens/token';
import { tenantOf } from '../../../catalog/tokens/tenant-of';
import type { KeyedCall } from '../../router';
import { requestFacts } from '../request-facts';
import { presentedKey } from './presented-key';

/** A revoked token is refused within this time. */
const TRUSTED_MS = 1000;

/**
 * A token that was changed is not refused for good: the request was read with its former limits, so it is sent again.
 * @throws ServiceError `token_invalid`, `backend_unavailable`, `tenant_denied`, and those of the token repository
 */
export async function ensureStillValid({
  ctx,
  req,
  principal,
  tenant,
}: Pick<KeyedCall, 'ctx' | 'req' | 'principal' | 'tenant'>): Promise<void> {
  if (performance.now() - requestFacts(req).startedAtMs < TRUSTED_MS) return;
  const current = await ctx.tokens.authenticate(presentedKey(req) ?? '');
  const isSame = isDeepStrictEqual(powersOf(current.policy), powersOf(principal.policy));
  // A parameter may name the tenant of a token since a change of the saved queries.
  if (isSame && tenantOf(current, ctx.definitions) === tenant) return;
  throw new ServiceError(
    'backend_unavailable',
    'The limits of the access token were changed during the request; send it again.',
    { reason: 'token_changed' }
  );
}

/** What the token may see and do: the fields that a request is read with. */
function powersOf({ scopes, endpoints, fixed_parameters, tenant, force_redaction, max_rows }: TokenPolicy): object {
  return { scopes, endpoints, fixed_parameters, tenant, force_redaction, max_rows };
}
