/** A cache entry: redacted, encoded bytes, the time of their run, and their content codings as clients request them. */
import { createHash } from 'node:crypto';
import type { QueryResult } from '#contract/queries/result';
import type { Clock } from '../common/clock';
import type { QueryKeyInput } from './cache-key';
import { elapsedMs, type Instant } from './instant';
import type { Run } from './run';

/** How long results of a saved query are cached, and how often they are refreshed. */
export interface CachePolicy {
  /** Name of the saved query, for metrics. */
  readonly endpoint: string;
  readonly cacheSeconds: number;
  /** Refresh interval; 0: results are not refreshed in the background. */
  readonly warmSeconds: number;
}

/** What a run makes an entry for: its key, its request, and how long it is kept. */
export interface EntryTarget {
  readonly key: string;
  readonly queryRequest: QueryKeyInput;
  readonly policy: CachePolicy;
}

export interface CachedRun extends EntryTarget, Run {}

export class CachedResult implements CachedRun {
  readonly key: string;
  readonly queryRequest: QueryKeyInput;
  readonly policy: CachePolicy;
  readonly result: QueryResult;
  readonly executedAt: Instant;
  /** Digest for ETags: equal bytes with equal metadata have equal digests, whichever run made them. 22 characters. */
  readonly digest: string;
  /** True when the last refresh of this result failed. */
  refreshFailed = false;
  private readonly codedBodies = new Map<string, Promise<Uint8Array>>();
  private codedBytes = 0;

  /** @param onGrowth called when the entry needs more memory */
  constructor(
    run: CachedRun,
    private readonly onGrowth: (grown: CachedResult) => void
  ) {
    this.key = run.key;
    this.queryRequest = run.queryRequest;
    this.policy = run.policy;
    this.result = { ...run.result, bytes: ownCopy(run.result.bytes) };
    this.executedAt = run.executedAt;
    this.digest = digestOf(this.result);
  }

  /** Estimated memory, never less than the bytes themselves. */
  get sizeBytes(): number {
    return (
      this.result.bytes.byteLength + this.codedBytes + JSON.stringify(this.queryRequest).length * 2 + OVERHEAD_BYTES
    );
  }

  /** Age of the result in whole seconds. */
  ageSeconds(clock: Clock): number {
    return Math.floor(elapsedMs(this.executedAt, clock) / 1000);
  }

  isFresh(clock: Clock): boolean {
    return elapsedMs(this.executedAt, clock) < this.policy.cacheSeconds * 1000;
  }

  /** Returns the bytes in a content coding. Each coding is computed once, at its first request. */
  coded(coding: string, encode: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<Uint8Array> {
    let body = this.codedBodies.get(coding);
    if (!body) {
      body = this.encodeOnce(coding, encode);
      this.codedBodies.set(coding, body);
    }
    return body;
  }

  private async encodeOnce(coding: string, encode: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<Uint8Array> {
    try {
      const bytes = ownCopy(await encode(this.result.bytes));
      this.codedBytes += bytes.byteLength;
      this.onGrowth(this);
      return bytes;
    } catch (error) {
      this.codedBodies.delete(coding);
      throw error;
    }
  }
}

/** Memory of objects, names and headers around the bytes. */
const OVERHEAD_BYTES = 2048;

/** Copies a view, which would keep its whole underlying buffer in memory. */
function ownCopy(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
}

function digestOf({ bytes, format, fields, rows, truncated, redacted, revision }: QueryResult): string {
  const facts = JSON.stringify([format, fields, rows, truncated, redacted, revision]);
  return createHash('sha256').update(facts).update('\0').update(bytes).digest('base64url').slice(0, 22);
}
