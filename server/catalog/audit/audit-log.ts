/** Interface of the audit trail: files of the data folder, or a table that servers share. */
import type { AuditAction, AuditEntry } from '#contract/changes/audit';
import type { Author } from '#contract/changes/change';

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Where the next page starts; null: the last page. */
  readonly next: string | null;
}

/** Which entries are wanted; null: any. */
export interface AuditFilter {
  readonly action: AuditAction | null;
  /** Id or name of the saved query or the token. */
  readonly object: string | null;
  /** ISO 8601 in UTC, inclusive. */
  readonly since: string | null;
  /** ISO 8601 in UTC, exclusive. */
  readonly until: string | null;
}

export interface AuditLog {
  /** Resolves when the entry is on disk. */
  append(entry: AuditEntry): Promise<void>;
  /**
   * @param before `next` of the page before; null: the newest entries
   * @param filter a page may have fewer entries than `limit`, and others follow
   * @returns null when `before` is not a value that this log returned
   */
  read(before: string | null, limit: number, filter?: AuditFilter): Promise<AuditPage | null>;
  /** Deletes entries older than the time, in whole months or exactly. */
  expire(before: Date): Promise<void>;
}

export function fitsFilter({ time, action, object }: AuditEntry, filter: AuditFilter): boolean {
  return (
    (filter.action === null || action === filter.action) &&
    (filter.object === null || object.id === filter.object || object.name === filter.object) &&
    (filter.since === null || time >= filter.since) &&
    (filter.until === null || time < filter.until)
  );
}

/** The author of changes that this process makes without a token. */
export function commandLineAuthor(): Author {
  return { command_line: { pid: process.pid, uid: process.getuid?.() ?? null } };
}
