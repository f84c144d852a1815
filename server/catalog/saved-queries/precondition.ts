/** Optimistic concurrency: a change names the revision that it was made for [RFC 9110 section 13.1]. */
import { ServiceError } from '#contract/errors';
import type { RevisionFacts } from '#contract/changes/revision';

/** `match`: one of these revisions is the newest. `absent`: there is no such saved query. */
export type Precondition =
  { readonly kind: 'match'; readonly revisions: readonly number[] | 'any' } | { readonly kind: 'absent' };

/**
 * @param head newest revision; undefined when there is no such saved query
 * @throws ServiceError `revision_conflict`, `endpoint_not_found`
 */
export function ensureRevision(expected: Precondition, head: Pick<RevisionFacts, 'revision' | 'by'> | undefined): void {
  if (expected.kind === 'absent') {
    if (head) throw revisionConflict(head, 'This saved query exists already.');
    return;
  }
  if (!head) throw new ServiceError('endpoint_not_found', 'There is no saved query with this id or name.');
  if (expected.revisions === 'any' || expected.revisions.includes(head.revision)) return;
  throw revisionConflict(head, `The saved query was changed since: its revision is ${head.revision}.`);
}

export function revisionConflict({ revision, by }: Pick<RevisionFacts, 'revision' | 'by'>, message: string) {
  return new ServiceError('revision_conflict', message, {
    revision,
    changed_by: 'token_name' in by ? by.token_name : null,
    hint: `read it again, apply your change to it, and send it with If-Match: "${revision}"`,
  });
}
