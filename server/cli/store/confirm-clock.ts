/** `lqe store confirm-clock`: lets the server delete by age again after the clock has jumped ahead. */
import { existsSync } from 'node:fs';
import { readKnownTime, writeKnownTime } from '../../common/data-folder/known-time';
import { BackupError } from '../backup/backup-error';

export interface ConfirmFlags {
  readonly dataDir: string;
  readonly yes?: boolean;
}

export async function confirmClock({ dataDir, yes = false }: ConfirmFlags, now: Date): Promise<void> {
  if (!existsSync(dataDir)) {
    throw new BackupError(`There is no folder ${dataDir}. Name the data folder with --data-dir.`);
  }
  const known = await readKnownTime(dataDir);
  console.log(`clock of this machine: ${now.toISOString()}`);
  console.log(`last known time: ${known?.toISOString() ?? 'none'}`);
  if (!yes) {
    console.log('nothing was done; add --yes if the clock is right');
    return;
  }
  await writeKnownTime(dataDir, now);
  console.log('confirmed: a running server deletes by age again within a minute');
}
