/** What the readers of files hand to the importer. */

export interface InputEvent {
  /** Where it starts: the 1-based line of a text file, the 1-based row of a Parquet file. */
  readonly place: number;
  /** One JSON value on one line, without the line break. Null: larger than any event may be, and skipped. */
  readonly json: Buffer | null;
}

/** An opened input. Events come in pieces as they are read, so that memory stays small whatever the size of the file. */
export interface EventInput {
  readonly pieces: AsyncIterable<readonly InputEvent[]>;
  /** What `place` counts. */
  readonly placeName: 'line' | 'row';
  readonly progress: InputProgress;
}

export interface InputProgress {
  /** Null when it cannot be known, as for standard input. */
  readonly total: number | null;
  readonly unit: 'bytes' | 'rows';
  /** How much of the total was read. */
  read(): number;
}

/** Events above this size are refused by the server too; reading them whole would only cost memory. */
export const MAX_EVENT_BYTES = 4 * 1024 * 1024;
