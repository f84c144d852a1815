/** Changes some fields of a saved query by a merge patch [RFC 7396]. Comments of its text stay. */
import { patchDefinition } from '../../../catalog/saved-queries/definition-text';
import { inTurn } from '../../management/change';
import { SAVED_QUERY_FORM } from '../../management/definition-forms';
import { readPatchInput } from '../../management/definition-input';
import { readPrecondition } from '../../management/preconditions';
import { queryChange, sendChanged } from '../../management/query-change';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const patchEndpoint: KeyedHandler = async (call) => {
  const { ctx, req, path } = call;
  negotiateFormat(req, ['json']);
  const expected = readPrecondition(req);
  const { patch, message } = await readPatchInput(call, SAVED_QUERY_FORM);
  const change = queryChange(call, message);
  const edit = (text: string): string => patchDefinition(text, patch);
  await sendChanged(call, await inTurn(call, () => ctx.savedQueries.change(path.q, edit, expected, change)));
};
