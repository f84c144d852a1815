/** One accepted event, ready to be stored. */
export interface EventRow {
  /** Zero-based index in the body of the request. */
  readonly index: number;
  readonly id: string;
  /** Null: the source has no tenants, or the event has none. */
  readonly tenant: string | null;
  readonly micros: number;
  /** False when the event has no timestamp and `micros` is its arrival. */
  readonly hasOwnTime: boolean;
  readonly message: string | null;
  /** Values of the source's own columns, in order, as text. */
  readonly own: readonly (string | null)[];
  /** Contains `metadata` as normalized JSON text between `metadataStart` and `metadataEnd`, on one line. */
  readonly buffer: Buffer;
  readonly metadataStart: number;
  readonly metadataEnd: number;
  /** Separate JSON text for the typed columns; null: they are read from metadata. */
  readonly columnsText: string | null;
}

export type RejectionCode =
  | 'not_an_object'
  | 'bad_timestamp'
  | 'bad_id'
  | 'bad_metadata'
  | 'bad_value'
  | 'too_large'
  | 'too_deep'
  | 'too_many_values'
  | 'bad_utf8'
  | 'bad_json'
  | 'tenant_missing'
  | 'tenant_mismatch'
  | 'out_of_retention';

/** Reason why one entry of a batch is not stored, while the others are. */
export class EntryRejection {
  readonly code: RejectionCode;
  readonly message: string;

  constructor(code: RejectionCode, message: string) {
    this.code = code;
    this.message = message;
  }
}
