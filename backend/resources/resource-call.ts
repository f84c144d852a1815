/** One call of a resource, as its route gets it. */
import type { Instance } from '../instances/instance';
import type { User } from '../proto/messages';
import type { CallContext } from '../service-client/service-client';

export interface ResourceCall {
  readonly instance: Instance;
  readonly ctx: CallContext;
  /** The segment `*` of the path, decoded. */
  readonly argument: string;
  readonly query: URLSearchParams;
  /** The user of the session in Grafana; null: no user. */
  readonly user: User | null;
  /** The user's organization in Grafana. */
  readonly orgId: number;
  /** The parsed body. */
  readonly body: () => unknown;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A random id. */
  readonly newId: () => string;
}
