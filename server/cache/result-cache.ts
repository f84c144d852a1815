/** In-memory cache entries by key, bounded in number and bytes; the least recently used entry is evicted first. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../common/clock';
import { CachedResult, type CachedRun } from './cached-result';

export interface CacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export interface CacheContents {
  readonly entries: number;
  readonly bytes: number;
  /** Number of evictions since the start. */
  readonly evictions: number;
}

export class ResultCache {
  private readonly entries: LRUCache<string, CachedResult>;
  private evictions = 0;

  /**
   * @param limits both at least 1
   * @param onEvicted called with the key of an evicted entry
   */
  constructor(
    limits: CacheLimits,
    private readonly clock: Clock,
    private readonly onEvicted: (key: string) => void
  ) {
    this.entries = new LRUCache({
      max: limits.maxEntries,
      maxSize: limits.maxBytes,
      sizeCalculation: (entry) => entry.sizeBytes,
      dispose: (_entry, key, reason) => {
        if (reason === 'evict') this.noteEviction(key);
      },
    });
  }

  /** Returns a fresh entry; deletes an expired one. */
  get(key: string): CachedResult | undefined {
    const entry = this.entries.get(key);
    if (!entry || entry.isFresh(this.clock)) return entry;
    this.entries.delete(key);
    return undefined;
  }

  /** @returns the stored entry; null when it is larger than the whole cache */
  put(run: CachedRun): CachedResult | null {
    const entry = new CachedResult(run, (grown) => this.weighAgain(grown));
    this.entries.set(run.key, entry);
    return this.entries.has(run.key) ? entry : null;
  }

  /** Marks the entry after a failed refresh. It stays until it expires. */
  noteFailedRefresh(key: string): void {
    const entry = this.entries.peek(key);
    if (entry) entry.refreshFailed = true;
  }

  /** Deletes the entries of a saved query. */
  purge(endpointId: string): void {
    this.deleteWhere((entry) => entry.queryRequest.endpointId === endpointId);
  }

  /** Deletes expired entries. */
  sweep(): void {
    this.deleteWhere((entry) => !entry.isFresh(this.clock));
  }

  contents(): CacheContents {
    return { entries: this.entries.size, bytes: this.entries.calculatedSize, evictions: this.evictions };
  }

  /** Number of fresh entries of each saved query. */
  freshByQuery(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const entry of this.entries.values())
      if (entry.isFresh(this.clock)) {
        const { endpointId } = entry.queryRequest;
        counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
      }
    return counts;
  }

  private deleteWhere(matches: (entry: CachedResult) => boolean): void {
    for (const [key, entry] of [...this.entries.entries()]) if (matches(entry)) this.entries.delete(key);
  }

  private weighAgain(entry: CachedResult): void {
    if (this.entries.peek(entry.key) !== entry) return;
    // Setting the same value again would keep its old size.
    this.entries.delete(entry.key);
    this.entries.set(entry.key, entry);
    if (!this.entries.has(entry.key)) this.noteEviction(entry.key);
  }

  private noteEviction(key: string): void {
    this.evictions += 1;
    this.onEvicted(key);
  }
}
