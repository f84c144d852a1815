/** Optimistic concurrency: a change names the revision that it was made for [RFC 9110 section 13.1]. */
import { ServiceError } from '#contract/errors';
import type { RevisionFacts } from '#contract/changes/revision';
import type { RevisionKind } from './kind';

/** `match`: one of these revisions is the newest. `absent`: there is no such definition. */
export type Precondition =
  { readonly kind: 'match'; readonly revisions: readonly number[] | 'any' } | { readonly kind: 'absent' };

/**
 * @param head newest revision; undefined when there is no such definition
 * @throws ServiceError `revision_conflict`, `endpoint_not_found`, `source_not_found`
 */
export function ensureRevision(
  kind: RevisionKind,
  expected: Precondition,
  head: Pick<RevisionFacts, 'revision' | 'by'> | undefined
): void {
  const { noun } = kind;
  if (expected.kind === 'absent') {
    if (head) throw revisionConflict(head, `This ${noun} exists already.`);
    return;
  }
  if (!head) throw notFound(kind);
  if (expected.revisions === 'any' || expected.revisions.includes(head.revision)) return;
  throw revisionConflict(head, `The ${noun} was changed since: its revision is ${head.revision}.`);
}

export function notFound({ noun, notFound: code }: RevisionKind): ServiceError {
  return new ServiceError(code, `There is no ${noun} with this id or name.`);
}

export function revisionConflict({ revision, by }: Pick<RevisionFacts, 'revision' | 'by'>, message: string) {
  return new ServiceError('revision_conflict', message, {
    revision,
    changed_by: 'token_name' in by ? by.token_name : null,
    hint: `read it again, apply your change to it, and send it with If-Match: "${revision}"`,
  });
}
