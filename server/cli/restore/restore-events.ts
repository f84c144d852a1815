/**
 * Restores events through the normal ingestion, which makes the typed columns from their JSON text. What is stored
 * already is not stored twice, so a stopped restore may repeat its last batch.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { storedFieldSchema } from '#contract/control';
import type { IngestResult } from '#contract/queries/result';
import type { Source } from '#contract/events/source';
import { BackupError } from '../backup/backup-error';
import type { EventFile, Manifest } from '../backup/files/manifest';
import type { ParquetFiles } from '../backup/events/parquet-files';
import type { LogStore } from '../../stores/store';
import { MICROS_PER_DAY } from '../../stores/ingest/event/timestamp';
import type { EventTarget, FieldsBySource } from './event-target';
import type { RestoreState } from './restore-state';
import { dayName } from './verify-backup';

export interface RestoreEventsOptions {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly target: EventTarget;
  readonly state: RestoreState;
  readonly parquet: ParquetFiles;
  readonly onProgress: (rows: number) => void;
  readonly signal: AbortSignal;
}

/** Bounds of a batch in memory. */
const BATCH = { rows: 4096, characters: 8 * 1024 * 1024 };
const BATCHES_IN_FLIGHT = 3;

/** @returns messages about days that differ from the backup. @throws ServiceError of the store, BackupError */
export async function restoreEvents(options: RestoreEventsOptions): Promise<readonly string[]> {
  const { manifest, target, state } = options;
  const days = eventFiles(manifest);
  // Before the store is opened: it reads the fields when it opens.
  if (!state.hasFields) {
    await target.addFields(readFields(options));
    await state.fieldsDone();
  }
  await storeDays(days, await target.open(), options);
  return compareDays(days, options);
}

export function eventFiles({ files }: Manifest): readonly EventFile[] {
  return files.filter((file) => file.kind === 'events');
}

function readFields({ folder, manifest }: RestoreEventsOptions): FieldsBySource {
  const file = manifest.files.find(({ kind }) => kind === 'fields');
  if (file === undefined) return {};
  const path = join(folder, file.path);
  try {
    return z.record(z.string(), z.array(storedFieldSchema)).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new BackupError(`${path} is not a list of fields of this program.`, { cause: error });
  }
}

async function storeDays(days: readonly EventFile[], store: LogStore, options: RestoreEventsOptions): Promise<void> {
  try {
    let before = 0;
    for (const day of days) {
      await storeDay(store, day, options, before);
      before += day.rows;
    }
  } finally {
    await store.close();
  }
}

async function storeDay(
  store: LogStore,
  file: EventFile,
  { folder, manifest, state, parquet, onProgress, signal }: RestoreEventsOptions,
  before: number
): Promise<void> {
  const source = sourceOf(manifest, file);
  const name = dayName(file);
  // The end of that day, so that events near the end of their retention are restored, too.
  const nowMicros = (file.day + 1) * MICROS_PER_DAY - 1;
  let stored = state.rowsDone(name);
  let from = stored;
  if (stored >= file.rows) return;
  // The next batches are read while one is being stored; they are stored in order.
  const waiting: { readonly rows: number; readonly result: Promise<IngestResult> }[] = [];
  const settleFirst = async (): Promise<void> => {
    const { rows, result } = waiting[0]!;
    const { rejected, errors } = await result;
    waiting.shift();
    if (rejected > 0) throw new BackupError(`${name}: ${rejected} events were refused, first: ${errors[0]?.message}`);
    stored += rows;
    await state.stored(name, stored);
    onProgress(before + stored);
  };
  try {
    for await (const { body, rows } of parquet.events(join(folder, file.path), source, from, BATCH)) {
      signal.throwIfAborted();
      const identity = { base: name, firstIndex: from };
      const result = store.ingest({ source: source.name, body, form: 'lines', nowMicros, identity, tenant: null });
      waiting.push({ rows, result });
      from += rows;
      if (waiting.length >= BATCHES_IN_FLIGHT) await settleFirst();
    }
    while (waiting.length > 0) await settleFirst();
  } finally {
    await Promise.allSettled(waiting.map(({ result }) => result));
  }
}

async function compareDays(
  days: readonly EventFile[],
  { folder, manifest, target, parquet, signal }: RestoreEventsOptions
): Promise<readonly string[]> {
  const reader = await target.digests();
  const differences: string[] = [];
  try {
    for (const file of days) {
      signal.throwIfAborted();
      const source = sourceOf(manifest, file);
      const there = await reader.digest(source, file.day);
      const here = await parquet.digest(join(folder, file.path), source);
      if (here.rows !== there.rows) {
        differences.push(`${dayName(file)}: ${here.rows} events in the backup, ${there.rows} in the store`);
      } else if (here.sums[0] !== there.sums[0] || here.sums[1] !== there.sums[1]) {
        differences.push(`${dayName(file)}: ${here.rows} events each, but their checksums differ`);
      }
    }
    return differences;
  } finally {
    await reader.close();
  }
}

function sourceOf({ sources }: Manifest, file: EventFile): Source {
  return sources.find(({ name }) => name === file.source)!;
}
