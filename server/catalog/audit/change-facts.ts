/** What the audit trail keeps of a change beside the change itself. */
import type { Author } from '#contract/changes/change';

export interface ChangeFacts {
  readonly by: Author;
  /** Note of the author. */
  readonly message: string | null;
  /** Null for changes at the command line. */
  readonly requestId: string | null;
  readonly now: Date;
}
