/** Facts of the next revision of a saved query. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry } from '#contract/changes/audit';
import { REQUEST_MARK_MS, type RequestMark } from '#contract/changes/change';
import type { RevisionFacts } from '#contract/changes/revision';
import { type SavedQuery, UUID_PATTERN } from '#contract/queries/saved-query';
import type { ChangeFacts } from '../audit/change-facts';
import { type AssignedFields, sentId } from './definition-text';
import type { StoredRevision } from './revision-text';

/** A change of one saved query. */
export interface QueryChange extends ChangeFacts {
  /** Id of the token; checks of its texts count against it. */
  readonly owner: string;
  /** Null: the request has no `Idempotency-Key`. */
  readonly mark: RequestMark | null;
}

/** A revision whose text has not been read yet. */
export type RevisionDraft = Omit<RevisionFacts, 'name' | 'changed'> & { readonly formerName: string | null };

const MAX_FORMER_NAMES = 20;
const MAX_MARKS = 200;

/** @param idOrName id or name in the path of a request that creates the saved query */
export function idFor(text: string, idOrName: string | undefined): string {
  const inPath = idOrName !== undefined && UUID_PATTERN.test(idOrName) ? idOrName : undefined;
  return (inPath ?? sentId(text) ?? randomUUID()).toLowerCase();
}

export function firstRevision(id: string, change: QueryChange): RevisionDraft {
  const time = change.now.toISOString();
  return {
    ...common(change, 1, []),
    id,
    revision: 1,
    action: 'create',
    created_at: time,
    former_names: [],
    formerName: null,
  };
}

export function nextRevision(head: RevisionFacts, action: RevisionFacts['action'], change: QueryChange): RevisionDraft {
  const revision = head.revision + 1;
  const { id, created_at, former_names, requests } = head;
  return {
    ...common(change, revision, requests),
    id,
    revision,
    action,
    created_at,
    former_names,
    formerName: head.name,
  };
}

function common(
  { by, now, message, mark }: QueryChange,
  revision: number,
  earlier: RevisionFacts['requests']
): Pick<RevisionFacts, 'by' | 'time' | 'message' | 'requests'> {
  const recent = earlier.filter(({ time }) => now.getTime() - Date.parse(time) < REQUEST_MARK_MS);
  const requests = [...(mark ? [{ ...mark, revision }] : []), ...recent].slice(0, MAX_MARKS);
  return { by, time: now.toISOString(), message, requests };
}

/** @param definition null in a revision that deletes the saved query, which keeps its last name */
export function completeRevision(
  { formerName, ...draft }: RevisionDraft,
  former: SavedQuery | null,
  definition: SavedQuery | null,
  text: string | null
): StoredRevision {
  const name = definition?.name ?? formerName!;
  const names = formerName === null || formerName === name ? draft.former_names : [formerName, ...draft.former_names];
  const former_names = names.filter((each) => each !== name).slice(0, MAX_FORMER_NAMES);
  return { ...draft, name, former_names, changed: former && definition ? changedFields(former, definition) : [], text };
}

/** Fields that differ, without those that the server assigns. */
function changedFields(former: SavedQuery, next: SavedQuery): string[] {
  const assigned: readonly string[] = ['id', 'revision', 'created_at', 'updated_at'];
  const before: Readonly<Record<string, unknown>> = former;
  const after: Readonly<Record<string, unknown>> = next;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !assigned.includes(key) && !isDeepStrictEqual(before[key], after[key]))
    .sort();
}

/** Fields of the definition that the revision decides. */
export function assignedTo({
  id,
  revision,
  created_at,
  time,
}: Pick<RevisionFacts, 'id' | 'revision' | 'created_at' | 'time'>): AssignedFields {
  return { id, revision, created_at, updated_at: time };
}

export function auditEntryOf(revision: StoredRevision, { requestId }: ChangeFacts): AuditEntry {
  const { id, name, action, by, time, message, changed } = revision;
  return {
    time,
    action: `saved_query.${action}`,
    by,
    object: { id, name },
    revision: revision.revision,
    message,
    request_id: requestId,
    details: changed.length === 0 ? null : { changed },
  };
}
