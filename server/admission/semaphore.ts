/** Semaphore for query runs: hands out permits within their limits, and keeps a bounded queue for each lane. */
import { ServiceError } from '#contract/errors';
import type { PermitLimits } from '../config';
import { groupOfOwner, type Lane, type PermitOwner, Permits } from './permits';
import { toError } from '../common/caught-error';

export interface PermitRequest extends PermitOwner {
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

interface Waiter extends PermitOwner {
  /** Leaves the queue with a permit. */
  start(): void;
  /** Leaves the queue without one. */
  refuse(error: ServiceError): void;
}

export class Semaphore {
  private readonly permits: Permits;
  /** In order of arrival. */
  private readonly waiters: Waiter[] = [];

  constructor(private readonly limits: PermitLimits) {
    this.permits = new Permits(limits);
  }

  /** Permits in use, checks not included. */
  get running(): number {
    return this.permits.running;
  }

  get waiting(): number {
    return this.waiters.length;
  }

  runningIn(lane: Lane): number {
    return this.permits.runningIn(lane);
  }

  /** Whether a request for a permit would wait because of the owner's own limits. */
  isBlockedByOwner(requester: PermitOwner): boolean {
    return this.permits.isBlockedByOwner(requester);
  }

  waitingIn(lane: Lane): number {
    return this.waiters.filter((waiter) => waiter.lane === lane).length;
  }

  /**
   * Waits for a permit. @returns a function that releases it; further calls do nothing
   * @throws ServiceError `overloaded`, or `concurrency_limited` when the owner's own limits are exhausted; the signal's
   * reason when it aborts
   */
  async acquire({ owner, tenant = null, lane, waitMs, signal }: PermitRequest): Promise<() => void> {
    signal.throwIfAborted();
    const requester = { owner, tenant, lane };
    // If a permit is free while others wait, none of them may take it, so no waiter is overtaken.
    if (this.permits.canAdd(requester)) return this.grant(requester);
    this.ensureQueueSpace(requester);
    return this.enqueue(requester, waitMs, signal);
  }

  private grant(owner: PermitOwner): () => void {
    this.permits.add(owner);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.permits.remove(owner);
      this.startWaiters();
    };
  }

  private startWaiters(): void {
    for (let waiter = this.nextWaiter(); waiter; waiter = this.nextWaiter()) waiter.start();
  }

  /**
   * Prefers callers to background work; then the tenant with the fewest permits and its token with the fewest, so that
   * none of them can take all; then the order of arrival.
   */
  private nextWaiter(): Waiter | null {
    let best: { readonly waiter: Waiter; readonly rank: readonly [number, number] } | null = null;
    for (const waiter of this.waiters) {
      if (!this.permits.canAdd(waiter)) continue;
      const rank = this.rankOf(waiter);
      if (best === null || rank[0] < best.rank[0] || (rank[0] === best.rank[0] && rank[1] < best.rank[1]))
        best = { waiter, rank };
    }
    return best?.waiter ?? null;
  }

  private rankOf(waiter: Waiter): readonly [number, number] {
    if (waiter.lane === 'background') return [Infinity, 0];
    return [this.permits.runningOfGroup(waiter), this.permits.runningOf(waiter)];
  }

  /**
   * In a full queue the newest waiter of the tenant with the most makes room for one with fewer, and within a tenant
   * that of the token with the most. Otherwise two of them would refuse all others for as long as they like.
   */
  private ensureQueueSpace(requester: PermitOwner): void {
    const inLane = this.waiters.filter(({ lane }) => lane === requester.lane);
    const ofOwner = inLane.filter(({ owner }) => owner === requester.owner).length;
    if (ofOwner >= this.limits.maxWaitingPerToken) throw this.tooManyOfToken();
    if (inLane.length < this.limits.maxWaiting) return;
    const own = groupOfOwner(requester);
    const group = fullestFor(own, inLane, groupOfOwner);
    const candidates = inLane.filter((waiter) => groupOfOwner(waiter) === (group ?? own));
    const ownerKey = (waiter: PermitOwner): string => waiter.owner;
    const owner = group === null ? fullestFor(requester.owner, candidates, ownerKey) : fullest(candidates, ownerKey);
    if (owner === null) throw overloaded();
    candidates.findLast((waiter) => waiter.owner === owner)!.refuse(this.tooManyOfToken());
  }

  private enqueue(requester: PermitOwner, waitMs: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const dequeue = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
      };
      const onAbort = (): void => {
        dequeue();
        reject(toError(signal.reason));
      };
      const timer = setTimeout(() => {
        dequeue();
        reject(this.permits.isBlockedByOwner(requester) ? this.tooManyOfToken() : overloaded());
      }, waitMs);
      const waiter: Waiter = {
        ...requester,
        start: () => {
          dequeue();
          resolve(this.grant(requester));
        },
        refuse: (error) => {
          dequeue();
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiters.push(waiter);
    });
  }

  private tooManyOfToken(): ServiceError {
    return new ServiceError(
      'concurrency_limited',
      'This access token or its tenant has too many calls at once. Try again later.',
      {
        max_running: this.limits.maxRunningPerToken,
        max_waiting: this.limits.maxWaitingPerToken,
      }
    );
  }
}

type KeyOf = (waiter: PermitOwner) => string;

function countBy(waiters: readonly Waiter[], keyOf: KeyOf): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const waiter of waiters) counts.set(keyOf(waiter), (counts.get(keyOf(waiter)) ?? 0) + 1);
  return counts;
}

/** Key of the most waiters, of the newest of them where several have as many. */
function fullest(waiters: readonly Waiter[], keyOf: KeyOf): string | null {
  const counts = countBy(waiters, keyOf);
  const most = Math.max(0, ...counts.values());
  const newest = waiters.findLast((waiter) => counts.get(keyOf(waiter)) === most);
  return newest === undefined ? null : keyOf(newest);
}

/** @returns null where no key would have more waiters than the own one, once one of them has made room */
function fullestFor(own: string, waiters: readonly Waiter[], keyOf: KeyOf): string | null {
  const key = fullest(waiters, keyOf);
  const counts = countBy(waiters, keyOf);
  return key === null || counts.get(key)! < (counts.get(own) ?? 0) + 2 ? null : key;
}

function overloaded(): ServiceError {
  return new ServiceError('overloaded', 'The service has as much work as it can take. Try again later.');
}
