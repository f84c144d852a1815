/** Marks a data folder whose restore has not ended: it must not be served as if it were whole. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '#contract/errors';

/** File of the data folder with the progress of a restore. */
export const RESTORE_STATE = 'restore.json';

/** @throws ServiceError `backend_unavailable` */
export function ensureRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, RESTORE_STATE))) return;
  throw new ServiceError(
    'backend_unavailable',
    `The restore into ${dataDir} has not ended. Run "lqe restore" again to continue it.`,
    { reason: 'restore_unfinished' }
  );
}
