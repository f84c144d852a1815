/** Types between the file readers and the importer. */

export interface InputEvent {
  /** From 1: the line of a text file, the number of the event in a JSON array, the row of a Parquet file. */
  readonly place: number;
  /** One JSON value on one line, without the line break. Null: larger than any event may be, and skipped. */
  readonly json: Buffer | null;
  /** Why it is not sent. */
  readonly refused?: { readonly code: string; readonly message: string };
}

/** An opened input. Events are read in pieces, so that memory stays small for files of any size. */
export interface EventInput {
  readonly pieces: AsyncIterable<readonly InputEvent[]>;
  /** Unit of `place`; known once the first piece was read. */
  readonly placeName: 'line' | 'event' | 'row';
  readonly progress: InputProgress;
}

export interface InputProgress {
  /** Null when the size is unknown, as for standard input. */
  readonly total: number | null;
  readonly unit: 'bytes' | 'rows';
  /** How much of the total was read so far. */
  read(): number;
}

/** Maximum size of an event: the server refuses larger ones, too, so reading them would only waste memory. */
export const MAX_EVENT_BYTES = 4 * 1024 * 1024;
