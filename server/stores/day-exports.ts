/** Export of stored events day by day, for backups. */
import type { ExportedRows, RowRange, StoredList } from '#contract/control';

export interface DayExports {
  /** Days and fields, with every event that was acknowledged before the call. */
  list(signal: AbortSignal): Promise<StoredList>;

  /**
   * Writes rows of a day to a new Parquet file in the staging folder of the store. Row numbers below the count that
   * `list` reported always denote the same rows.
   * @throws ServiceError `backend_unavailable` with `reason` `day_dropped` (retention dropped the day) or `disk_full`
   */
  write(range: RowRange, signal: AbortSignal): Promise<ExportedRows>;
}
