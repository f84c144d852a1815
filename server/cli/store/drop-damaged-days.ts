/** `lqe store drop-damaged`: counts the events of the embedded store that a damaged file has lost, and drops them. */
import { availableParallelism } from 'node:os';
import { becomeFolderOwner } from '../../common/files/folder-owner';
import { envToConfig, readEnv } from '../../config';
import type { DamagedEvents } from '../../stores/duckdb/repair/drop-damaged';
import { allSources } from '../all-sources';
import { BackupError } from '../backup/backup-error';
import { ControlClient } from '../backup/control-client';
import { counted } from '../output/counted';
import { withOperatorMessage } from '../output/operator-message';
import { ensureStoreExists, storeFile } from './existing-store';

export interface DropDamagedFlags {
  readonly dataDir: string;
  readonly sourcesFile: string;
  readonly yes?: boolean;
}

export async function dropDamagedDays(flags: DropDamagedFlags, signal: AbortSignal): Promise<void> {
  const { dataDir, sourcesFile, yes: isDropping = false } = flags;
  process.umask(0o077);
  const { store, engine } = envToConfig(readEnv(process.env));
  if (store === 'clickhouse') throw new BackupError('ClickHouse has tools of its own for damaged parts.');
  ensureStoreExists(dataDir);
  const client = await ControlClient.open(dataDir);
  if (client !== null) {
    client.close();
    throw new BackupError('A server uses the data folder. Stop it, and run the command again.');
  }
  const { dropDamaged } = await import('../../stores/duckdb/repair/drop-damaged.js');
  const sources = await allSources({ dataDir, sourcesFile });
  becomeFolderOwner(storeFile(dataDir));
  let damaged = 0;
  const days = await withOperatorMessage(
    dropDamaged({
      dataDir,
      sources,
      memoryLimitMb: engine.memoryLimitMb,
      threads: availableParallelism(),
      isDropping,
      signal,
      onDay: (day) => {
        damaged++;
        console.log(isDropping ? printDropped(day) : printFound(day));
      },
    })
  );
  if (damaged === 0) {
    console.log(`all events of ${counted(days, 'day')} can be read`);
  } else if (!isDropping) {
    console.log('nothing was dropped; add --yes to drop the events that cannot be read, and to keep the others');
    process.exitCode = 1;
  }
}

function printFound({ name, readable, lost }: DamagedEvents): string {
  return `${name}: ${lostEvents(lost)} cannot be read, ${readable.toLocaleString('en-US')} can`;
}

function printDropped({ name, readable, lost }: DamagedEvents): string {
  return `${name}: dropped ${lostEvents(lost)}, kept ${readable.toLocaleString('en-US')}`;
}

function lostEvents(lost: number | null): string {
  return lost === null ? 'an unknown number of events' : counted(lost, 'event');
}
