/** Replaces the whole definition of a saved query, or creates one under the id or name of the path. */
import { UUID_PATTERN } from '#contract/queries/saved-query';
import { inTurn } from '../../management/change';
import { SAVED_QUERY_FORM } from '../../management/definition-forms';
import { readDefinitionInput } from '../../management/definition-input';
import { readPrecondition } from '../../management/preconditions';
import { queryChange, sendChanged } from '../../management/query-change';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const replaceEndpoint: KeyedHandler = async (call) => {
  const { ctx, req, path } = call;
  negotiateFormat(req, ['json']);
  const expected = readPrecondition(req, true);
  const given = UUID_PATTERN.test(path.q) ? {} : { name: path.q };
  const { text, message } = await readDefinitionInput(call, SAVED_QUERY_FORM, given);
  const change = queryChange(call, message);
  await sendChanged(call, await inTurn(call, () => ctx.savedQueries.replace(path.q, text, expected, change)));
};
