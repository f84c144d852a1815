/**
 * Versions of tables: equal versions mean equal rows and columns. Versions are of this process; a number is never used
 * twice, not even by tables of the same name one after the other.
 */

interface Version {
  readonly number: number;
  /** Time of the change, in milliseconds of `performance.now()`. */
  readonly sinceMs: number;
  /** Number of changes that are being committed. */
  readonly changes: number;
}

export class PartVersions {
  private readonly versions = new Map<string, Version>();
  private newest = 0;

  /**
   * Runs a step that makes changes of tables visible to other connections: COMMIT, or DROP without a transaction. Their
   * versions are unknown until it has ended, and new ones after it, even if it failed.
   */
  async changing<T>(tables: readonly string[], commit: () => Promise<T>): Promise<T> {
    for (const table of tables) this.renew(table, 1);
    try {
      return await commit();
    } finally {
      for (const table of tables) this.renew(table, -1);
    }
  }

  /**
   * Null while the table is being changed. A transaction whose first statement was prepared between two calls that
   * returned the same number reads the table in this version.
   */
  of(table: string): number | null {
    const { number, changes } = this.versions.get(table) ?? this.renew(table, 0);
    return changes > 0 ? null : number;
  }

  /** Milliseconds since the table was changed; infinite if it was not in this process. */
  ageMs(table: string): number {
    return performance.now() - (this.versions.get(table)?.sinceMs ?? Number.NEGATIVE_INFINITY);
  }

  /** Called for a table that no longer exists. */
  forget(table: string): void {
    this.versions.delete(table);
  }

  private renew(table: string, change: number): Version {
    const changes = (this.versions.get(table)?.changes ?? 0) + change;
    const sinceMs = change === 0 ? Number.NEGATIVE_INFINITY : performance.now();
    const version = { number: ++this.newest, sinceMs, changes };
    this.versions.set(table, version);
    return version;
  }
}
