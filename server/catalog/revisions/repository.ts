/** Interface of a repository of definitions that are managed over the API. Revisions are added, never changed. */
import type { AuditEntry } from '#contract/changes/audit';
import type { RevisionFacts } from '#contract/changes/revision';
import type { DefinitionsError } from '../definitions/definition-problem';
import type { RevisionKind } from './kind';
import type { StoredRevision } from './revision-text';

/** Changes since an earlier call, of this server and of others. */
export interface RepositoryChanges {
  /** The newest revision of each definition that has changed, in any order. */
  readonly heads: readonly StoredRevision[];
  /** Newest revisions that this version cannot read, of a newer server. */
  readonly unreadable: readonly UnreadableRevision[];
  /**
   * True when there are no other definitions: at the first call, and when the repository was set back to an earlier
   * state.
   */
  readonly isWhole: boolean;
  /** Argument of the next call. */
  readonly cursor: string;
}

export interface UnreadableRevision extends Pick<RevisionFacts, 'id' | 'revision'> {
  readonly error: DefinitionsError;
}

export interface RevisionRepository {
  readonly kind: RevisionKind;
  /** Where a revision is stored, for messages. */
  placeOf(facts: Pick<RevisionFacts, 'id' | 'revision'>): string;
  /**
   * @param cursor null: every definition, deleted ones included
   * @throws DefinitionsError when a stored revision is damaged
   */
  changesSince(cursor: string | null): Promise<RepositoryChanges>;
  /**
   * Adds the next revision of a definition, and the entry of the audit trail.
   * @throws RevisionConflictError when it is not the next one, NameTakenError when another definition has its name
   */
  append(revision: StoredRevision, entry: AuditEntry): Promise<void>;
  read(id: string, revision: number): Promise<StoredRevision | null>;
  /** Revisions before `before` (null: all), newest first. */
  history(id: string, before: number | null, limit: number): Promise<readonly RevisionFacts[]>;
}

/** Another server has added this revision first. */
export class RevisionConflictError extends Error {
  override readonly name = 'RevisionConflictError';
}

/** Another server has given this name to another definition. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';

  /** @param taken the name; absent: that of the revision */
  constructor(readonly taken?: string) {
    super();
  }
}
