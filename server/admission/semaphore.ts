/**
 * Semaphore for query runs with limits in total, per owner and per lane, and a bounded queue. Ad-hoc text and background work have lanes
 * of their own, so that they take neither permits nor queue places of saved queries. Checks of text run nothing and have separate
 * permits, so that an editor does not wait for queries.
 */
import { ServiceError } from '#contract/errors';
import type { SlotLimits } from '../config';

/**
 * `saved`: calls of saved queries. `adhoc`: unreviewed text. `check`: text that is compiled and not run. `background`: refreshes, which
 * run only when no caller waits.
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
   * Waits for a permit. @returns a function that releases it; further calls do nothing.
   * @throws ServiceError `overloaded`, or `concurrency_limited` when the owner itself is the reason; the signal's reason when it aborts.
   */
  acquire(request: PermitRequest): Promise<() => void>;
  /** Checks left out. */
  readonly running: number;
  readonly waiting: number;
  runningIn(lane: Lane): number;
  waitingIn(lane: Lane): number;
}

type Visitor = Pick<PermitRequest, 'owner' | 'lane'>;

interface Waiter extends Visitor {
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

  /** Of ad-hoc text and checks, which any caller can write, one owner leaves a place to others where there are two. */
  const maxOfOwnerIn = (lane: Lane): number =>
    lane === 'adhoc' || lane === 'check' ? Math.max(1, maxByLane[lane] - 1) : maxByLane[lane];
  const hasLanePermit = ({ lane }: Visitor): boolean =>
    byLane.of(lane) < maxByLane[lane] && (lane === 'check' || running < limits.maxRunning);
  const isOwnerFull = (visitor: Visitor): boolean =>
    byLaneAndOwner.of(laneAndOwner(visitor)) >= maxOfOwnerIn(visitor.lane) ||
    (visitor.lane !== 'check' && byOwner.of(visitor.owner) >= limits.maxRunningPerToken);
  const hasPlace = (visitor: Visitor): boolean => hasLanePermit(visitor) && !isOwnerFull(visitor);
  /** The owner itself keeps it waiting. */
  const isOwnReason = (visitor: Visitor): boolean =>
    (visitor.lane !== 'check' && byOwner.of(visitor.owner) >= limits.maxRunningPerToken) ||
    (hasLanePermit(visitor) && isOwnerFull(visitor));

  function add(visitor: Visitor, change: 1 | -1): void {
    byLane.add(visitor.lane, change);
    byLaneAndOwner.add(laneAndOwner(visitor), change);
    if (visitor.lane === 'check') return;
    running += change;
    byOwner.add(visitor.owner, change);
  }

  function take(visitor: Visitor): () => void {
    add(visitor, 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      add(visitor, -1);
      for (let waiter = next(); waiter; waiter = next()) waiter.start();
    };
  }

  /** Callers before background work; among them the owner with the fewest places, so that one token cannot keep all; then by arrival. */
  function next(): Waiter | null {
    const rank = (waiter: Waiter): number => {
      if (waiter.lane === 'background') return Infinity;
      return waiter.lane === 'check' ? byLaneAndOwner.of(laneAndOwner(waiter)) : byOwner.of(waiter.owner);
    };
    return waiters
      .filter(hasPlace)
      .reduce<Waiter | null>((best, waiter) => (best === null || rank(waiter) < rank(best) ? waiter : best), null);
  }

  function refusal({ owner, lane }: Visitor): ServiceError | null {
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
      const visitor = { owner, lane };
      // A place that is free while others wait is one that none of them may take.
      if (hasPlace(visitor)) return take(visitor);
      const refused = refusal(visitor);
      if (refused) throw refused;
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          waiters.splice(waiters.indexOf(waiter), 1);
        };
        const giveUp = (): void => {
          leave();
          reject(signal.reason as Error);
        };
        const timer = setTimeout(() => {
          leave();
          reject(isOwnReason(visitor) ? tooManyOfToken(limits) : overloaded());
        }, waitMs);
        const waiter: Waiter = {
          ...visitor,
          start: () => {
            leave();
            resolve(take(visitor));
          },
        };
        signal.addEventListener('abort', giveUp, { once: true });
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

function laneAndOwner({ lane, owner }: Visitor): string {
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
