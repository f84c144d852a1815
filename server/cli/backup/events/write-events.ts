/** Writes the events to a backup: one file for each source and day, and only those that changed. */
import { writeFile } from 'node:fs/promises';
import type { DamagedDay, StoredDay } from '#contract/control';
import { ServiceError } from '#contract/errors';
import { BackupError } from '../backup-error';
import type { BackupFolder } from '../files/backup-folder';
import { dayText } from './day-pieces';
import type { EventSource } from './event-source';
import type { BackupFile, EventFile } from '../files/manifest';
import { ensureSpace } from '../files/private-copy';

export interface EventsSummary {
  readonly days: number;
  readonly rows: number;
  readonly writtenDays: number;
  readonly writtenBytes: number;
  /** Days whose events the store cannot read. */
  readonly damaged: readonly SkippedDay[];
}

export interface SkippedDay {
  /** e.g. `edge_requests/2026-11-02` */
  readonly name: string;
  /** The events of an earlier backup in the folder stay. */
  readonly isKept: boolean;
}

export interface EventsProgress {
  /** @param rows of the days that are written */
  onTotal(rows: number): void;
  onRows(rows: number): void;
}

/**
 * @param skipsDamaged whether days that the store cannot read are left out
 * @throws BackupError when there are such days, unless they are left out
 */
export async function writeEvents(
  folder: BackupFolder,
  source: EventSource,
  progress: EventsProgress,
  { skipsDamaged, signal }: { readonly skipsDamaged: boolean; readonly signal: AbortSignal }
): Promise<EventsSummary> {
  const unread = [...(source.stored.damaged ?? [])];
  if (unread.length > 0 && !skipsDamaged) throw unreadable(unread);
  const stored = source.stored.days.filter(({ rows }) => rows > 0);
  const changed: StoredDay[] = [];
  let rows = 0;
  for (const day of stored) {
    const known = folder.find((file: BackupFile): file is EventFile => isSame(file, day));
    if (known === undefined) changed.push(day);
    else {
      await folder.add(known);
      rows += known.rows;
    }
  }
  ensureSpace(folder.path, estimate(folder, source, changed));
  progress.onTotal(changed.reduce((sum, day) => sum + day.rows, 0));
  let [before, writtenBytes, writtenDays] = [0, 0, 0];
  for (const day of changed) {
    signal.throwIfAborted();
    const name = `events/${day.source}/${dayText(day.day)}`;
    const temporary = folder.temporary(name);
    const done = before;
    const onRows = (count: number): void => progress.onRows(done + count);
    const written = await source.write(day, temporary, onRows, signal).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      if (!skipsDamaged) throw unreadable([day]);
      unread.push(day);
      return null;
    });
    if (written !== null) {
      const file = await folder.adopt(temporary, ({ sha256 }) => `${name}.${sha256.slice(0, 12)}.parquet`);
      await folder.add({ kind: 'events', ...day, rows: written, ...file });
      rows += written;
      writtenBytes += file.bytes;
      writtenDays++;
    }
    before += day.rows;
    progress.onRows(before);
  }
  const damaged: SkippedDay[] = [];
  for (const day of unread) {
    const former = folder.find(
      (file): file is EventFile => file.kind === 'events' && file.source === day.source && file.day === day.day
    );
    if (former !== undefined) await folder.add(former);
    rows += former?.rows ?? 0;
    damaged.push({ name: dayName(day), isKept: former !== undefined });
  }
  await writeFields(folder, source);
  const days = stored.length - changed.length + writtenDays + damaged.filter(({ isKept }) => isKept).length;
  return { days, rows, writtenDays, writtenBytes, damaged };
}

function dayName({ source, day }: DamagedDay): string {
  return `${source}/${dayText(day)}`;
}

function isDamage(error: unknown): boolean {
  return error instanceof ServiceError && error.details.reason === 'store_damaged';
}

function unreadable(days: readonly DamagedDay[]): BackupError {
  const names = days.map((day) => dayName(day)).join(', ');
  return new BackupError(
    `The events of ${names} cannot be read: a file of the store is damaged. Restore the last backup into a new folder, or` +
      ' save the other days with --skip-damaged.'
  );
}

function isSame(file: BackupFile, { source, day, fingerprint }: StoredDay): boolean {
  return file.kind === 'events' && file.source === source && file.day === day && file.fingerprint === fingerprint;
}

/** Kinds and types of nested fields, which events alone may not bring in the same order. */
async function writeFields(folder: BackupFolder, { stored }: EventSource): Promise<void> {
  const temporary = folder.temporary('events/fields.json');
  await writeFile(temporary, `${JSON.stringify(stored.fields)}\n`, { mode: 0o600 });
  await folder.add({
    kind: 'fields',
    ...(await folder.adopt(temporary, ({ sha256 }) => `events/fields.${sha256.slice(0, 12)}.json`)),
  });
}

/** Bytes of the changed days, by the size of the known files of each source. */
function estimate(folder: BackupFolder, source: EventSource, changed: readonly StoredDay[]): number {
  const sizes = new Map<string, { bytes: number; rows: number }>();
  for (const file of folder.known) {
    if (file.kind !== 'events') continue;
    const size = sizes.get(file.source) ?? { bytes: 0, rows: 0 };
    sizes.set(file.source, { bytes: size.bytes + file.bytes, rows: size.rows + file.rows });
  }
  return changed.reduce((sum, { source: name, rows }) => {
    const size = sizes.get(name);
    // Files of the store have the fields of an event twice: as columns and in its JSON text.
    return sum + rows * (size === undefined ? source.bytesPerRow / 2 : size.bytes / size.rows);
  }, 0);
}
