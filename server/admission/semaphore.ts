/**
 * Semaphore for query runs with limits in total, per owner and per lane, and a bounded queue. Ad-hoc text and
 * background work have lanes of their own, so that they take neither permits nor queue places of saved queries. Checks
 * of text run nothing and have separate permits, so that an editor does not wait for queries.
 */
import { ServiceError } from '#contract/errors';
import type { SlotLimits } from '../config';

/**
 * `saved`: calls of saved queries. `adhoc`: unreviewed text. `check`: text that is compiled and not run. `background`:
 * refreshes, which run only when no caller waits.
 */
export type Lane = 'saved' | 'adhoc' | 'check' | 'background';

export const LANES: readonly Lane[] = ['saved', 'adhoc', 'check', 'background'];

export interface PermitRequest {
  /** Owner of the permit: the id of a token, or a fixed name for background work. */
  readonly owner: string;
  readonly lane: Lane;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface Semaphore {
  /**
   * Waits for a permit. @returns a function that releases it; further calls do nothing
   * @throws ServiceError `overloaded`, or `concurrency_limited` when the owner's own limits are exhausted; the signal's
   * reason when it aborts
   */
  acquire(request: PermitRequest): Promise<() => void>;
  /** Permits in use, checks not included. */
  readonly running: number;
  readonly waiting: number;
  runningIn(lane: Lane): number;
  waitingIn(lane: Lane): number;
}

type Requester = Pick<PermitRequest, 'owner' | 'lane'>;

interface Waiter extends Requester {
  start(): void;
}

export function createSemaphore(limits: SlotLimits): Semaphore {
  const maxByLane: Record<Lane, number> = {
    saved: limits.maxRunning,
    adhoc: limits.maxRunningAdhoc,
    check: limits.maxRunningChecks,
    background: limits.maxRunningBackground,
  };
  const waiters: Waiter[] = [];
  let running = 0;
  const byLane = createCounts();
  const byOwner = createCounts();
  const byLaneAndOwner = createCounts();

  /** In lanes that any caller can fill, one owner leaves at least one permit to others, unless there is only one. */
  const maxOfOwnerIn = (lane: Lane): number =>
    lane === 'adhoc' || lane === 'check' ? Math.max(1, maxByLane[lane] - 1) : maxByLane[lane];
  const hasLanePermit = ({ lane }: Requester): boolean =>
    byLane.of(lane) < maxByLane[lane] && (lane === 'check' || running < limits.maxRunning);
  const isOwnerFull = (requester: Requester): boolean =>
    byLaneAndOwner.of(laneAndOwner(requester)) >= maxOfOwnerIn(requester.lane) ||
    (requester.lane !== 'check' && byOwner.of(requester.owner) >= limits.maxRunningPerToken);
  const canAcquire = (requester: Requester): boolean => hasLanePermit(requester) && !isOwnerFull(requester);
  /** Whether the owner's own limits block the request. */
  const isOwnReason = (requester: Requester): boolean =>
    (requester.lane !== 'check' && byOwner.of(requester.owner) >= limits.maxRunningPerToken) ||
    (hasLanePermit(requester) && isOwnerFull(requester));

  function add(requester: Requester, change: 1 | -1): void {
    byLane.add(requester.lane, change);
    byLaneAndOwner.add(laneAndOwner(requester), change);
    if (requester.lane === 'check') return;
    running += change;
    byOwner.add(requester.owner, change);
  }

  function grant(requester: Requester): () => void {
    add(requester, 1);
    let isHolding = true;
    return () => {
      if (!isHolding) return;
      isHolding = false;
      add(requester, -1);
      for (let waiter = next(); waiter; waiter = next()) waiter.start();
    };
  }

  /**
   * Prefers callers to background work; then the owner with the fewest permits, so that one token cannot take all; then
   * the order of arrival.
   */
  function next(): Waiter | null {
    const rank = (waiter: Waiter): number => {
      if (waiter.lane === 'background') return Infinity;
      return waiter.lane === 'check' ? byLaneAndOwner.of(laneAndOwner(waiter)) : byOwner.of(waiter.owner);
    };
    return waiters
      .filter(canAcquire)
      .reduce<Waiter | null>((best, waiter) => (best === null || rank(waiter) < rank(best) ? waiter : best), null);
  }

  function refusal({ owner, lane }: Requester): ServiceError | null {
    const inLane = waiters.filter((waiter) => waiter.lane === lane);
    const ofOwner = inLane.filter((waiter) => waiter.owner === owner).length;
    if (ofOwner >= limits.maxWaitingPerToken) return tooManyOfToken(limits);
    return inLane.length >= limits.maxWaiting ? overloaded() : null;
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiters.length;
    },
    runningIn: (lane) => byLane.of(lane),
    waitingIn: (lane) => waiters.filter((waiter) => waiter.lane === lane).length,
    async acquire({ owner, lane, waitMs, signal }) {
      signal.throwIfAborted();
      const requester = { owner, lane };
      // If a permit is free while others wait, none of them may take it, so no waiter is overtaken.
      if (canAcquire(requester)) return grant(requester);
      const refused = refusal(requester);
      if (refused) throw refused;
      return new Promise((resolve, reject) => {
        const dequeue = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          waiters.splice(waiters.indexOf(waiter), 1);
        };
        const onAbort = (): void => {
          dequeue();
          reject(signal.reason as Error);
        };
        const timer = setTimeout(() => {
          dequeue();
          reject(isOwnReason(requester) ? tooManyOfToken(limits) : overloaded());
        }, waitMs);
        const waiter: Waiter = {
          ...requester,
          start: () => {
            dequeue();
            resolve(grant(requester));
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiters.push(waiter);
      });
    },
  };
}

interface Counts {
  of(key: string): number;
  add(key: string, change: 1 | -1): void;
}

function createCounts(): Counts {
  const counts = new Map<string, number>();
  const of = (key: string): number => counts.get(key) ?? 0;
  return {
    of,
    add(key, change) {
      const count = of(key) + change;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}

function laneAndOwner({ lane, owner }: Requester): string {
  return `${lane} ${owner}`;
}

function overloaded(): ServiceError {
  return new ServiceError('overloaded', 'The service has as much work as it can take. Try again later.');
}

function tooManyOfToken(limits: SlotLimits): ServiceError {
  return new ServiceError('concurrency_limited', 'This access token has too many calls at once. Try again later.', {
    max_running: limits.maxRunningPerToken,
    max_waiting: limits.maxWaitingPerToken,
  });
}
