/** One good event, ready to be stored. */
export interface EventRow {
  /** Zero-based index in the body that was sent. */
  readonly index: number;
  readonly id: string;
  /** Null: the source has no tenants, or the event names none. */
  readonly tenant: string | null;
  readonly micros: number;
  /** False when the event brought no time of its own and `micros` is its arrival. */
  readonly hasOwnTime: boolean;
  readonly message: string | null;
  /** Values of the source's own columns, in order, as text. */
  readonly own: readonly (string | null)[];
  /** Holds `metadata` as normalised JSON text between `metadataStart` and `metadataEnd`, on one line. */
  readonly buffer: Buffer;
  readonly metadataStart: number;
  readonly metadataEnd: number;
  /** JSON text that the typed columns are read from instead of metadata; null: from metadata. */
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
  | 'nul_character'
  | 'bad_json'
  | 'tenant_missing'
  | 'tenant_mismatch'
  | 'out_of_retention';

/** Why one entry of a batch is not stored. The others are. */
export class EntryRejection {
  readonly code: RejectionCode;
  readonly message: string;

  constructor(code: RejectionCode, message: string) {
    this.code = code;
    this.message = message;
  }
}
