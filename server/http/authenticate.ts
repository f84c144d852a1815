/** Who calls, by `X-API-KEY` or `Authorization: Bearer`. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { Principal } from '../tokens/principal';
import type { TokenStore } from '../tokens/token-store';
import { singleHeader } from './header-values';
import { requestFacts } from './request-facts';

/** @returns null when no key was sent. @throws ServiceError `token_invalid`, `header_invalid` */
export async function authenticate(req: IncomingMessage, tokens: TokenStore): Promise<Principal | null> {
  const key = presentedKey(req);
  if (key === undefined) return null;
  const principal = await tokens.authenticate(key);
  requestFacts(req).tokenId = principal.tokenId;
  return principal;
}

/** @throws ServiceError `token_missing` */
export async function requirePrincipal(req: IncomingMessage, tokens: TokenStore): Promise<Principal> {
  const principal = await authenticate(req, tokens);
  if (principal) return principal;
  throw new ServiceError('token_missing', 'Send an access token in the X-API-KEY header.');
}

function presentedKey(req: IncomingMessage): string | undefined {
  const key = singleHeader(req, 'X-API-KEY')?.trim() || undefined;
  const bearer = /^Bearer +(\S+)$/i.exec(singleHeader(req, 'Authorization')?.trim() ?? '')?.[1];
  if (key !== undefined && bearer !== undefined && key !== bearer)
    throw new ServiceError('header_invalid', 'X-API-KEY and Authorization carry different access tokens.', {
      header: 'Authorization',
    });
  return key ?? bearer;
}
