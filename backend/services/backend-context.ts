/** Dependencies of the services, created once in `main.ts`. */
import type { Instances } from '../instances/instances';
import type { Metrics } from '../metrics';
import type { Logger } from '../plugin-protocol/log';

export interface BackendContext {
  readonly instances: Instances;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
