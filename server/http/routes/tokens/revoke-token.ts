/** Revokes a token; its entry stays. A token that is revoked already gets the same answer. */
import { ensureAdminRemains } from '../../../catalog/tokens/power/last-admin';
import { revocation } from '../../../catalog/tokens/token-edits';
import { changeTokens, visibleToken } from '../../management/tokens/change-tokens';
import type { KeyedHandler } from '../../router';
import { sendEmpty } from '../../response/send-body';

export const revokeToken: KeyedHandler = async (call) => {
  await changeTokens(call, undefined, ({ tokens, power, makerId, rules, now }) => {
    const before = visibleToken(tokens, power, call.path.id);
    if (before.revoked_at !== null) return { tokens, note: null, outcome: before };
    const edited = revocation(before, now)(tokens);
    if (before.id === makerId) ensureAdminRemains(tokens, { before, after: edited.outcome, now }, rules);
    return edited;
  });
  sendEmpty(call.res, 204);
};
