/**
 * Bounds the memory of responses that slow clients have not read: per token or tenant (`groupOf`), and in total.
 * `connections/` bounds the time.
 */
import type { ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { UnreadResponseLimits } from '../config';
import { OwnedBytes } from './owned-bytes';

export interface UnreadResponses {
  /**
   * @throws ServiceError `concurrency_limited` when the owner has too many unread bytes, `overloaded` when all owners
   * together have
   */
  ensureRoom(owner: string): void;
  /** Checks the owner alone, so that unread responses of others refuse no events. @throws `concurrency_limited` */
  ensureOwnRoom(owner: string): void;
  /** Counts the body of a response until it is sent, unless `track` or `trackShared` counts it. */
  watch(res: ServerResponse, owner: string): void;
  /** Counts a response until it is sent, from before its body is compressed. */
  track(res: ServerResponse, owner: string, bytes: number): void;
  /**
   * Counts bytes that several responses share, once for their owner and once in total: a cache may drop them while
   * clients still read them.
   */
  trackShared(res: ServerResponse, owner: string, body: Uint8Array): void;
  readonly bytes: number;
}

const COUNTED = Symbol('counted');

interface CountedResponse extends ServerResponse {
  [COUNTED]?: true;
}

/** An owner with no more than this unread may use the reserve. */
const SMALL_BYTES = 4 * 1024 * 1024;
/** Share of the memory that is the reserve: otherwise a few owners that do not read would refuse all others. */
const RESERVED_SHARE = 1 / 4;

export function createUnreadResponses({ maxBytes, maxBytesPerToken }: UnreadResponseLimits): UnreadResponses {
  const unread = new OwnedBytes();

  function track(res: CountedResponse, owner: string, bytes: number): void {
    res[COUNTED] = true;
    if (!res.destroyed) res.once('close', unread.add(owner, bytes));
  }

  function ensureOwnRoom(owner: string): void {
    if (unread.of(owner) >= maxBytesPerToken)
      throw new ServiceError(
        'concurrency_limited',
        'Too many unread responses for this token or its tenant. Read or close them, then retry.',
        { max_unread_bytes: maxBytesPerToken }
      );
  }

  return {
    get bytes() {
      return unread.total;
    },
    ensureRoom(owner) {
      ensureOwnRoom(owner);
      const isSmall = unread.of(owner) <= SMALL_BYTES;
      if (unread.total >= (isSmall ? maxBytes : maxBytes * (1 - RESERVED_SHARE)))
        throw new ServiceError('overloaded', 'The service has as much work as it can take. Try again later.');
    },
    ensureOwnRoom,
    watch(res: CountedResponse, owner) {
      res.once('prefinish', () => {
        const bytes = Number(res.getHeader('Content-Length') ?? 0);
        if (!res[COUNTED] && bytes > 0) track(res, owner, bytes);
      });
    },
    track,
    trackShared(res: CountedResponse, owner, body) {
      res[COUNTED] = true;
      if (!res.destroyed) res.once('close', unread.addShared(owner, body));
    },
  };
}
