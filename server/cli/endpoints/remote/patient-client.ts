/**
 * Client that waits for a server that refuses requests for the moment (429, 503), and gives up soon on one that does not
 * answer, because its URL may be wrong.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createManagementClient,
  type ManagementClient,
  ManagementError,
  type ManagementTarget,
} from '../../management-client';

interface Patience {
  /** For a server that does not answer. */
  readonly unreachableMs: number;
  /** For a server that answers 429 or 503; more than the minute that rates are counted in. */
  readonly busyMs: number;
}

const PATIENCE: Patience = { unreachableMs: 8000, busyMs: 180_000 };
const BUSY_STATUSES: readonly (number | null)[] = [429, 503];

export function createPatientClient(
  target: ManagementTarget,
  onWait: (line: string) => void,
  { unreachableMs, busyMs }: Patience = PATIENCE
): ManagementClient {
  const client = createManagementClient(target, { patienceMs: unreachableMs, onWait });
  return {
    async send(request) {
      for (const giveUpAt = Date.now() + busyMs; ;) {
        try {
          return await client.send(request);
        } catch (error) {
          if (!(error instanceof ManagementError) || !BUSY_STATUSES.includes(error.status)) throw error;
          const seconds = error.details['retry_after_seconds'];
          const waitMs = typeof seconds === 'number' ? Math.max(1, seconds) * 1000 : 1000;
          if (Date.now() + waitMs > giveUpAt) throw error;
          onWait(`${error.message} Waiting ${Math.ceil(waitMs / 1000)} s.`);
          await sleep(waitMs);
        }
      }
    },
  };
}
