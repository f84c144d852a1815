/** Interface of the audit trail: files of the data folder, or a table that servers share. */
import type { AuditEntry } from '#contract/audit';
import type { Author } from '#contract/change';

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Where the next page starts; null: there is none. */
  readonly next: string | null;
}

export interface AuditLog {
  /** Resolves when the entry is on disk. */
  append(entry: AuditEntry): Promise<void>;
  /**
   * @param before `next` of the page before; null: the newest entries
   * @returns null when `before` is not a value that this log returned
   */
  read(before: string | null, limit: number): Promise<AuditPage | null>;
  /** Deletes entries older than the time, in whole months or exactly. */
  expire(before: Date): Promise<void>;
}

/** The author of changes that this process makes without a token. */
export function commandLineAuthor(): Author {
  return { command_line: { pid: process.pid, uid: process.getuid?.() ?? null } };
}
