/**
 * Checks the access token of a request again once its body has arrived or its turn has come: both may take a minute, and
 * the token may have been revoked, or have expired, since the headers arrived.
 */
import type { KeyedCall } from '../../router';
import { requestFacts } from '../request-facts';
import { presentedKey } from './presented-key';

/** A revoked token is refused within this time. */
const TRUSTED_MS = 1000;

/** @throws ServiceError `token_invalid`, and those of the token repository */
export async function ensureStillValid({ ctx, req }: Pick<KeyedCall, 'ctx' | 'req'>): Promise<void> {
  if (performance.now() - requestFacts(req).startedAtMs < TRUSTED_MS) return;
  await ctx.tokens.authenticate(presentedKey(req) ?? '');
}
