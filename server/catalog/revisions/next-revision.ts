/** Facts of the next revision of a definition. */
import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry } from '#contract/changes/audit';
import { REQUEST_MARK_MS, type RequestMark } from '#contract/changes/change';
import type { RevisionFacts } from '#contract/changes/revision';
import type { ChangeFacts } from '../audit/change-facts';
import type { RevisionKind } from './kind';
import type { StoredRevision } from './revision-text';

/** A change of one definition. */
export interface DefinitionChange extends ChangeFacts {
  /** Id of the token; checks of its texts count against it. */
  readonly owner: string;
  /** Null: the request has no `Idempotency-Key`. */
  readonly mark: RequestMark | null;
}

/** A revision whose text has not been read yet. */
export type RevisionDraft = Omit<RevisionFacts, 'name' | 'changed'> & { readonly formerName: string | null };

/** A definition, as far as its revision depends on it. */
export interface Named {
  readonly name: string;
}

const MAX_FORMER_NAMES = 20;
const MAX_MARKS = 200;
/** Fields that the server assigns. */
const ASSIGNED: readonly string[] = ['id', 'revision', 'created_at', 'updated_at'];

export function firstRevision(id: string, change: DefinitionChange): RevisionDraft {
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

export function nextRevision(
  head: RevisionFacts,
  action: RevisionFacts['action'],
  change: DefinitionChange
): RevisionDraft {
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
  { by, now, message, mark }: DefinitionChange,
  revision: number,
  earlier: RevisionFacts['requests']
): Pick<RevisionFacts, 'by' | 'time' | 'message' | 'requests'> {
  const recent = earlier.filter(({ time }) => now.getTime() - Date.parse(time) < REQUEST_MARK_MS);
  const requests = [...(mark ? [{ ...mark, revision }] : []), ...recent].slice(0, MAX_MARKS);
  return { by, time: now.toISOString(), message, requests };
}

/** @param definition null in a revision that deletes, which keeps the last name */
export function completeRevision(
  { formerName, ...draft }: RevisionDraft,
  former: Named | null,
  definition: Named | null,
  text: string | null
): StoredRevision {
  const name = definition?.name ?? formerName!;
  const names = formerName === null || formerName === name ? draft.former_names : [formerName, ...draft.former_names];
  const former_names = names.filter((each) => each !== name).slice(0, MAX_FORMER_NAMES);
  return { ...draft, name, former_names, changed: former && definition ? changedFields(former, definition) : [], text };
}

function changedFields(former: object, next: object): string[] {
  const before: Readonly<Record<string, unknown>> = { ...former };
  const after: Readonly<Record<string, unknown>> = { ...next };
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !ASSIGNED.includes(key) && !isDeepStrictEqual(before[key], after[key]))
    .sort();
}

/** @param details of the change, beside the names of the changed fields */
export function auditEntryOf(
  revision: StoredRevision,
  { audited }: RevisionKind,
  { requestId }: ChangeFacts,
  details: Readonly<Record<string, unknown>> = {}
): AuditEntry {
  const { id, name, action, by, time, message, changed } = revision;
  const all = { ...(changed.length > 0 && { changed }), ...details };
  return {
    time,
    action: `${audited}.${action}`,
    by,
    object: { id, name },
    revision: revision.revision,
    message,
    request_id: requestId,
    details: Object.keys(all).length === 0 ? null : all,
  };
}
