/**
 * Space that the embedded store needs to be opened: it puts the events of the journal into its file. Without it, a
 * change of the sources would leave no store at all, where queries went on before.
 */
import { readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '#contract/errors';

/** For the files that DuckDB writes when it opens a database. */
const ROOM_BYTES = 16 * 1024 * 1024;
const JOURNAL = /\.journal$/;

/** @throws ServiceError `backend_unavailable` with `reason: disk_full` */
export async function ensureRoomToOpen(dataDir: string): Promise<void> {
  const stats = await statfs(dataDir).catch(() => null);
  if (stats === null || stats.bavail * stats.bsize >= (await journalBytes(dataDir)) + ROOM_BYTES) return;
  throw new ServiceError(
    'backend_unavailable',
    'The disk of the data folder is too full for a change of the sources: the store could not be opened again.',
    { reason: 'disk_full', hint: 'free space on that disk, then try again; until then, queries go on' }
  );
}

async function journalBytes(dataDir: string): Promise<number> {
  const folder = path.join(dataDir, 'journal');
  const names = await readdir(folder).catch((): string[] => []);
  let bytes = 0;
  // A file may be removed meanwhile, since its events are in the store.
  for (const name of names.filter((each) => JOURNAL.test(each)))
    bytes += (await stat(path.join(folder, name)).catch(() => null))?.size ?? 0;
  return bytes;
}
