/**
 * Distinguishes a retry from a new request where their bodies are equal: equal heartbeats are equal bodies. A delivery
 * whose acknowledgment was written to an intact connection is over, so an equal body is a new one. One that failed, or whose connection
 * broke, may be tried again: an equal body within ten minutes is its retry and gets the same name.
 */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export interface Delivery {
  /** The same for a retry; unique among all others, on every server and after every restart. */
  readonly name: string;
  /** Ends the delivery once. @param isAcknowledged whether its sender knows that the body is stored */
  end(isAcknowledged: boolean): void;
}

/** How long a retry is recognized. */
const REMEMBERED_MS = 10 * 60_000;
/** Of failed deliveries: older ones are forgotten first. */
const MAX_REMEMBERED = 50_000;

export class Deliveries {
  private readonly start = randomBytes(9).toString('base64url');
  private count = 0;
  /** Names of deliveries that may be tried again, by digest of the body. */
  private readonly open: LRUCache<string, string[]>;

  /** @param nowMs of a clock that never goes back */
  constructor(nowMs: () => number) {
    this.open = new LRUCache({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS, perf: { now: nowMs }, ttlResolution: 0 });
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

/** Failed deliveries of one body. */
const MAX_OPEN_OF_BODY = 1_000;
