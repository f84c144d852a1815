/** Returns the definition of one source, and of one of the API its revision and YAML. */
import { ensureSeesSources } from '../../request/ensure-sees-sources';
import { findSource } from '../../ingest/ingest-parameters';
import { describeRevision } from '../../management/source-change';
import { ensureNoNul } from '../../parsing/decode-text';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';
import { sendJson } from '../../response/send-body';

export const readSource: KeyedHandler = async (call) => {
  const { ctx, req, res, path } = call;
  negotiateFormat(req, ['json']);
  ensureSeesSources(call, 'Sources are read');
  const source = findSource(call, ensureNoNul(path.s, 'The path'));
  const head = ctx.sources.ofApi.some(({ id }) => id === source.id) ? ctx.managedSources.find(source.id!) : undefined;
  res.setHeader('Cache-Control', 'private, no-cache');
  if (!head) {
    await sendJson(req, res, { result: { ...source, origin: 'file', revision: null } });
    return;
  }
  const yaml = (await ctx.managedSources.read(head.id, head.revision))?.text ?? null;
  res.setHeader('ETag', `"${head.revision}"`);
  await sendJson(req, res, { result: { ...source, ...describeRevision(head), yaml } });
};
