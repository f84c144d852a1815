/** Answers that their callers have not read yet lie in memory: so many bytes for one token, so many in all, each for so long. */
import type { ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { AnswerLimits } from '../config';

export interface UnsentAnswers {
  /** @throws ServiceError `concurrency_limited` when the owner leaves too much unread, `overloaded` when all together do */
  ensureRoom(owner: string): void;
  /** Counts an answer until it is out or given up; it is given up when the caller does not take it in time. */
  hold(res: ServerResponse, owner: string, bytes: number): void;
  readonly bytes: number;
}

export function createUnsentAnswers({ maxBytes, maxBytesPerToken, timeoutMs }: AnswerLimits): UnsentAnswers {
  const byOwner = new Map<string, number>();
  let total = 0;

  function add(owner: string, bytes: number): void {
    total += bytes;
    const rest = (byOwner.get(owner) ?? 0) + bytes;
    if (rest === 0) byOwner.delete(owner);
    else byOwner.set(owner, rest);
  }

  return {
    get bytes() {
      return total;
    },
    ensureRoom(owner) {
      if ((byOwner.get(owner) ?? 0) >= maxBytesPerToken)
        throw new ServiceError('concurrency_limited', 'This access token leaves too many answers unread.', {
          max_unread_bytes: maxBytesPerToken,
        });
      if (total >= maxBytes)
        throw new ServiceError('overloaded', 'The service has as much work as it can take. Try again later.');
    },
    hold(res, owner, bytes) {
      if (res.destroyed) return;
      add(owner, bytes);
      const timer = setTimeout(() => res.destroy(), timeoutMs);
      res.once('close', () => {
        clearTimeout(timer);
        add(owner, -bytes);
      });
    },
  };
}
