/** Reads the journal folder, and whole files of it. Anything but a regular file is refused. */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError } from '#contract/errors';
import { type DecodedFile } from './decoded-file';
import { decodeFile } from './decode-file';
import { errorCode } from '../../common/caught-error';

/** Flags for a file that is read. Without `O_NONBLOCK`, a pipe at the path would block the start forever. */
export const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** @throws ServiceError `backend_unavailable` with `reason: journal_unreadable` */
export async function readJournalFile(path: string): Promise<DecodedFile> {
  const handle = await open(path, READ).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    return decodeFile(await readRegularFile(handle));
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await handle.close();
  }
}

/**
 * Names of the files in the folder, which is made where it is missing.
 * @throws ServiceError `backend_unavailable` with `reason: journal_unreadable`
 */
export async function readJournalFolder(dir: string): Promise<string[]> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return await readdir(dir);
  } catch (error) {
    throw new ServiceError(
      'backend_unavailable',
      `The journal folder cannot be read (${errorCode(error)}).`,
      { reason: 'journal_unreadable', hint: 'let the user of the server read and write it' },
      { cause: error }
    );
  }
}

async function readRegularFile(handle: FileHandle): Promise<Buffer> {
  if (!(await handle.stat()).isFile()) throw new Error('It is not a regular file.');
  return handle.readFile();
}

function unreadable(path: string, cause: unknown): ServiceError {
  const code = errorCode(cause) ?? 'not a regular file';
  return new ServiceError(
    'backend_unavailable',
    `The file ${basename(path)} in the journal folder cannot be read (${code}).`,
    {
      reason: 'journal_unreadable',
      hint: 'make it a regular file that the server may read, or move it out of the journal folder to start without its events',
    },
    { cause }
  );
}
