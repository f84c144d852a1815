/**
 * Secrets of new and rotated tokens. For a request with an `Idempotency-Key` the secret is derived from the server key,
 * the access token of the caller, the key of the request and a stored salt, so that a repeated request gets the same
 * secret although no secret is stored.
 */
import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { REQUEST_MARK_MS, type RequestMark } from '#contract/changes/change';
import { ServiceError } from '#contract/errors';
import type { IssueMark, StoredToken } from '#contract/tokens/token';
import { hashSecret } from './server-key';
import { createSecret, formatToken, secretOfBytes } from './token-text';

/** Request that may be repeated. */
export interface RepeatableRequest {
  readonly mark: RequestMark;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string;
  /** Text of the access token that the request presents. */
  readonly presented: string;
}

export interface SecretSource {
  readonly key: KeyObject;
  /** Null: the secret is random and the request cannot be repeated. */
  readonly request: RepeatableRequest | null;
}

export interface IssuedSecret {
  readonly secret: string;
  /** 64 hexadecimal digits. */
  readonly hash: string;
  readonly marks: readonly IssueMark[];
}

export function issueSecret({ key, request }: SecretSource): IssuedSecret {
  const mark = request && { ...request.mark, salt: randomBytes(32).toString('base64url') };
  const secret = mark ? deriveSecret(key, request, mark.salt) : createSecret();
  return { secret, hash: hashSecret(secret, key).toString('hex'), marks: mark ? [mark] : [] };
}

/**
 * Text of the token that an earlier request with this mark issued.
 * @throws ServiceError `idempotency_conflict` when the caller's token or the issued one was rotated since
 */
export function repeatIssue(token: StoredToken, known: IssueMark, { key, request }: SecretSource): string {
  const secret = request && deriveSecret(key, request, known.salt);
  if (secret !== null && hashSecret(secret, key).toString('hex') === token.hash)
    return formatToken({ id: token.id, secret });
  throw new ServiceError(
    'idempotency_conflict',
    'This request was carried out before, and its answer cannot be given again: the access token that sent it, or the ' +
      'one that it issued, was rotated since.',
    {
      reason: 'secret_replaced',
      token_id: token.id,
      hint: `the token ${token.id} exists; POST /api/tokens/${token.id}/rotate with a new Idempotency-Key gives it a new text`,
    }
  );
}

/** Drops marks of requests that cannot be repeated any more. Unchanged tokens keep their identity. */
export function dropOldMarks(token: StoredToken, now: Date): StoredToken {
  const { requests } = token;
  if (requests === undefined || requests.every((mark) => isRepeatable(mark, now))) return token;
  const { requests: _dropped, ...rest } = token;
  const kept = requests.filter((mark) => isRepeatable(mark, now));
  return kept.length === 0 ? rest : { ...rest, requests: kept };
}

/** The token that a request of the last 24 hours with this mark issued. */
export function findMark(
  tokens: readonly StoredToken[],
  { key }: RequestMark,
  now: Date
): { readonly token: StoredToken; readonly mark: IssueMark } | null {
  for (const token of tokens)
    for (const mark of token.requests ?? []) if (mark.key === key && isRepeatable(mark, now)) return { token, mark };
  return null;
}

function isRepeatable(mark: RequestMark, now: Date): boolean {
  return now.getTime() - Date.parse(mark.time) < REQUEST_MARK_MS;
}

/** Each part is preceded by its length, so that no two inputs are the same bytes. */
function deriveSecret(key: KeyObject, { presented, idempotencyKey }: RepeatableRequest, salt: string): string {
  const parts = ['lqe: secret of an issued token', salt, presented, idempotencyKey];
  const input = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  const seed = createHmac('sha256', key).update(input).digest();
  return secretOfBytes((round) => createHmac('sha256', seed).update(`expand ${round}`).digest());
}
