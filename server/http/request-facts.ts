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

const facts = new WeakMap<IncomingMessage, RequestFacts>();

export function setRequestFacts(req: IncomingMessage, value: RequestFacts): void {
  facts.set(req, value);
}

export function requestFacts(req: IncomingMessage): RequestFacts {
  const value = facts.get(req);
  if (!value) throw new Error('identify-request must come first');
  return value;
}
