/** The one write path of tokens: of the server and of the command line, in the data folder or in a database. */
import type { AuditEntry } from '#contract/changes/audit';
import type { StoredToken } from '#contract/tokens/token';
import type { ChangeFacts } from '../audit/change-facts';
import type { TokenEdit, TokenNote } from './token-edits';
import { hideTokenTexts } from './secrets/token-text';

export interface TokenRegister {
  /**
   * Resolves when the change and its entry in the audit trail are on disk. The edit may run more than once; nothing is
   * written when it throws.
   */
  change<T>(facts: ChangeFacts, edit: TokenEdit<T>): Promise<T>;
  read(): Promise<readonly StoredToken[]>;
}

export function auditEntryOf({ action, object, details }: TokenNote, facts: ChangeFacts): AuditEntry {
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
