/** Returns one token, without its text. */
import { powerOf } from '../../../catalog/tokens/power/token-power';
import { powerRules, visibleToken } from '../../management/tokens/change-tokens';
import { sendToken } from '../../management/tokens/send-token';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const readToken: KeyedHandler = async (call) => {
  const { ctx, req, principal, path } = call;
  negotiateFormat(req, ['json']);
  const power = powerOf(principal.policy, powerRules(ctx));
  await sendToken(call, visibleToken((await ctx.tokens.list()).values(), power, path.id));
};
