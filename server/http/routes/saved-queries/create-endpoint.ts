/** Creates a saved query. */
import { inTurn } from '../../management/change';
import { readDefinitionInput } from '../../management/definition-input';
import { queryChange, sendChanged } from '../../management/query-change';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const createEndpoint: KeyedHandler = async (call) => {
  negotiateFormat(call.req, ['json']);
  const { text, message } = await readDefinitionInput(call);
  const change = queryChange(call, message, [text, message ?? null]);
  const changed = await inTurn(call, () => call.ctx.savedQueries.create(text, change));
  await sendChanged(call, changed);
};
