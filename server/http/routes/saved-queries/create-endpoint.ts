/** Creates a saved query. */
import { inTurn } from '../../management/change';
import { SAVED_QUERY_FORM } from '../../management/definition-forms';
import { readDefinitionInput } from '../../management/definition-input';
import { queryChange, sendChanged } from '../../management/query-change';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const createEndpoint: KeyedHandler = async (call) => {
  negotiateFormat(call.req, ['json']);
  const { text, message } = await readDefinitionInput(call, SAVED_QUERY_FORM);
  const change = queryChange(call, message, [text, message ?? null]);
  const changed = await inTurn(call, () => call.ctx.savedQueries.create(text, change));
  await sendChanged(call, changed);
};
