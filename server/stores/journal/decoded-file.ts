/** Decoded content of one journal file. */
import type { JournalRecord } from './journal-record';

export interface DecodedFile {
  /** Records up to the first bytes that are not a complete one. Their bodies are views of the given bytes. */
  readonly records: readonly JournalRecord[];
  /** True when other bytes follow the records, as after an interrupted write. */
  readonly hasRest: boolean;
  /** True when records are missing or changed that may have been acknowledged. */
  readonly isDamaged: boolean;
  /** Number in the name of the previous file; null: an earlier version wrote this file and did not record it. */
  readonly previous: number | null;
}
