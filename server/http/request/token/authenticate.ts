/** Identifies the caller by the access token of the request and applies the rate limits. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { AppContext } from '../../../app/context';
import type { Principal } from '../../../catalog/tokens/principal';
import { parseToken } from '../../../catalog/tokens/secrets/token-text';
import { presentedKey } from './presented-key';
import { requestFacts } from '../request-facts';

interface Counting {
  /** Whether the request counts against the rate of its token. */
  readonly isCounted: boolean;
}

const COUNTED: Counting = { isCounted: true };

/**
 * @returns null when no key was sent.
 * @throws ServiceError `token_invalid`, `header_invalid`; `rate_limited` for a token beyond its rate and for too many
 * wrong keys
 */
export async function authenticate(
  ctx: Pick<AppContext, 'tokens' | 'admission'>,
  req: IncomingMessage,
  res: ServerResponse,
  { isCounted }: Counting = COUNTED
): Promise<Principal | null> {
  const key = presentedKey(req);
  if (key === undefined) return null;
  const principal = await identify(ctx, req, key);
  requestFacts(req).tokenId = principal.tokenId;
  if (isCounted) ctx.admission.admit(principal, res);
  return principal;
}

/** @throws ServiceError `token_missing`, and those of `authenticate` */
export async function requirePrincipal(
  ctx: Pick<AppContext, 'tokens' | 'admission'>,
  req: IncomingMessage,
  res: ServerResponse,
  counting: Counting = COUNTED
): Promise<Principal> {
  const principal = await authenticate(ctx, req, res, counting);
  if (principal) return principal;
  throw new ServiceError(
    'token_missing',
    'Send an access token in the header X-API-KEY, or as Authorization: Bearer.',
    req.headers.authorization === undefined ? {} : { hint: AUTHORIZATION_HINT }
  );
}

const AUTHORIZATION_HINT =
  'Authorization is read as "Bearer <token>", or as "Basic" with the token as the password, which a page cannot use';

/**
 * Keys in the service's own token format hold 256 random bits and cannot be guessed. They are always checked, so that
 * clients behind a shared proxy are not locked out by others. Keys in any other format are refused unchecked after too
 * many wrong ones.
 */
async function identify(
  { tokens, admission }: Pick<AppContext, 'tokens' | 'admission'>,
  req: IncomingMessage,
  key: string
): Promise<Principal> {
  const isGuessing = admission.isGuessing(req);
  if (isGuessing && parseToken(key) === null) throw admission.guessingError(req);
  try {
    return await tokens.authenticate(key);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'token_invalid') throw error;
    admission.noteWrongKey(req);
    throw isGuessing ? admission.guessingError(req) : error;
  }
}
