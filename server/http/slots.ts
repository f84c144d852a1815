/** Places for work: so many in all, so many for one owner; the rest waits in order of arrival, within bounds. */
import { ServiceError } from '#contract/errors';
import type { SlotLimits } from '../config';

export interface Slots {
  /**
   * Waits for a place. @returns a function that gives it back.
   * @throws ServiceError `overloaded`, or `concurrency_limited` when the owner itself is the reason; the signal's reason when it aborts.
   */
  enter(owner: string, waitMs: number, signal: AbortSignal): Promise<() => void>;
  readonly running: number;
}

interface Waiter {
  readonly owner: string;
  start(): void;
}

export function createSlots(limits: SlotLimits): Slots {
  const running = new Map<string, number>();
  const waiters: Waiter[] = [];
  let total = 0;

  const runningOf = (owner: string): number => running.get(owner) ?? 0;
  const hasPlace = (owner: string): boolean =>
    total < limits.maxRunning && runningOf(owner) < limits.maxRunningPerToken;

  function take(owner: string): () => void {
    total += 1;
    running.set(owner, runningOf(owner) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      total -= 1;
      if (runningOf(owner) === 1) running.delete(owner);
      else running.set(owner, runningOf(owner) - 1);
      waiters.find((waiter) => hasPlace(waiter.owner))?.start();
    };
  }

  function refusal(owner: string): ServiceError | null {
    const ofOwner = waiters.filter((waiter) => waiter.owner === owner).length;
    if (ofOwner >= limits.maxWaitingPerToken) return tooManyOfToken(limits);
    return waiters.length >= limits.maxWaiting ? overloaded() : null;
  }

  return {
    get running() {
      return total;
    },
    async enter(owner, waitMs, signal) {
      signal.throwIfAborted();
      if (hasPlace(owner)) return take(owner);
      const refused = refusal(owner);
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
          owner,
          start: () => {
            leave();
            resolve(take(owner));
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
