/** Writes a day of the embedded store as one file, from pieces that the store exports one by one. */
import { constants } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ExportedRows, MAX_EXPORT_ROWS, type RowRange, type StoredDay } from '#contract/control';
import { ServiceError } from '#contract/errors';
import { BackupError } from '../backup-error';
import { ParquetFiles } from './parquet-files';
import { ensureSpace } from '../files/private-copy';
import { errorCode } from '../../../common/caught-error';

export interface PieceWriter {
  /** Folder of the exported files. */
  readonly staging: string;
  readonly bytesPerRow: number;
  export(range: RowRange, signal: AbortSignal): Promise<ExportedRows>;
}

/** @returns the number of rows; null when retention has dropped the day. @param file must not exist */
export async function writeDay(
  writer: PieceWriter,
  { source, day, rows }: StoredDay,
  file: string,
  onRows: (rows: number) => void,
  signal: AbortSignal
): Promise<number | null> {
  const pieces: string[] = [];
  try {
    for (let from = 0; from < rows; from += MAX_EXPORT_ROWS) {
      signal.throwIfAborted();
      const to = Math.min(rows, from + MAX_EXPORT_ROWS);
      const piece = `${file}.${pieces.length}`;
      pieces.push(piece);
      const exported = await movePiece(writer, { source, day, from, to }, piece, signal);
      if (exported !== to - from) {
        throw new BackupError(`The day ${source}/${dayText(day)} changed while it was read. Run the command again.`);
      }
      onRows(to);
    }
    if (pieces.length === 1) await rename(pieces[0]!, file);
    else await mergePieces(pieces, file);
    return rows;
  } catch (error) {
    if (error instanceof ServiceError && error.details.reason === 'day_dropped') return null;
    throw error;
  } finally {
    for (const piece of pieces) await rm(piece, { force: true });
  }
}

export function dayText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

async function movePiece(writer: PieceWriter, range: RowRange, target: string, signal: AbortSignal): Promise<number> {
  // The disk of the store must not become full: no event could be acknowledged.
  ensureSpace(dirname(writer.staging), 2 * writer.bytesPerRow * (range.to - range.from));
  for (let attempt = 1; ; attempt++) {
    const { file, rows } = await writer.export(range, signal);
    try {
      await move(join(writer.staging, file), target);
      return rows;
    } catch (error) {
      // The store empties the folder only when it is opened, and its disk is not that of the backup.
      await rm(join(writer.staging, file), { force: true });
      // The store was opened again between export and move, and has emptied its folder.
      if (errorCode(error) !== 'ENOENT' || attempt === 2) throw error;
    }
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await rm(from);
  }
}

async function mergePieces(pieces: readonly string[], file: string): Promise<void> {
  const parquet = await ParquetFiles.open(1);
  try {
    await parquet.merge(pieces, file);
  } finally {
    parquet.close();
  }
}
