/**
 * Places for work: so many in all, so many for one owner, so many for one lane; the rest waits within bounds. Ad-hoc text and background
 * work have lanes of their own, so that neither takes the places or the queue of saved queries.
 */
import { ServiceError } from '#contract/errors';
import type { SlotLimits } from '../config';

/** `saved`: what callers wait for. `adhoc`: text nobody has reviewed. `background`: nobody waits; runs only when no caller could. */
export type Lane = 'saved' | 'adhoc' | 'background';

export interface SlotRequest {
  /** Whose places are counted: the id of a token, or a name of our own for background work. */
  readonly owner: string;
  readonly lane: Lane;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface Slots {
  /**
   * Waits for a place. @returns a function that gives it back; further calls of it do nothing.
   * @throws ServiceError `overloaded`, or `concurrency_limited` when the owner itself is the reason; the signal's reason when it aborts.
   */
  enter(request: SlotRequest): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
  runningIn(lane: Lane): number;
  waitingIn(lane: Lane): number;
}

type Visitor = Pick<SlotRequest, 'owner' | 'lane'>;

interface Waiter extends Visitor {
  start(): void;
}

export function createSlots(limits: SlotLimits): Slots {
  const runningByOwner = new Map<string, number>();
  const runningByLane: Record<Lane, number> = { saved: 0, adhoc: 0, background: 0 };
  const maxByLane: Record<Lane, number> = {
    saved: limits.maxRunning,
    adhoc: limits.maxRunningAdhoc,
    background: limits.maxRunningBackground,
  };
  const waiters: Waiter[] = [];
  let total = 0;

  const runningOf = (owner: string): number => runningByOwner.get(owner) ?? 0;
  const hasPlace = ({ owner, lane }: Visitor): boolean =>
    total < limits.maxRunning && runningByLane[lane] < maxByLane[lane] && runningOf(owner) < limits.maxRunningPerToken;

  function take({ owner, lane }: Visitor): () => void {
    total += 1;
    runningByLane[lane] += 1;
    runningByOwner.set(owner, runningOf(owner) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      total -= 1;
      runningByLane[lane] -= 1;
      if (runningOf(owner) === 1) runningByOwner.delete(owner);
      else runningByOwner.set(owner, runningOf(owner) - 1);
      for (let waiter = next(); waiter; waiter = next()) waiter.start();
    };
  }

  /** Callers before background work; among them the owner with the fewest places, so that one token cannot keep all; then by arrival. */
  function next(): Waiter | null {
    const rank = (waiter: Waiter): number => (waiter.lane === 'background' ? Infinity : runningOf(waiter.owner));
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
      return total;
    },
    get waiting() {
      return waiters.length;
    },
    runningIn: (lane) => runningByLane[lane],
    waitingIn: (lane) => waiters.filter((waiter) => waiter.lane === lane).length,
    async enter({ owner, lane, waitMs, signal }) {
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
          reject(runningOf(owner) >= limits.maxRunningPerToken ? tooManyOfToken(limits) : overloaded());
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

function overloaded(): ServiceError {
  return new ServiceError('overloaded', 'The service has as much work as it can take. Try again later.');
}

function tooManyOfToken(limits: SlotLimits): ServiceError {
  return new ServiceError('concurrency_limited', 'This access token has too many calls at once. Try again later.', {
    max_running: limits.maxRunningPerToken,
    max_waiting: limits.maxWaitingPerToken,
  });
}
