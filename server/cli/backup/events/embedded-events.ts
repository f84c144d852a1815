/** Events of an embedded store: through the running server, or from the file when no server has it open. */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { controlListSchema, exportedRowsSchema, type StoredList } from '#contract/control';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import type { DayExports } from '../../../stores/day-exports';
import { stagingFolder } from '../../../stores/duckdb/file/staging-folder';
import { asFolderOwner } from '../../../common/files/folder-owner';
import { ensureStoreExists, storeFile } from '../../store/existing-store';
import { printProblem } from '../../output/print-problem';
import { BackupError } from '../backup-error';
import { ControlClient } from '../control-client';
import { type PieceWriter, writeDay } from './day-pieces';
import type { EventSource } from './event-source';

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly memoryLimitMb: number;
  /** Declared sources, used when no server runs. */
  readonly declared: () => Promise<readonly Source[]>;
  readonly signal: AbortSignal;
}

/** @throws BackupError when the folder has no store; ServiceError of the store */
export async function openEmbeddedEvents(options: EmbeddedOptions): Promise<EventSource> {
  ensureStoreExists(options.dataDir);
  const client = await ControlClient.open(options.dataDir);
  return client === null ? openFile(options) : openServer(options, client);
}

async function openServer({ dataDir, signal }: EmbeddedOptions, client: ControlClient): Promise<EventSource> {
  try {
    const { sources, stored, files } = await client.send({ do: 'list' }, controlListSchema, signal);
    const writer: PieceWriter = {
      staging: stagingFolder(dataDir),
      bytesPerRow: bytesPerRow(dataDir, stored),
      export: (rows, aborted) => client.send({ do: 'export', rows }, exportedRowsSchema, aborted),
    };
    const source = eventSource(writer, sources, stored, () => Promise.resolve(client.close()));
    return { ...source, served: files === undefined ? null : (files ?? 'database') };
  } catch (error) {
    client.close();
    throw error;
  }
}

async function openFile({ dataDir, memoryLimitMb, declared, signal }: EmbeddedOptions): Promise<EventSource> {
  // Loaded here: the store with the compiler's types is not needed beside a running server.
  const { openDuckDbStore } = await import('../../../stores/duckdb/duckdb-store.js');
  const sources = await declared();
  const threads = availableParallelism();
  const open = () => openDuckDbStore({ dataDir, memoryLimitMb, threads, sources, onProblem: printProblem });
  // It makes the files that an older version did not have.
  const store = await asFolderOwner(storeFile(dataDir), open).catch((error: unknown) => {
    throw withoutSocket(error);
  });
  try {
    const exports = store.exports as DayExports;
    const stored = await exports.list(signal);
    const writer: PieceWriter = {
      staging: stagingFolder(dataDir),
      bytesPerRow: bytesPerRow(dataDir, stored),
      export: (rows, aborted) => exports.write(rows, aborted),
    };
    return eventSource(writer, sources, stored, () => store.close());
  } catch (error) {
    await store.close();
    throw error;
  }
}

function eventSource(
  writer: PieceWriter,
  sources: readonly Source[],
  stored: StoredList,
  close: () => Promise<void>
): EventSource {
  return {
    sources,
    served: null,
    stored,
    bytesPerRow: writer.bytesPerRow,
    write: (day, file, onRows, signal) => writeDay(writer, day, file, onRows, signal),
    close,
  };
}

/** The file also has a typed column for each nested field, so a row of a backup is smaller. */
function bytesPerRow(dataDir: string, { days }: StoredList): number {
  const rows = days.reduce((sum, day) => sum + day.rows, 0);
  const sizes = ['logs.duckdb', 'logs.duckdb.wal'].map(
    (name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return Math.min(2000, bytes / Math.max(rows, 1));
}

function withoutSocket(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.details.reason !== 'in_use') return error;
  return new BackupError(
    'The data folder is in use by a process that has no control socket: a server that starts or stops, one of an earlier version, or another command. Try again, or stop it.'
  );
}
