/** Deletes a source. Its events stay in the store, and its revisions in the history. */
import { inTurn } from '../../management/change';
import { readMessageBody } from '../../management/definition-input';
import { readPrecondition } from '../../management/preconditions';
import { sourceChange } from '../../management/source-change';
import type { KeyedHandler } from '../../router';
import { sendEmpty } from '../../response/send-body';

export const deleteSource: KeyedHandler = async (call) => {
  const { ctx, req, res, path } = call;
  const expected = readPrecondition(req);
  const change = sourceChange(call, await readMessageBody(call));
  await inTurn(call, () => ctx.managedSources.remove(path.s, expected, change));
  sendEmpty(res, 204);
};
