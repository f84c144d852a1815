/** History of a saved query: its revisions page by page, one revision, and its restoration. */
import { ServiceError } from '#contract/errors';
import { isRecord } from '#contract/records';
import type { RevisionFacts } from '#contract/changes/revision';
import { readYaml } from '../../../catalog/definitions/yaml-file';
import { inTurn } from '../../management/change';
import { readMessageBody } from '../../management/definition-input';
import { readOptionalPrecondition } from '../../management/preconditions';
import { queryChange, sendChanged } from '../../management/query-change';
import { managedHead } from '../../management/managed-head';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { cursorInvalid, readCursor, readLimit, writeCursor } from '../../parsing/page-query';
import { knownParameters } from '../../request/known-parameters';
import type { KeyedHandler } from '../../router';
import { sendJson } from '../../response/send-body';

export const listRevisions: KeyedHandler = async (call) => {
  const { ctx, req, res, path } = call;
  negotiateFormat(req, ['json']);
  const head = managedHead(call, path.q);
  const given = knownParameters({ req, res }, ['limit', 'cursor']);
  const limit = readLimit(given);
  const found = await ctx.savedQueries.history(head.id, readBefore(given), limit + 1);
  const page = found.slice(0, limit);
  await sendJson(req, res, {
    result: page.map(describe),
    next_cursor: found.length > limit ? writeCursor(String(page[page.length - 1]!.revision)) : null,
  });
};

export const readRevision: KeyedHandler = async (call) => {
  const { ctx, req, res, path } = call;
  negotiateFormat(req, ['json']);
  const head = managedHead(call, path.q);
  const stored = await ctx.savedQueries.read(head.id, revisionNumber(path.n));
  if (!stored) throw notFound();
  res.setHeader('ETag', `"${stored.revision}"`);
  const definition = stored.text === null ? null : definitionIn(stored.text);
  await sendJson(req, res, { result: { ...describe(stored), definition, yaml: stored.text } });
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

/** Revision before which the page starts. */
function readBefore(given: ReadonlyMap<string, string>): number | null {
  const cursor = readCursor(given);
  if (cursor === null) return null;
  if (/^[1-9]\d{0,8}$/.test(cursor)) return Number(cursor);
  throw cursorInvalid();
}

function describe({ id, revision, name, action, by, time, message, changed }: RevisionFacts) {
  return { id, revision, name, action, by, time, message, changed };
}

/** The definition as it was written. Texts that an earlier version accepted may lack what this one needs. */
function definitionIn(text: string): unknown {
  const { value } = readYaml(text);
  return isRecord(value) ? value : null;
}

function revisionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw notFound();
}

function notFound(): ServiceError {
  return new ServiceError('revision_not_found', 'There is no such revision of this saved query.');
}
