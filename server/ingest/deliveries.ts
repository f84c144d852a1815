/**
 * Distinguishes a retry from a new request with an equal body (equal heartbeats have equal bodies). A delivery whose
 * acknowledgment was written to an intact connection is complete, so the next equal body is a new one. A delivery that
 * failed, or whose connection broke, may be retried: an equal body within ten minutes is its retry and gets the same
 * name.
 */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export interface Delivery {
  /** Name of the delivery: the same for a retry; otherwise unique, across servers and restarts. */
  readonly name: string;
  /** Ends the delivery once. @param isAcknowledged whether its sender has received the acknowledgment */
  end(isAcknowledged: boolean): void;
}

/** How long a retry is recognized. */
const REMEMBERED_MS = 10 * 60_000;
/** Maximum number of failed deliveries; the oldest are evicted first. */
const MAX_REMEMBERED = 50_000;

export class Deliveries {
  private readonly start = randomBytes(9).toString('base64url');
  private count = 0;
  /** Names of deliveries that may be retried, by digest of the body. */
  private readonly open: LRUCache<string, string[]>;

  /** @param nowMs reads a monotonic clock */
  constructor(nowMs: () => number) {
    this.open = new LRUCache({
      // With `max` it would allocate for all of them at once: 3 MB, and 5 ms of each start.
      maxSize: MAX_REMEMBERED,
      sizeCalculation: () => 1,
      ttl: REMEMBERED_MS,
      perf: { now: nowMs },
      ttlResolution: 0,
    });
  }

  /** @param digest of the body, its source and its tenant */
  begin(digest: string): Delivery {
    const name = this.takeOpen(digest) ?? `${this.start}${this.count++}`;
    let hasEnded = false;
    return {
      name,
      end: (isAcknowledged) => {
        if (hasEnded) return;
        hasEnded = true;
        if (!isAcknowledged) this.open.set(digest, [...(this.open.get(digest) ?? []), name].slice(-MAX_OPEN_OF_BODY));
      },
    };
  }

  private takeOpen(digest: string): string | undefined {
    const [name, ...others] = this.open.get(digest) ?? [];
    if (name === undefined) return undefined;
    if (others.length > 0) this.open.set(digest, others);
    else this.open.delete(digest);
    return name;
  }
}

/** Maximum number of failed deliveries of one body. */
const MAX_OPEN_OF_BODY = 1_000;
