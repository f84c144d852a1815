/** Deletes a saved query. Its revisions stay, so it can be restored. */
import { inTurn } from '../../management/change';
import { readMessageBody } from '../../management/definition-input';
import { readPrecondition } from '../../management/preconditions';
import { queryChange } from '../../management/query-change';
import type { KeyedHandler } from '../../router';
import { sendEmpty } from '../../response/send-body';

export const deleteEndpoint: KeyedHandler = async (call) => {
  const { ctx, req, res, path } = call;
  const expected = readPrecondition(req);
  const change = queryChange(call, await readMessageBody(call));
  await inTurn(call, () => ctx.savedQueries.remove(path.q, expected, change));
  sendEmpty(res, 204);
};
