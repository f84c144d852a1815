/** Changes the policy of a token by a merge patch (RFC 7396); its text stays. */
import { ensureAdminRemains } from '../../../catalog/tokens/power/last-admin';
import { ensureRoom } from '../../../catalog/tokens/power/token-share';
import { policyChange } from '../../../catalog/tokens/token-edits';
import { policyOf } from '../../../catalog/tokens/token-fields';
import { readStrictJsonBody } from '../../bodies/read-json-body';
import { activeToken, changeTokens, grantedPolicy } from '../../management/tokens/change-tokens';
import { sendToken } from '../../management/tokens/send-token';
import { readPatchBody } from '../../management/tokens/token-bodies';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

const TYPES = ['application/json', 'application/merge-patch+json'];

export const changeToken: KeyedHandler = async (call) => {
  const { ctx, req, res, path } = call;
  negotiateFormat(req, ['json']);
  const { message, apply } = readPatchBody(await readStrictJsonBody(req, res, ctx.config.http, TYPES), ctx.clock.now());
  const changed = await changeTokens(call, message, (turn) => {
    const { tokens, power, makerId, rules, now } = turn;
    const before = activeToken(tokens, power, path.id);
    const edited = policyChange(before, grantedPolicy(apply(policyOf(before)), turn))(tokens);
    ensureRoom(tokens, { before, after: edited.outcome }, power.share);
    if (before.id === makerId) ensureAdminRemains(tokens, { before, after: edited.outcome, now }, rules);
    return edited;
  });
  await sendToken(call, changed);
};
