/** One result as the cache holds it: redacted, encoded bytes, when they were made, and their content codings as callers ask for them. */
import { createHash } from 'node:crypto';
import type { QueryResult } from '#contract/result';
import type { Clock } from '../clock';
import type { QueryKeyInput } from './cache-key';
import { elapsedMs, type Instant } from './instant';

/** How long results of a saved query are kept, and how often they are made anew. */
export interface CachePolicy {
  /** Name of the saved query, for metrics. */
  readonly endpoint: string;
  readonly cacheSeconds: number;
  /** 0: not warmed. */
  readonly warmSeconds: number;
}

export interface CachedRun {
  readonly key: string;
  readonly question: QueryKeyInput;
  readonly policy: CachePolicy;
  readonly result: QueryResult;
  /** The "now" of the run. */
  readonly executedAt: Instant;
}

export class CachedResult implements CachedRun {
  readonly key: string;
  readonly question: QueryKeyInput;
  readonly policy: CachePolicy;
  readonly result: QueryResult;
  readonly executedAt: Instant;
  /** Tells results apart: equal bytes with equal facts about them have equal digests, whichever run made them. 22 characters. */
  readonly digest: string;
  /** The last try to make this result anew has failed. */
  refreshFailed = false;
  private readonly codedBodies = new Map<string, Promise<Uint8Array>>();
  private codedBytes = 0;

  /** @param onGrowth called when the result has come to need more memory */
  constructor(
    run: CachedRun,
    private readonly onGrowth: (grown: CachedResult) => void
  ) {
    this.key = run.key;
    this.question = run.question;
    this.policy = run.policy;
    this.result = { ...run.result, bytes: ownCopy(run.result.bytes) };
    this.executedAt = run.executedAt;
    this.digest = digestOf(this.result);
  }

  /** Memory needed, roughly and never less than the bytes themselves. */
  get sizeBytes(): number {
    return this.result.bytes.byteLength + this.codedBytes + JSON.stringify(this.question).length * 2 + OVERHEAD_BYTES;
  }

  /** Whole seconds since the run. */
  ageSeconds(clock: Clock): number {
    return Math.floor(elapsedMs(this.executedAt, clock) / 1000);
  }

  isFresh(clock: Clock): boolean {
    return elapsedMs(this.executedAt, clock) < this.policy.cacheSeconds * 1000;
  }

  /** The bytes in a content coding. They are coded once, for the first who asks. */
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

/** Objects, names and headers around the bytes. */
const OVERHEAD_BYTES = 2048;

/** A view into a larger block of memory would keep the whole block. */
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
