/** Rate limits: requests per token, and wrong keys per client address, so that keys cannot be guessed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { Clock } from '../common/clock';
import type { RateLimits } from '../config';
import type { Principal } from '../catalog/tokens/principal';
import { peerOf } from './peer-address';
import { createRateLimiter, RATE_WINDOW_SECONDS, type RateState } from './rate-limiter';

export interface Admission {
  /**
   * Counts a request of a token and reports the remaining quota in the headers `RateLimit-Policy` and `RateLimit`
   * (draft-ietf-httpapi-ratelimit-headers). @throws ServiceError `rate_limited`
   */
  admit(principal: Principal, res: ServerResponse): void;
  /**
   * Counts a change of a saved query or a token.
   * @param owner who makes it: a token, or all tokens of a tenant
   * @throws ServiceError `rate_limited`
   */
  admitChange(owner: string): void;
  /** Whether the client address has sent too many wrong keys. */
  isGuessing(req: IncomingMessage): boolean;
  /** Counts a wrong key of the client address. */
  noteWrongKey(req: IncomingMessage): void;
  /** Error for a client address that has sent too many wrong keys. */
  guessingError(req: IncomingMessage): ServiceError;
}

/** Bounds the memory: tokens are limited by the token file, but an attacker can use any number of addresses. */
const MAX_KEYS = 20_000;

export function createAdmission(limits: RateLimits, clock: Clock): Admission {
  const tokens = createRateLimiter(MAX_KEYS, () => clock.monotonicMs());
  const changes = createRateLimiter(MAX_KEYS, () => clock.monotonicMs());
  const peers = createRateLimiter(MAX_KEYS, () => clock.monotonicMs());
  const wrongKeys = (req: IncomingMessage): RateState => peers.look(peerOf(req.socket), limits.maxWrongKeysPerMinute);

  return {
    admit({ tokenId, policy }, res) {
      const quota = policy.rate ?? limits.maxRequestsPerMinute;
      const { isAllowed, remaining, resetSeconds } = tokens.take(tokenId, quota);
      res.setHeader('RateLimit-Policy', `"token";q=${quota};w=${RATE_WINDOW_SECONDS}`);
      res.setHeader('RateLimit', `"token";r=${remaining};t=${resetSeconds}`);
      if (isAllowed) return;
      throw new ServiceError('rate_limited', `This access token may send ${quota} requests a minute.`, {
        max_requests: quota,
        window_seconds: RATE_WINDOW_SECONDS,
        retry_after_seconds: resetSeconds,
      });
    },
    admitChange(owner) {
      const { isAllowed, resetSeconds } = changes.take(owner, limits.maxChangesPerMinute);
      if (isAllowed) return;
      throw new ServiceError(
        'rate_limited',
        `This access token may make ${limits.maxChangesPerMinute} changes a minute.`,
        { reason: 'changes', max_requests: limits.maxChangesPerMinute, retry_after_seconds: resetSeconds }
      );
    },
    isGuessing: (req) => !wrongKeys(req).isAllowed,
    noteWrongKey: (req) => void peers.take(peerOf(req.socket), limits.maxWrongKeysPerMinute),
    guessingError: (req) =>
      new ServiceError('rate_limited', 'Too many wrong access tokens have come from this address.', {
        reason: 'wrong_keys',
        retry_after_seconds: wrongKeys(req).resetSeconds,
      }),
  };
}
