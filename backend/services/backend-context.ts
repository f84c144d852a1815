/** The live things a service needs, built once in `main.ts` and passed as an argument. */
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
