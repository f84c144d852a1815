/** Lists the tokens within the confinement of the caller, page by page, revoked ones too. */
import { describeToken } from '../../../catalog/tokens/describe-token';
import { powerOf } from '../../../catalog/tokens/power/token-power';
import { powerRules, withTokenErrors } from '../../management/tokens/change-tokens';
import { pageOfTokens } from '../../management/tokens/page-of-tokens';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { readCursor, readLimit, writeCursor } from '../../parsing/page-query';
import { knownParameters } from '../../request/known-parameters';
import { sendJson } from '../../response/send-body';
import type { KeyedHandler } from '../../router';

export const listTokens: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  negotiateFormat(req, ['json']);
  const given = knownParameters({ req, res }, ['limit', 'cursor']);
  const power = powerOf(principal.policy, powerRules(ctx));
  const { tokens, next } = pageOfTokens(await ctx.tokens.list(), {
    after: readCursor(given),
    limit: readLimit(given),
    isVisible: power.covers,
  });
  const lastUses = await withTokenErrors(call, () => ctx.tokens.lastUses());
  const now = ctx.clock.now();
  await sendJson(req, res, {
    result: tokens.map((token) => describeToken(token, lastUses[token.id], now)),
    next_cursor: next === null ? null : writeCursor(next),
  });
};
