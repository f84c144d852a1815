/** Events of ClickHouse, read with the configured account. */
import type { Source } from '#contract/events/source';
import { openClickHouseExports } from '../../../stores/clickhouse/read/day-exports';
import type { ClickHouseOptions } from '../../../stores/clickhouse/connection/options';
import { BackupError } from '../backup-error';
import { dayText } from './day-pieces';
import type { EventSource } from './event-source';
import { ParquetFiles } from './parquet-files';

/** Typical size of an event in a compressed file. */
const BYTES_PER_ROW = 120;

export async function openClickHouseEvents(
  options: ClickHouseOptions,
  sources: readonly Source[],
  signal: AbortSignal
): Promise<EventSource> {
  const exports = openClickHouseExports(options, sources);
  try {
    const stored = await exports.list(signal);
    return {
      sources,
      served: null,
      stored,
      bytesPerRow: BYTES_PER_ROW,
      async write({ source, day, rows }, file, onRows, aborted) {
        const declared = sources.find(({ name }) => name === source)!;
        await exports.write(declared, day, file, aborted);
        const written = await countRows(file);
        // Retention and the removal of duplicates may have made the day smaller.
        const expected = written < rows ? await exports.count(declared, day, aborted) : rows;
        if (written < expected) throw incomplete(source, day);
        onRows(rows);
        return written > 0 ? written : null;
      },
      close: () => exports.close(),
    };
  } catch (error) {
    await exports.close();
    throw error;
  }
}

/** @returns -1 for a file without its end: the response failed after its beginning */
async function countRows(file: string): Promise<number> {
  const parquet = await ParquetFiles.open(1);
  try {
    return await parquet.countRows(file).catch(() => -1);
  } finally {
    parquet.close();
  }
}

function incomplete(source: string, day: number): BackupError {
  return new BackupError(`ClickHouse stopped in the middle of ${source}/${dayText(day)}. Run the command again.`);
}
