/**
 * Columns of a source that queries search and that have filters for it. Making filters reads all sealed days, so texts
 * that search one column after the other must not have them made again and again.
 */
const MOST_COLUMNS = 8;
/** A column that was searched within this time does not lose its filters to another one. */
const KEPT_MS = 24 * 60 * 60_000;

export class SearchedColumns {
  /** Times of the last search, oldest first. */
  private readonly searchedAt = new Map<string, number>();

  /** @param nowMs reads a monotonic clock */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  get names(): readonly string[] {
    return [...this.searchedAt.keys()];
  }

  /**
   * Notes a search. The column may take the place of the one that was not searched for the longest time.
   * @returns `new` for a column whose filters are to be made, `refused` for one that gets none
   */
  note(column: string): 'known' | 'new' | 'refused' {
    const isKnown = this.searchedAt.delete(column);
    if (!isKnown && !this.makeRoom()) return 'refused';
    this.searchedAt.set(column, this.nowMs());
    return isKnown ? 'known' : 'new';
  }

  private makeRoom(): boolean {
    const [oldest] = this.searchedAt;
    if (oldest === undefined || this.searchedAt.size < MOST_COLUMNS) return true;
    const [column, at] = oldest;
    return this.nowMs() - at >= KEPT_MS && this.searchedAt.delete(column);
  }
}
