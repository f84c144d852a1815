/** Bytes of request bodies in memory: a limit for one token and one for all, counted as they arrive and as inflating makes them. */
import { ServiceError } from '#contract/errors';
import type { BodyBudgetLimits } from '../../config';

export interface BodyBudget {
  /** @param owner id of the token */
  open(owner: string): BodyReservation;
  readonly bytes: number;
}

/** The bytes of one request. */
export interface BodyReservation {
  /**
   * Counts what the connection itself needs.
   *
   * @param announcedBytes the body is refused, before any of it is received, when so many bytes do not fit
   * @throws ServiceError `concurrency_limited` when the token has too many bytes in memory, `overloaded` when all tokens together have
   */
  start(announcedBytes: number): void;
  /** Counts nothing when it throws, and throws as `start` does. */
  add(bytes: number): void;
  subtract(bytes: number): void;
  /** Returns all bytes of the request; further calls do nothing. */
  release(): void;
}

/** Socket, parser and stream buffers of a request that is being received: else tiny bodies would be free. */
export const BYTES_PER_REQUEST = 65_536;

export function createBodyBudget({ maxBytes, maxBytesPerToken }: BodyBudgetLimits): BodyBudget {
  const byOwner = new Map<string, number>();
  let total = 0;

  function change(owner: string, bytes: number): void {
    total += bytes;
    const rest = (byOwner.get(owner) ?? 0) + bytes;
    if (rest === 0) byOwner.delete(owner);
    else byOwner.set(owner, rest);
  }

  function ensureRoom(owner: string, bytes: number): void {
    if ((byOwner.get(owner) ?? 0) + bytes > maxBytesPerToken)
      throw new ServiceError(
        'concurrency_limited',
        'The request bodies of this access token need too much memory at once. Send fewer or smaller ones at a time.',
        { max_bytes: maxBytesPerToken }
      );
    if (total + bytes > maxBytes)
      throw new ServiceError('overloaded', 'The service has as much work as it can take. Try again later.');
  }

  return {
    get bytes() {
      return total;
    },
    open(owner) {
      let own = 0;
      let isOpen = true;
      const add = (bytes: number): void => {
        if (!isOpen) throw new Error('bytes of a request body were counted after its end');
        own += bytes;
        change(owner, bytes);
      };
      return {
        start: (announcedBytes) => {
          ensureRoom(owner, BYTES_PER_REQUEST + announcedBytes);
          add(BYTES_PER_REQUEST);
        },
        add: (bytes) => {
          ensureRoom(owner, bytes);
          add(bytes);
        },
        subtract: (bytes) => add(-bytes),
        release: () => {
          if (!isOpen) return;
          change(owner, -own);
          isOpen = false;
        },
      };
    },
  };
}
