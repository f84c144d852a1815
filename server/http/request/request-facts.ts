/** What is known of a request beside its content: for logs, for `X-Request-Id`, for `Server-Timing`. */
import type { IncomingMessage } from 'node:http';
import type { ServiceError } from '#contract/errors';

export interface RequestFacts {
  readonly id: string;
  readonly traceId: string;
  readonly startedAtMs: number;
  /** The pattern, never the path: a path may hold what a caller typed. Set when a route was found. */
  route?: string;
  tokenId?: string;
  /** Why the request was refused. */
  failure?: Pick<ServiceError, 'code' | 'details'>;
}

/** A property of the request: an entry of a WeakMap would keep each request alive until the next full garbage collection. */
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
