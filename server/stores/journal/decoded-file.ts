/** What a reader finds in one journal file. */
import type { JournalRecord } from './journal-record';

export interface DecodedFile {
  /** Records up to the first bytes that are not a whole one. Their bodies are views of the bytes given. */
  readonly records: readonly JournalRecord[];
  /** Whether other bytes follow the records, as a write that was cut off leaves them. */
  readonly hasRest: boolean;
  /** Whether records are missing or changed that may have been acknowledged. */
  readonly isDamaged: boolean;
  /** Number in the name of the file before; null: an earlier version wrote this file and did not note it. */
  readonly previous: number | null;
}
