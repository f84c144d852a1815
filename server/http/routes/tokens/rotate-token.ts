/** Gives a token a new text, which is in this answer only; the old one stays valid for a while. */
import { ensureRoom } from '../../../catalog/tokens/power/token-share';
import { rotation } from '../../../catalog/tokens/token-edits';
import { policyOf } from '../../../catalog/tokens/token-fields';
import { readStrictJsonBody } from '../../bodies/read-json-body';
import { activeToken, changeTokens } from '../../management/tokens/change-tokens';
import { issueOnce, secretSourceOf } from '../../management/tokens/issue-token';
import { sendIssued } from '../../management/tokens/send-token';
import { readRotateBody } from '../../management/tokens/token-bodies';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const rotateToken: KeyedHandler = async (call) => {
  const { ctx, req, res, path } = call;
  negotiateFormat(req, ['json']);
  const { graceSeconds, message } = readRotateBody(await readStrictJsonBody(req, res, ctx.config.http));
  const source = secretSourceOf(call, { grace_seconds: graceSeconds });
  const issued = await changeTokens(call, message, (turn) => {
    const old = activeToken(turn.tokens, turn.power, path.id);
    // The caller gets all that the token has.
    turn.power.grant(policyOf(old));
    const issued = issueOnce(turn, source, rotation(old, graceSeconds, source, turn.now));
    ensureRoom(turn.tokens, { before: old, after: issued.outcome.token }, turn.power.share);
    return issued;
  });
  await sendIssued(call, issued, 200);
};
