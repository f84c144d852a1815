/** The events of the store that is backed up. */
import type { DefinitionFiles, StoredDay, StoredList } from '#contract/control';
import type { Source } from '#contract/events/source';

export type ServedDefinitions = DefinitionFiles | 'database';

export interface EventSource {
  readonly sources: readonly Source[];
  /** Where a running server has its definitions; null: not known. */
  readonly served: ServedDefinitions | null;
  /** Everything that was acknowledged before the backup began. */
  readonly stored: StoredList;
  /** Estimated bytes of a row in a Parquet file. */
  readonly bytesPerRow: number;
  /**
   * Writes a day to a Parquet file, which must not exist.
   * @param onRows called with the number of rows written so far
   * @returns the number of rows, which may be larger by events that came since; null when retention has dropped the day
   */
  write(day: StoredDay, file: string, onRows: (rows: number) => void, signal: AbortSignal): Promise<number | null>;
  close(): Promise<void>;
}
