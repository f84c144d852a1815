/** History of a saved query or a source: its revisions page by page, and one of them. */
import { ServiceError } from '#contract/errors';
import { isRecord } from '#contract/records';
import type { RevisionFacts } from '#contract/changes/revision';
import { readYaml } from '../../catalog/definitions/yaml-file';
import type { RevisionRepository } from '../../catalog/revisions/repository';
import { cursorInvalid, readCursor, readLimit, writeCursor } from '../parsing/page-query';
import { knownParameters } from '../request/known-parameters';
import { sendJson } from '../response/send-body';
import type { KeyedCall } from '../router';

type History = Pick<RevisionRepository, 'history' | 'read'>;

/** Newest first. */
export async function sendRevisionPage({ req, res }: KeyedCall, history: History, id: string): Promise<void> {
  const given = knownParameters({ req, res }, ['limit', 'cursor']);
  const limit = readLimit(given);
  const found = await history.history(id, readBefore(given), limit + 1);
  const page = found.slice(0, limit);
  await sendJson(req, res, {
    result: page.map(describe),
    next_cursor: found.length > limit ? writeCursor(String(page[page.length - 1]!.revision)) : null,
  });
}

/** @param number as the path has it. @throws ServiceError `revision_not_found` */
export async function sendRevision(
  { req, res }: KeyedCall,
  history: History,
  id: string,
  number: string
): Promise<void> {
  const stored = await history.read(id, revisionNumber(number));
  if (!stored) throw notFound();
  res.setHeader('ETag', `"${stored.revision}"`);
  const definition = stored.text === null ? null : definitionIn(stored.text);
  await sendJson(req, res, { result: { ...describe(stored), definition, yaml: stored.text } });
}

/** @throws ServiceError `revision_not_found` */
export function revisionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw notFound();
}

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

function notFound(): ServiceError {
  return new ServiceError('revision_not_found', 'There is no such revision.');
}
