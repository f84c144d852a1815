/**
 * Budget for request bodies in memory, per token or tenant and in total. Counts bytes as they arrive and as they are
 * inflated.
 */
import { ServiceError } from '#contract/errors';
import type { BodyBudgetLimits } from '../../config';

export interface BodyBudget {
  /** @param owner token or tenant (`groupOf`) */
  open(owner: string): BodyReservation;
  readonly bytes: number;
}

/** Bytes reserved for one request. */
export interface BodyReservation {
  /**
   * Reserves the fixed overhead of the connection.
   *
   * @param announcedBytes the body is refused before any of it is received when this size does not fit
   * @throws ServiceError `concurrency_limited` when the token has too many bytes in memory, `overloaded` when all
   * tokens together have
   */
  start(announcedBytes: number): void;
  /** Adds bytes; reserves nothing when it throws. @throws the errors of `start` */
  add(bytes: number): void;
  subtract(bytes: number): void;
  /** Releases all bytes of the request. Further calls do nothing. */
  release(): void;
}

/**
 * Socket, parser and stream buffers of a request that is being received; without them tiny bodies would count as free.
 */
export const BYTES_PER_REQUEST = 65_536;

/** A token with no more than this in memory may use the reserve. */
export const SMALL_BYTES = 4 * 1024 * 1024;
/** Share of the memory that is the reserve: otherwise two tokens with large bodies would refuse those of all others. */
const RESERVED_SHARE = 1 / 4;

export function createBodyBudget({ maxBytes, maxBytesPerToken }: BodyBudgetLimits): BodyBudget {
  // A body of the maximum size always fits.
  const reservedBytes = Math.min(maxBytes * RESERVED_SHARE, maxBytes - maxBytesPerToken);
  const byOwner = new Map<string, number>();
  let total = 0;

  function change(owner: string, bytes: number): void {
    total += bytes;
    const rest = (byOwner.get(owner) ?? 0) + bytes;
    if (rest === 0) byOwner.delete(owner);
    else byOwner.set(owner, rest);
  }

  function ensureRoom(owner: string, bytes: number): void {
    const own = (byOwner.get(owner) ?? 0) + bytes;
    if (own > maxBytesPerToken)
      throw new ServiceError(
        'concurrency_limited',
        'The request bodies of this access token or its tenant need too much memory. Send fewer or smaller ones at a time.',
        { max_bytes: maxBytesPerToken }
      );
    if (total + bytes > (own <= SMALL_BYTES ? maxBytes : maxBytes - reservedBytes))
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
