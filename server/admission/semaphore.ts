/** Semaphore for query runs: hands out permits within their limits, and keeps a bounded queue for each lane. */
import { ServiceError } from '#contract/errors';
import type { SlotLimits } from '../config';
import { type Lane, type PermitOwner, Permits } from './permits';
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

  constructor(private readonly limits: SlotLimits) {
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
  async acquire({ owner, lane, waitMs, signal }: PermitRequest): Promise<() => void> {
    signal.throwIfAborted();
    const requester = { owner, lane };
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
   * Prefers callers to background work; then the owner with the fewest permits, so that one token cannot take all; then
   * the order of arrival.
   */
  private nextWaiter(): Waiter | null {
    const rank = (waiter: Waiter): number => (waiter.lane === 'background' ? Infinity : this.permits.runningOf(waiter));
    return this.waiters
      .filter((waiter) => this.permits.canAdd(waiter))
      .reduce<Waiter | null>((best, waiter) => (best === null || rank(waiter) < rank(best) ? waiter : best), null);
  }

  /**
   * In a full queue the newest waiter of the owner with the most makes room for an owner with fewer. Otherwise two
   * owners would refuse all others for as long as they like.
   */
  private ensureQueueSpace({ owner, lane }: PermitOwner): void {
    const inLane = this.waiters.filter((waiter) => waiter.lane === lane);
    const counts = countByOwner(inLane);
    const ofOwner = counts.get(owner) ?? 0;
    if (ofOwner >= this.limits.maxWaitingPerToken) throw this.tooManyOfToken();
    if (inLane.length < this.limits.maxWaiting) return;
    const most = Math.max(0, ...counts.values());
    if (most < ofOwner + 2) throw overloaded();
    inLane.findLast((waiter) => counts.get(waiter.owner) === most)!.refuse(this.tooManyOfToken());
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
    return new ServiceError('concurrency_limited', 'This access token has too many calls at once. Try again later.', {
      max_running: this.limits.maxRunningPerToken,
      max_waiting: this.limits.maxWaitingPerToken,
    });
  }
}

function countByOwner(waiters: readonly Waiter[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { owner } of waiters) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return counts;
}

function overloaded(): ServiceError {
  return new ServiceError('overloaded', 'The service has as much work as it can take. Try again later.');
}
