/** History of a source of the API, of a deleted one too: its revisions page by page, and one revision. */
import { isNamed } from '../../../catalog/definitions/sources';
import { managedInFile } from '../../../catalog/sources/managed-sources';
import { notFound } from '../../../catalog/revisions/precondition';
import { SOURCE } from '../../../catalog/revisions/kind';
import { sendRevision, sendRevisionPage } from '../../management/revision-pages';
import { ensureNoNul } from '../../parsing/decode-text';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { ensureSeesSources } from '../../request/ensure-sees-sources';
import type { KeyedCall, KeyedHandler } from '../../router';

export const listSourceRevisions: KeyedHandler = async (call) => {
  await sendRevisionPage(call, call.ctx.managedSources, sourceId(call));
};

export const readSourceRevision: KeyedHandler = async (call) => {
  await sendRevision(call, call.ctx.managedSources, sourceId(call), call.path.n);
};

/** @throws ServiceError `managed_elsewhere`, `source_not_found` */
function sourceId(call: KeyedCall): string {
  const { ctx, req, path } = call;
  negotiateFormat(req, ['json']);
  ensureSeesSources(call, 'Sources are read');
  const name = ensureNoNul(path.s, 'The path');
  if (ctx.sources.ofFiles.some((source) => isNamed(source, name))) throw managedInFile(name);
  const head = ctx.managedSources.find(name);
  if (!head) throw notFound(SOURCE);
  return head.id;
}
