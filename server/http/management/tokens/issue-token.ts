/** Requests that issue a secret: repeated with the same `Idempotency-Key`, they get the same answer. */
import { ensureSameRequest } from '../../../catalog/audit/same-request';
import type { RepeatableRequest, SecretSource } from '../../../catalog/tokens/secrets/issue-secret';
import { findMark, repeatIssue } from '../../../catalog/tokens/secrets/issue-secret';
import type { EditedTokens, IssuedToken, TokenEdit } from '../../../catalog/tokens/token-edits';
import { readIdempotencyKey } from '../../parsing/idempotency-key';
import { presentedKey } from '../../request/token/presented-key';
import type { KeyedCall } from '../../router';
import { readRequestMark } from '../change';
import type { TokenTurn } from './change-tokens';

/** @param requested content of the request, as JSON. @throws ServiceError `header_invalid` */
export function secretSourceOf(call: KeyedCall, requested: object): SecretSource {
  const { ctx, req } = call;
  const idempotencyKey = readIdempotencyKey(req);
  const mark = readRequestMark(call, requested, ctx.clock.now());
  const presented = presentedKey(req);
  const isRepeatable = mark !== null && idempotencyKey !== null && presented !== undefined;
  const request: RepeatableRequest | null = isRepeatable ? { mark, idempotencyKey, presented } : null;
  return ctx.tokens.secretSource(request);
}

/**
 * The outcome of the first request with this key, or of the edit.
 * @throws ServiceError `idempotency_conflict`, and those of the edit
 */
export function issueOnce(
  { tokens, now }: TokenTurn,
  source: SecretSource,
  edit: TokenEdit<IssuedToken>
): EditedTokens<IssuedToken> {
  const known = source.request && findMark(tokens, source.request.mark, now);
  if (!known || !source.request) return edit(tokens);
  ensureSameRequest(source.request.mark, known.mark);
  const outcome = { text: repeatIssue(known.token, known.mark, source), token: known.token };
  return { tokens, note: null, outcome };
}
