/** `lqe store seal`: seals the past days of the embedded store, through the running server or on its file. */
import { availableParallelism } from 'node:os';
import { type SealReport, sealReportSchema, type SealState } from '#contract/control';
import { ServiceError } from '#contract/errors';
import { becomeFolderOwner } from '../../common/files/folder-owner';
import { envToConfig, readEnv } from '../../config';
import { allSources } from '../all-sources';
import { BackupError } from '../backup/backup-error';
import { ControlClient } from '../backup/control-client';
import { dayText } from '../backup/events/day-pieces';
import { counted } from '../output/counted';
import { printProblem } from '../output/print-problem';
import { withOperatorMessage } from '../output/operator-message';
import { ensureStoreExists, storeFile } from './existing-store';

export interface SealFlags {
  readonly dataDir: string;
  readonly sourcesFile: string;
}

interface Sealer {
  next(signal: AbortSignal): Promise<SealReport>;
  close(): Promise<void>;
}

export async function sealDays(flags: SealFlags, signal: AbortSignal): Promise<void> {
  process.umask(0o077);
  const { store, engine } = envToConfig(readEnv(process.env));
  if (store === 'clickhouse') throw new BackupError('ClickHouse orders events itself: there are no days to seal.');
  await withOperatorMessage(sealAll(flags, engine.memoryLimitMb, signal));
}

async function sealAll(flags: SealFlags, memoryLimitMb: number, signal: AbortSignal): Promise<void> {
  const sealer = await openSealer(flags, memoryLimitMb);
  try {
    let [days, rows] = [0, 0];
    for (;;) {
      const { sealed, state } = await sealer.next(signal);
      if (sealed === null) break;
      days++;
      rows += sealed.rows;
      console.error(`${sealed.source}/${dayText(sealed.day)}: ${counted(sealed.rows, 'event')}; ${progressOf(state)}`);
    }
    console.log(`sealed ${counted(days, 'day')} with ${counted(rows, 'event')}`);
  } finally {
    await sealer.close();
  }
}

async function openSealer({ dataDir, sourcesFile }: SealFlags, memoryLimitMb: number): Promise<Sealer> {
  ensureStoreExists(dataDir);
  const client = await ControlClient.open(dataDir);
  if (client !== null) {
    return {
      next: (signal) => client.send({ do: 'seal' }, sealReportSchema, signal),
      close: () => Promise.resolve(client.close()),
    };
  }
  // Loaded here: the store is not needed beside a running server.
  const { openDuckDbStore } = await import('../../stores/duckdb/duckdb-store.js');
  const sources = await allSources({ dataDir, sourcesFile });
  becomeFolderOwner(storeFile(dataDir));
  const store = await openDuckDbStore({
    dataDir,
    sources,
    memoryLimitMb,
    threads: availableParallelism(),
    onProblem: printProblem,
  });
  const { sealing } = store;
  if (sealing === null) throw new ServiceError('backend_error', 'This store has no days to seal.');
  return {
    next: async (signal) => ({ sealed: await sealing.sealNext(signal), state: sealing.state() }),
    close: () => store.close(),
  };
}

function progressOf({ sources }: SealState): string {
  const [days, sealed] = sources.reduce(([all, done], each) => [all + each.days, done + each.sealed], [0, 0]);
  return `${sealed} of ${counted(days, 'day')} sealed`;
}
