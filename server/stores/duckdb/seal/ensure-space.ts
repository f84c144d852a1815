/**
 * Refuses a seal that would fill the disk. A checkpoint that runs out of disk space makes DuckDB refuse every statement
 * that reads sealed days, until another process opens the file.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';
import { partBytes } from '../file/part-sizes';
import type { SourceState } from '../sources/source-state';
import { partsOf } from '../tables/stored-parts';

/** For the journal and the logs of both files, which grow during a seal. */
const SPARE_BYTES = 256 * 1024 * 1024;

/** @throws ServiceError `backend_unavailable` with `reason: disk_full` */
export async function ensureSpace(
  connection: DuckDBConnection,
  state: SourceState,
  day: number,
  freeBytes: () => Promise<number>
): Promise<void> {
  let needed = SPARE_BYTES;
  for (const part of partsOf(state, day)) needed += await partBytes(connection, part);
  if ((await freeBytes()) >= needed) return;
  const megabytes = Math.ceil(needed / 1024 / 1024);
  throw new ServiceError(
    'backend_unavailable',
    `The disk of the data folder is too full to seal a day: ${megabytes} MiB must be free.`,
    { reason: 'disk_full' }
  );
}
