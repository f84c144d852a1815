/** Answers with one token. */
import type { StoredToken } from '#contract/tokens/token';
import { describeToken } from '../../../catalog/tokens/describe-token';
import type { IssuedToken } from '../../../catalog/tokens/token-edits';
import { sendJson } from '../../response/send-body';
import type { KeyedCall } from '../../router';
import { withTokenErrors } from './change-tokens';

export async function sendToken(call: KeyedCall, token: StoredToken): Promise<void> {
  const { ctx, req, res } = call;
  const lastUses = await withTokenErrors(call, () => ctx.tokens.lastUses());
  await sendJson(req, res, { result: describeToken(token, lastUses[token.id], ctx.clock.now()) });
}

/** The only answer with the text of a token. Does not read its last use: the change is made and must be answered. */
export async function sendIssued({ ctx, req, res }: KeyedCall, issued: IssuedToken, status: 200 | 201): Promise<void> {
  const { text, token } = issued;
  await sendJson(req, res, { result: { token: text, ...describeToken(token, undefined, ctx.clock.now()) } }, status);
}
