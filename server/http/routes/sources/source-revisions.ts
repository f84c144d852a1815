/** History of a source of the API, of a deleted one too: its revisions page by page, one of them, its restoration. */
import type { RevisionFacts } from '#contract/changes/revision';
import { isNamed } from '../../../catalog/definitions/sources';
import { managedInFile } from '../../../catalog/sources/managed-sources';
import { notFound } from '../../../catalog/revisions/precondition';
import { SOURCE } from '../../../catalog/revisions/kind';
import { inTurn } from '../../management/change';
import { readMessageBody } from '../../management/definition-input';
import { readOptionalPrecondition } from '../../management/preconditions';
import { revisionNumber, sendRevision, sendRevisionPage } from '../../management/revision-pages';
import { sendChangedSource, sourceChange } from '../../management/source-change';
import { ensureNoNul } from '../../parsing/decode-text';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { ensureSeesSources } from '../../request/ensure-sees-sources';
import type { KeyedCall, KeyedHandler } from '../../router';

export const listSourceRevisions: KeyedHandler = async (call) => {
  await sendRevisionPage(call, call.ctx.managedSources, managedHead(call).id);
};

export const readSourceRevision: KeyedHandler = async (call) => {
  await sendRevision(call, call.ctx.managedSources, managedHead(call).id, call.path.n);
};

export const restoreSourceRevision: KeyedHandler = async (call) => {
  const expected = readOptionalPrecondition(call.req);
  const head = managedHead(call);
  const message = await readMessageBody(call);
  const change = sourceChange(call, message, [message ?? null]);
  const revision = revisionNumber(call.path.n);
  const { managedSources } = call.ctx;
  await sendChangedSource(call, await inTurn(call, () => managedSources.restore(head, revision, expected, change)));
};

/** Newest revision of a source. @throws ServiceError `managed_elsewhere`, `source_not_found` */
function managedHead(call: KeyedCall): RevisionFacts {
  const { ctx, req, path } = call;
  negotiateFormat(req, ['json']);
  ensureSeesSources(call, 'Sources are read');
  const name = ensureNoNul(path.s, 'The path');
  if (ctx.sources.ofFiles.some((source) => isNamed(source, name))) throw managedInFile(name);
  const head = ctx.managedSources.find(name);
  if (!head) throw notFound(SOURCE);
  return head;
}
