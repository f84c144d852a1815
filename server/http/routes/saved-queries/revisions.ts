/** History of a saved query: its revisions page by page, one revision, and its restoration. */
import { inTurn } from '../../management/change';
import { readMessageBody } from '../../management/definition-input';
import { managedHead } from '../../management/managed-head';
import { readOptionalPrecondition } from '../../management/preconditions';
import { queryChange, sendChanged } from '../../management/query-change';
import { revisionNumber, sendRevision, sendRevisionPage } from '../../management/revision-pages';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const listRevisions: KeyedHandler = async (call) => {
  negotiateFormat(call.req, ['json']);
  await sendRevisionPage(call, call.ctx.savedQueries, managedHead(call, call.path.q).id);
};

export const readRevision: KeyedHandler = async (call) => {
  negotiateFormat(call.req, ['json']);
  await sendRevision(call, call.ctx.savedQueries, managedHead(call, call.path.q).id, call.path.n);
};

export const restoreRevision: KeyedHandler = async (call) => {
  const { ctx, req, path } = call;
  negotiateFormat(req, ['json']);
  const expected = readOptionalPrecondition(req);
  const head = managedHead(call, path.q);
  const message = await readMessageBody(call);
  const change = queryChange(call, message, [message ?? null]);
  const revision = revisionNumber(path.n);
  await sendChanged(call, await inTurn(call, () => ctx.savedQueries.restore(head, revision, expected, change)));
};
