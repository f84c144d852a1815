/** Facts about a request other than its content, for logs, `X-Request-Id` and `Server-Timing`. */
import type { IncomingMessage } from 'node:http';
import type { ServiceError } from '#contract/errors';
import type { NotedCall } from '../../monitoring/activity/noted-call';

export interface RequestFacts {
  readonly id: string;
  readonly traceId: string;
  readonly startedAtMs: number;
  /** Pattern of the route, set once a route matches. Never the path, which may contain texts of the caller. */
  route?: string;
  tokenId?: string;
  /** The call that the request makes, once its saved query is known. */
  call?: NotedCall;
  /** Error of a refused request. */
  failure?: Pick<ServiceError, 'code' | 'status' | 'details'>;
}

/**
 * Property instead of a WeakMap, whose entries would keep each request alive until the next full garbage collection.
 */
const FACTS = Symbol('facts');

interface WithFacts {
  [FACTS]?: RequestFacts;
}

export function setRequestFacts(req: IncomingMessage, value: RequestFacts): void {
  (req as WithFacts)[FACTS] = value;
}

export function requestFacts(req: IncomingMessage): RequestFacts {
  const value = (req as WithFacts)[FACTS];
  if (!value) throw new Error('identify-request must come first');
  return value;
}
