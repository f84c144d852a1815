/**
 * Detects that the data folder, the store file or the journal folder was deleted, moved or hidden by another mount.
 * Open files keep working then, and everything written to them is lost when the process ends.
 */
import { stat } from 'node:fs/promises';
import { ServiceError } from '#contract/errors';
import { errorCode } from '../../../common/caught-error';

const CHECK_EVERY_MS = 1000;

interface Watched {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

export class DataFolder {
  private readonly watched: readonly Watched[];
  private failure: ServiceError | null = null;
  private checkedAtMs = -Infinity;
  private checking: Promise<void> | null = null;

  private constructor(watched: readonly Watched[]) {
    this.watched = watched;
  }

  /** @param paths existing paths */
  static async watch(paths: readonly string[]): Promise<DataFolder> {
    return new DataFolder(await Promise.all(paths.map((path) => identify(path))));
  }

  /**
   * Compares at most once a second. A replaced path stays replaced: only a restart opens the new one.
   * @throws ServiceError `backend_unavailable` with `reason: data_folder_replaced`
   */
  async ensurePresent(): Promise<void> {
    if (this.failure === null && performance.now() - this.checkedAtMs >= CHECK_EVERY_MS) {
      this.checking ??= this.check().finally(() => (this.checking = null));
      await this.checking;
    }
    if (this.failure !== null) throw this.failure;
  }

  private async check(): Promise<void> {
    const startedAtMs = performance.now();
    const same = await Promise.all(this.watched.map((watched) => isSame(watched)));
    if (same.includes(false)) this.failure = replaced();
    this.checkedAtMs = startedAtMs;
  }
}

async function identify(path: string): Promise<Watched> {
  const { dev, ino } = await stat(path, { bigint: true });
  return { path, device: dev, inode: ino };
}

/** Any other error of a path says nothing: writes to it fail by themselves. */
async function isSame({ path, device, inode }: Watched): Promise<boolean> {
  try {
    const found = await identify(path);
    return found.device === device && found.inode === inode;
  } catch (error) {
    const code = errorCode(error);
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

function replaced(): ServiceError {
  return new ServiceError(
    'backend_unavailable',
    'The data folder was deleted, moved or replaced while the server ran. Restore it and restart the server.',
    { reason: 'data_folder_replaced', hint: 'nothing was stored; send the events again after the restart' }
  );
}
