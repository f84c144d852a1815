/** The one write path of tokens: of the server and of the command line, in the data folder or in a database. */
import type { AuditEntry } from '#contract/audit';
import type { Author } from '#contract/change';
import type { StoredToken } from '#contract/token';
import type { TokenEdit, TokenNote } from './token-edits';
import { hideTokenTexts } from './token-text';

/** Author, note and time of a change. */
export interface TokenChangeFacts {
  readonly by: Author;
  readonly message: string | null;
  /** Null: not by HTTP. */
  readonly requestId: string | null;
  readonly now: Date;
}

export interface TokenRegister {
  /**
   * Resolves when the change and its entry in the audit trail are on disk. The edit may run more than once; nothing is
   * written when it throws.
   */
  change<T>(facts: TokenChangeFacts, edit: TokenEdit<T>): Promise<T>;
  read(): Promise<readonly StoredToken[]>;
}

export function auditEntryOf({ action, object, details }: TokenNote, facts: TokenChangeFacts): AuditEntry {
  return {
    time: facts.now.toISOString(),
    action,
    by: facts.by,
    object,
    revision: null,
    message: facts.message && hideTokenTexts(facts.message),
    request_id: facts.requestId,
    details,
  };
}
