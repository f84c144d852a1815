/** A failure of a backup or a restore that its message explains to the operator. */
import { errorCode, toError } from '../../common/caught-error';

export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Replaces the error of a full disk by one that names the folder. Other errors stay. */
export function withDiskName(folder: string, error: unknown): unknown {
  const code = errorCode(error);
  const { message } = toError(error);
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device/.test(message);
  if (!isFull) return error;
  return new BackupError(`The disk of ${folder} is full. Free space there, and run the command again to continue.`, {
    cause: error,
  });
}
