/** Creates a token with at most the power of the caller; its text is in this answer only. */
import { creation } from '../../../catalog/tokens/token-edits';
import { readStrictJsonBody } from '../../bodies/read-json-body';
import { changeTokens, grantedPolicy } from '../../management/tokens/change-tokens';
import { issueOnce, secretSourceOf } from '../../management/tokens/issue-token';
import { sendIssued } from '../../management/tokens/send-token';
import { readCreateBody } from '../../management/tokens/token-bodies';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const createToken: KeyedHandler = async (call) => {
  const { ctx, req, res } = call;
  negotiateFormat(req, ['json']);
  const body = await readStrictJsonBody(req, res, ctx.config.http);
  const { requested, policy, message } = readCreateBody(body, ctx.clock.now());
  const source = secretSourceOf(call, requested);
  const issued = await changeTokens(call, message, (turn) => {
    const granted = grantedPolicy(policy, turn);
    return issueOnce(turn, source, creation(granted, source, turn.now, turn.power.share));
  });
  res.setHeader('Location', `/api/tokens/${issued.token.id}`);
  await sendIssued(call, issued, 201);
};
