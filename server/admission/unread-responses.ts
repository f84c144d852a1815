/** Bounds the memory of responses that slow clients have not read: per token and in total. `connections/` bounds the time. */
import type { ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { AnswerLimits } from '../config';

export interface UnreadResponses {
  /**
   * @throws ServiceError `concurrency_limited` when the owner has too many unread bytes, `overloaded` when all owners
   * together have
   */
  ensureRoom(owner: string): void;
  /** Counts a response until it is sent. */
  track(res: ServerResponse, owner: string, bytes: number): void;
  readonly bytes: number;
}

export function createUnreadResponses({ maxBytes, maxBytesPerToken }: AnswerLimits): UnreadResponses {
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
        throw new ServiceError(
          'concurrency_limited',
          'Too many unread responses for this token. Read or close them, then retry.',
          {
            max_unread_bytes: maxBytesPerToken,
          }
        );
      if (total >= maxBytes)
        throw new ServiceError('overloaded', 'The service has as much work as it can take. Try again later.');
    },
    track(res, owner, bytes) {
      if (res.destroyed) return;
      add(owner, bytes);
      res.once('close', () => add(owner, -bytes));
    },
  };
}
