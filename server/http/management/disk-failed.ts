/** Error of a change that the disk of the data folder refuses, for example because it is full. */
import { ServiceError } from '#contract/errors';
import { failedCall } from '../../common/caught-error';

/** @returns null for a failure that no system call reported */
export function diskFailed(cause: unknown, sentence: string): ServiceError | null {
  if (failedCall(cause) === undefined) return null;
  const details = { reason: 'disk_failed', hint: 'the operator finds the cause in the log of the server' };
  return new ServiceError('backend_unavailable', sentence, details, { cause });
}
