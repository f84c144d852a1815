/** Progress of a restore in the data folder, so that a stopped restore continues. */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replacePrivateFile } from '../../common/files/private-file';
import { RESTORE_STATE } from '../../common/data-folder/unfinished-restore';
import { BackupError } from '../backup/backup-error';
import { errorCode } from '../../common/caught-error';

const stateSchema = z.strictObject({
  /** Identifies the backup and what is restored of it. */
  restore: z.string(),
  is_catalog_done: z.boolean(),
  has_fields: z.boolean(),
  /** Number of restored events by day. */
  done: z.record(z.string(), z.int().min(0)),
});

type Saved = z.infer<typeof stateSchema>;

export const RESTORE_LOCK = 'restore.lock';

export class RestoreState {
  private constructor(
    private readonly dataDir: string,
    private saved: Saved,
    /** True when an earlier run of this restore was stopped. */
    readonly isContinued: boolean
  ) {}

  /**
   * @param conflicts names of the data folder that must not exist; null: the folder must be empty
   * @throws BackupError when the folder has other contents, or those of another restore
   */
  static async open(dataDir: string, restore: string, conflicts: readonly string[] | null): Promise<RestoreState> {
    const saved = RestoreState.check(dataDir, restore, conflicts);
    if (saved !== null) return new RestoreState(dataDir, saved, true);
    const state = new RestoreState(dataDir, { restore, is_catalog_done: false, has_fields: false, done: {} }, false);
    await state.save({});
    return state;
  }

  /** Checks as `open` does, and writes nothing. @returns null: this restore has not begun */
  static check(dataDir: string, restore: string, conflicts: readonly string[] | null): Saved | null {
    if (!existsSync(dataDir)) return null;
    const saved = readState(dataDir);
    if (saved !== null) {
      if (saved.restore === restore) return saved;
      throw new BackupError(`${dataDir} has an unfinished restore of another backup. Empty the folder.`);
    }
    const names = readdirSync(dataDir).filter((name) => !name.startsWith(RESTORE_LOCK));
    const found =
      conflicts === null
        ? names[0]
        : conflicts.find((name) => lstatSync(join(dataDir, name), { throwIfNoEntry: false }) !== undefined);
    if (found !== undefined) {
      throw new BackupError(
        `${dataDir} is not empty (${found}). Stop the server that uses it, and name an empty folder.`
      );
    }
    return null;
  }

  get isCatalogDone(): boolean {
    return this.saved.is_catalog_done;
  }

  get hasFields(): boolean {
    return this.saved.has_fields;
  }

  rowsDone(day: string): number {
    return this.saved.done[day] ?? 0;
  }

  catalogDone(): Promise<void> {
    return this.save({ is_catalog_done: true });
  }

  fieldsDone(): Promise<void> {
    return this.save({ has_fields: true });
  }

  /** Called after events are stored. If the newest entry is lost, a batch is stored again, which changes nothing. */
  stored(day: string, rows: number): Promise<void> {
    return this.save({ done: { ...this.saved.done, [day]: rows } });
  }

  /** The store does not have what was stored: the next run stores all events again. */
  storeAgain(): Promise<void> {
    return this.save({ has_fields: false, done: {} });
  }

  /** The folder may be served from now on. */
  finish(): void {
    rmSync(join(this.dataDir, RESTORE_STATE));
  }

  private async save(change: Partial<Saved>): Promise<void> {
    this.saved = { ...this.saved, ...change };
    await replacePrivateFile(join(this.dataDir, RESTORE_STATE), JSON.stringify(this.saved));
  }
}

function readState(dataDir: string): Saved | null {
  let text: string;
  try {
    text = readFileSync(join(dataDir, RESTORE_STATE), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new BackupError(`${join(dataDir, RESTORE_STATE)} is damaged. Empty the folder, and restore again.`);
  }
}
